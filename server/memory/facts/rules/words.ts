import { iso31662 } from 'iso-3166'
import { alternatives } from '../../../../shared/text/alternatives.ts'

/*
 * The lists of English words below are written by hand: no maintained package has them. Each keeps
 * precision: without it a sentence that states no fact yields one (see tests/unit/facts.test.ts).
 */

export const words = (list: string): Set<string> => new Set(list.trim().split(/\s+/))

function dateName(month: number, day: number, part: 'month' | 'weekday'): string {
  const date = new Date(Date.UTC(2026, month, day))
  return date.toLocaleDateString('en', { [part]: 'long', timeZone: 'UTC' }).toLowerCase()
}

/** Words with a capital that are no names: words at the start of a sentence, peoples, titles. */
const NOT_NAMES = words(`
  a about after again all also although always am an and another any anybody anyone anything are as at back
  because before being both but by can congrats congratulations could dear did do does each either every everybody
  everyone everything few finally first for from god gonna good great had happy has have he hello here hers hey hi
  him his home how however i if in indeed is it its itself just last later let life like lol look lots many may maybe
  me merry might mine mom's more most much music must my myself nature neither never new next no nobody none nor not
  nothing now of off oh ok okay on once one only or other our ours over own people perhaps please probably same say
  see she should since so some somebody someone something sometimes soon sorry still such sure than thank thanks that
  the their theirs them then there these they this those though thus to today tomorrow tonight too true two under
  until up us very was we well were what whatever when where which while who whoever whom whose why will wish with
  wow would yeah yes yesterday yet you your yours
  christmas easter halloween thanksgiving ramadan hanukkah
  american australian brazilian british canadian catholic christian buddhist hindu muslim jewish orthodox protestant
  european african asian latino latina hispanic indian mexican swiss austrian belgian argentinian chilean egyptian
  nigerian kenyan pakistani israeli palestinian scottish democrat republican
  dad daddy mom mommy mum mummy grandma grandpa gran nana papa mama sir madam miss mister doctor team user
  assistant human system monsieur madame herr frau señor señora
`)

/** Subjects of general statements: "Water lives in Lisbon", "Python is a teacher". */
const THINGS = words(`
  life time experience practice practise nature history love money art science death technology truth water food
  fire air light society culture work success failure failing education knowledge wisdom patience failure silence
  family tradition power fear war freedom beauty reality evidence research software hardware data code python rust
  java javascript typescript kubernetes docker linux windows react android google apple microsoft amazon facebook
`)

const LANGUAGE_CODES =
  'ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka ko lt lv mk ms mt nl no pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi zh'

/** English names of languages, most of which also name a people. */
const languageNames = () => {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return new Set(LANGUAGE_CODES.split(' ').map((code) => names.of(code)?.toLowerCase()))
}

const calendarWords = () =>
  new Set([
    ...Array.from({ length: 12 }, (_, month) => dateName(month, 1, 'month')),
    ...Array.from({ length: 7 }, (_, day) => dateName(0, day, 'weekday')),
  ])

/** Reading names of a locale takes some milliseconds, which a start does not need. */
const atFirstUse = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const notNames = atFirstUse(() => [NOT_NAMES, languageNames(), calendarWords()])

/** Whether a word with a capital is unlikely to be part of any name. */
export const isNotAName = (word: string): boolean =>
  notNames().some((list) => list.has(word.toLowerCase()))

/** Whether a word is unlikely to be part of a person's name. */
export const isNotAPerson = (word: string): boolean =>
  isNotAName(word) || THINGS.has(word.toLowerCase())

/** Products, departments and plans that people "move to" without living there. */
const NOT_PLACES = words(`
  actions android api aws azure bitbucket chrome claude cloud discord docker edge engineering excel finance firefox
  github gitlab google gmail ios iphone jira kubernetes legal level linux mac macos management marketing microsoft
  mongodb mysql netflix next node notion operations outlook phase plan position postgres postgresql premium pro
  product python react research rust safari sales slack spotify stage step support svelte teams trello tier
  typescript ubuntu version vim vscode vue whatsapp windows youtube zoom
`)

export const isNotAPlace = (name: string): boolean =>
  name.split(' ').some((word) => NOT_PLACES.has(word.toLowerCase()))

/** The names of countries in English, German, Spanish and French. */
const countries = atFirstUse(() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const names = ['en', 'de', 'es', 'fr'].map(
    (locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }),
  )
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return new Set(codes.flatMap((code) => names.map((name) => name.of(code))))
})

/** Countries whose states or provinces people name after a town, by ISO 3166-1 code. */
const COUNTRIES_WITH_STATES = ['US', 'CA']
const UK_COUNTRIES = ['GB-ENG', 'GB-SCT', 'GB-WLS', 'GB-NIR']
const regions = atFirstUse(
  () =>
    new Set([
      ...iso31662
        .filter(
          ({ code, parent }) =>
            COUNTRIES_WITH_STATES.includes(parent) || UK_COUNTRIES.includes(code),
        )
        .map(({ name }) => name),
      'UK',
      'USA',
    ]),
)

/** Whether it is the name of a country in English, German, Spanish or French. */
export const isCountry = (name: string): boolean => countries().has(name)

/** Whether it may follow a town and a comma: a country, a state, a province. */
export const isRegion = (name: string): boolean => isCountry(name) || regions().has(name)

/** The last word of English job titles. */
const OCCUPATIONS = words(`
  accountant actor actress actuary administrator adviser advisor agent analyst anesthesiologist animator
  anthropologist apprentice archaeologist architect archivist artist assistant astronaut astronomer attorney auditor
  author baker banker barber barista bartender biochemist biologist blacksmith bookkeeper bricklayer broker builder
  butcher cardiologist caregiver caretaker carpenter cashier ceo cfo chef chemist chiropractor choreographer
  cleaner clerk clinician coach columnist comedian composer conductor consultant contractor controller coordinator
  copywriter counselor counsellor coo courier cto curator dancer dentist dermatologist designer detective developer
  dietitian director dispatcher doctor driver ecologist economist editor electrician engineer entrepreneur estimator
  farmer filmmaker firefighter fisherman florist founder co-founder cofounder freelancer gardener geologist geneticist
  hairdresser handyman headteacher historian housekeeper hygienist illustrator inspector instructor interpreter
  investigator janitor jeweler journalist judge laborer landscaper lawyer lecturer librarian lifeguard linguist
  locksmith machinist manager marketer marshal mason masseuse mathematician mechanic meteorologist microbiologist
  midwife miner model musician nanny neurologist neuroscientist notary novelist nurse nutritionist officer optician
  optometrist orthodontist painter paralegal paramedic pastor pathologist pediatrician pharmacist philosopher
  photographer physician physicist physiotherapist pianist pilot planner plumber podcaster poet policeman policewoman
  politician porter postman potter president priest principal producer professor programmer psychiatrist psychologist
  psychotherapist publicist publisher radiographer radiologist ranger realtor receptionist recruiter rabbi reporter
  representative researcher roofer sailor scientist sculptor seamstress secretary senator sergeant singer soldier
  solicitor songwriter sociologist specialist statistician stylist supervisor surgeon surveyor tailor teacher
  technician technologist technologist therapist trader trainer translator trucker tutor underwriter veterinarian vet
  videographer violinist vp waiter waitress warden welder woodworker writer zookeeper zoologist
`)

/** Titles that one person holds, so that "the" may stand before them. */
export const UNIQUE_TITLES = new RegExp(
  `\\b(?:${alternatives(`
      ceo | cto | cfo | coo | founder | co-?founder | director | president | vp | head | principal
      editor | manager | professor | chief | partner | secretary general
    `)})\\b`,
  'i',
)

export const isOccupation = (word: string): boolean => OCCUPATIONS.has(word.toLowerCase())

/** Words before an occupation that make it a skill, a hope or something past. */
export const NOT_AN_OCCUPATION = new RegExp(
  `\\b(${alternatives(`
      ai | virtual | digital | designated | amateur | aspiring | awful | bad | best | better | big
      born | budding | careful | casual | decent | dedicated | ex | failed | fake | fast | first
      former | frustrated | future | gifted | good | great | hobby | horrible | keen | lousy
      mediocre | natural | new | nice | old | passionate | poor | potential | pretty | proud | quick
      real(?! estate) | retired | second | self-proclaimed | slow | so-called | strong | talented
      terrible | top | wannabe | weekend | worse | worst | would-be | would | total | true | unpaid
      huge | role | super | guest | former | co-?author
      (?<!estate |insurance |travel |sales |literary |talent |customs )agent$ | soccer | football
      basketball | baseball | tennis | little | single | life
    `)})\\b`,
  'i',
)

/** Words for relatives, acquaintances and pets, with the last part of the fact's key. */
export const RELATIONS: Record<string, string> = Object.fromEntries(
  `
  sister brother mother father daughter son wife husband partner fiance=fiance fiancé=fiance fiancee=fiancee fiancée=fiancee
  girlfriend boyfriend spouse mom=mother mum=mother dad=father grandmother grandfather grandma=grandmother
  grandpa=grandfather granddaughter grandson aunt uncle cousin niece nephew stepmother stepfather stepsister
  stepbrother stepson stepdaughter mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law
  twin godmother godfather godson goddaughter
  friend colleague coworker co-worker=coworker boss manager mentor roommate flatmate housemate neighbor neighbour=neighbor
  therapist doctor dentist teacher coach landlord landlady assistant
  dog cat puppy=dog kitten=cat horse parrot rabbit hamster pony turtle tortoise goldfish
  `
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [word = '', key = word] = entry.split('=')
      return [word, key]
    }),
)
