import { alternatives } from '../../../../shared/text/alternatives.ts'
import {
  clausesOf,
  type FactRule,
  type PartialFact,
  RELATION,
  RELATION_ADJECTIVES,
  type Speaker,
} from './clause.ts'
import { NAME, parseName, withoutTitle } from './grammar.ts'
import { occasions } from './occasions.ts'
import { homes, names, relations, work } from './people.ts'
import { favourite, preferences } from './preferences.ts'
import { reminderIn } from './reminders.ts'
import { RELATIONS } from './words.ts'

const RULES: FactRule[] = [...names, ...homes, ...work, ...preferences, ...occasions, ...relations]

/** Reported speech or fiction: the sentence states nothing about its author. */
const REPORTED = new RegExp(
  `\\b(?:${alternatives(`
      said | says | saying | told | tells | asked | asks | wrote | writes | replied | answered
      claims? | claimed | quoted | quote | announced | insists | jok(?:e|es|ed|ing) | kidding
      pretend\\w* | lyrics? | dreamt | dreamed | fictional | fictitious | imagine | suppose
      supposing | hypothetical\\w* | for example | for instance | e\\.g\\. | role-?play\\w*
      in character | song goes | lie[sd]? | lying | rumou?rs? | translat(?:e|es|ed|ion) | sentence
      phrase | meaning of | as if | as though
    `)})\\b`,
  'i',
)
/** A statement after one of these may be untrue, or no longer true. */
const DOUBT = new RegExp(
  `\\b(?:${alternatives(`
      if | unless | whether | when | whenever | until | before | wish | wishes | wished | hope
      hopes | hoped | hoping | would | could | might | may | maybe | perhaps | possibly | probably
      supposedly | allegedly | apparently | not sure | unsure | doubt | think | thinks | thought
      believe | believes | believed | guess | guessed | assume | assumed | seems? | seemed
      feels? like | almost | nearly | used to | formerly | previously | once | never | neither | nor
      not | like when | remember when | back when | as a (?:kid|child|teen\\w*|student) | growing up
      years ago | at the time | back then | in those days | last (?:year|summer|century) | dream\\w*
      want | wants | wanted | plan\\w* | considering | thinking | going to | gonna | will | should
      shall | which | who | whose | where | what | how | why | character | actor | movie | films?
      novel | series | episode | tale | book | game | story | joke | even though they | opposite
    `)})\\b`,
  'i',
)
/** After a statement these revoke it. */
const REVOKED = new RegExp(
  `\\b(?:${alternatives(`
      no longer | no more | any ?more | (?:and |, )then (?:to|on|back) | but now
      not (?:really|true|anymore|any more) | just kidding | until | back then | at the time
      in those days | in my (?:dreams?|head|mind|next life|past life)
      as a (?:kid|child|teen\\w*|joke) | when I was | when i was | used to
      next (?:year|month|week|summer|spring|autumn|fall|winter)
      in the (?:future|past|game|movie|book|story|novel|film|dream) | if | supposedly | allegedly
      for now,? but | but not | or not | or (?:at least|something) | sometimes | would
    `)})\\b|\\bI (?:think|guess|believe|suppose|hope)\\s*$`,
  'i',
)

/** A blanked quotation may be the object of the statement. */
const QUOTED_NEXT = /^\s*\u0000/

/** The comma in "a safe, quiet place" does not end the phrase. */
const CONTINUES = /^, [\p{Ll}-]+ \p{Ll}/u

/** A home is one of several, or temporary. */
const NOT_PERMANENT = new RegExp(
  `^ (?:${alternatives(`
      (?:and|or) (?!I\\b)\\p{Lu} | or so | (?:for )?(?:part|half|most) of
      for (?:the (?!last|past)|(?:an?|this|now|\\d+|two|three|four|five|six)\\b) | during
      temporarily | on (?:and|week) | in (?:the )?(?:summer|winter)
    `)})`,
  'u',
)

/** Openings that do not change the meaning of the sentence. */
const LEAD = new RegExp(
  `^(?:(?:${alternatives(`
      (?:hi|hello|hey|thanks|thank you|wow|oh),? (?:there|everyone|all|again|everybody|\\p{Lu}\\p{Ll}+(?=[,!.:]))
      hi | hello | hey | heya | greetings | good (?:morning|evening|afternoon) | well | so | yes
      yeah | yep | yup | no | nope | nah | oh | ah | wow | ok | okay | btw | by the way | actually
      currently | also | and | but | fyi | note | note that | please note that | please note
      please remember that | please remember | remember that | just so you know | as you know
      you should know that | you should know | for the record | for your information | these days
      right now | now | today | nowadays | in fact | honestly | personally | anyway | besides
      thanks | thank you | lol | haha | ps | p\\.s\\. | sure | of course | absolutely | definitely
      for me | me too | update | first of all | one more thing | about me | me | me personally
      as of (?:today|now)
      since (?:last )?(?:\\d{4}|\\w+ \\d{4}|week|month|year|monday|january|february|march|april|may|june|july|august|september|october|november|december)
      \\p{Lu}\\p{Ll}+(?=,)
    `)})[,:!.\\s–—-]+)+`,
  'iu',
)
/** A past state does not put the next clause in doubt: "I don't live in Rome anymore, I live in Graz". */
const NO_LONGER =
  /^(?:I|we) (?:(?:do|am|are) not [^,;:]+ any ?more|(?:am |are )?no longer [^,;:]+)$/i
/** Where a new clause may begin. */
const JOINT =
  /[,;:–—] +(?:(?:and|but|so|because|since|also|plus|while|as) )?|\s(?:and|but|so|because|since|plus|while) /g
const MAX_JOINTS = 12

/** Expands contractions, so that the rules need one form only. */
const expandContractions = (sentence: string): string =>
  sentence
    .replace(/\b([Ii])'m\b/g, '$1 am')
    .replace(/\b([Ii]|[Ww]e|[Tt]hey|[Yy]ou)'ve\b/g, '$1 have')
    .replace(/\b([Ww]e|[Tt]hey|[Yy]ou)'re\b/g, '$1 are')
    .replace(/\b([Ii]|[Ww]e)'d like\b/g, '$1 would like')
    .replace(/\b([Cc])an(?:'t|not)\b/g, '$1an not')
    .replace(/\b([Ww])on't\b/g, '$1ill not')
    .replace(/n't\b/g, ' not')
    .replace(/\b([Mm]y (?:\w+ )?(?:name|birthday|anniversary))'s\b/g, '$1 is')
    .replace(/^[Dd]ont /, 'do not ')

// Reads at most 400 characters: a sentence.
const INTRODUCED = new RegExp(
  `^(?:I am|I'm|this is|This is|it is|It is) (?<name>${NAME})(?=$|[,.!]| and I | from | by the way| here$)`,
  'u',
)
// Reads at most 400 characters: a sentence.
const CALLED = new RegExp(
  `^(?:[Pp]lease |[Yy]ou (?:can|may) |[Jj]ust |[Ee]very(?:one|body) |(?:[Mm]y )?(?:[Ff]riends|[Pp]eople|[Ff]amily) (?:all |just |also )?|[Mm]y friends and family ){0,2}[Cc]alls? me (?<name>${NAME})(?=$|[,.!]| for short| instead| and I | please)`,
  'u',
)
const GREETING = /^(?:hi|hello|hey|heya|greetings|good (?:morning|evening|afternoon))\b/i
const RELATIVE = `${RELATION_ADJECTIVES}(?<word>${RELATION})`
// Reads at most 400 characters: a sentence.
const MY_RELATIVE = new RegExp(
  `(?:^|[^\\p{L}\\p{M}'-])(?:[Mm]y|[Oo]ur) ${RELATIVE} (?<name>${NAME})`,
  'gu',
)
// Reads at most 400 characters: a sentence.
const THEIR_RELATIVE = new RegExp(
  `(?:^|[\\s,;])(?<whose>${NAME.replace('{0,3}', '{0,1}')})'s ${RELATIVE} (?<name>${NAME})`,
  'gu',
)
// Reads at most 400 characters: a sentence.
const IS_MY_RELATIVE = new RegExp(
  `^(?<name>${NAME}),? (?:is|are) (?:[Mm]y|[Oo]ur) ${RELATIVE}(?=$|[,.!;]| and | who | from | but )`,
  'u',
)
const IS_FAVOURITE =
  /^(?<value>[\p{L}][\p{L}' -]{1,40}?) (?:is|are) (?:definitely |by far |still )?my (?:all-time |absolute )?favou?rite (?<thing>[\p{L}-]+(?: [\p{L}-]+)?)(?=$|[,.!;]| and | because | since )/u
const NOT_A_VALUE = new RegExp(
  `^(?:${alternatives(`
      it | this | that | these | those | they | he | she | what | which | who | one | some | both
      here | there | the | my | your | his | her | their | our | everything | nothing | mine | yours
      such | definitely | now | so | and | but
    `)})\\b`,
  'i',
)

/** The facts of one sentence; none if it is in doubt. */
export const englishFacts = (text: string, speaker: Speaker): PartialFact[] => {
  if (!/\p{Ll}/u.test(text)) return []
  const sentence = expandContractions(text)
  const opening = LEAD.exec(sentence)?.[0] ?? ''
  const reminders = [sentence, sentence.slice(opening.length)].map((request) =>
    reminderIn(request, speaker),
  )
  const reminder = reminders.find((found) => found.length > 0)
  if (reminder) return reminder
  if (REPORTED.test(sentence)) return []
  // Reads at most 400 characters: a sentence.
  const stated = withoutQuestion(sentence).replace(/(?<![.!\s])[.!\s]+$/, '')
  return [
    ...(stated ? splitClauses(stated).flatMap((clause) => factsOf(clause, opening, speaker)) : []),
    ...relativesIn(sentence, speaker),
  ]
}

/** The statement before a question: "I'm Ada, what's your name?" */
const withoutQuestion = (sentence: string): string => {
  if (!sentence.trimEnd().endsWith('?')) return sentence
  const question = sentence.search(
    // Reads at most 400 characters: a sentence.
    /,? (?:and|but) (?:you|what|how|where|who)\b[^,]*\?|, (?:what|how|where|who)\b[^,]*\?/i,
  )
  return question < 0 ? '' : sentence.slice(0, question)
}

interface ClauseText {
  text: string
  isFirst: boolean
}

const splitClauses = (sentence: string): ClauseText[] => {
  const lead = LEAD.exec(sentence)?.[0].length ?? 0
  const starts = [...(lead ? [0] : []), lead]
  for (const { index, 0: joint } of sentence.matchAll(JOINT)) {
    const at = index + joint.length
    if (
      starts.length < MAX_JOINTS &&
      at > lead &&
      !DOUBT.test(sentence.slice(0, index).replace(NO_LONGER, '')) &&
      !/:/.test(joint)
    )
      starts.push(at)
  }
  return starts.map((at) => {
    const text = sentence.slice(at)
    return { text: at > lead ? text.replace(LEAD, '') : text, isFirst: at <= lead }
  })
}

const factsOf = (
  { text, isFirst }: ClauseText,
  opening: string,
  speaker: Speaker,
): PartialFact[] => {
  const found = [
    ...(isFirst ? introduction(text, opening, speaker) : []),
    ...clausesOf(text, speaker).flatMap((statement): PartialFact[] => {
      for (const { form, isPossessive, read } of RULES) {
        if (isPossessive !== statement.isPossessive) continue
        const match = form[statement.person].exec(statement.rest)
        if (!match) continue
        const after = statement.rest.slice(match[0].length)
        if (QUOTED_NEXT.test(after)) continue
        const tail = after.split(/[;!]|, (?:and|but|so|because) /)[0] ?? ''
        if (REVOKED.test(`${match[0]} ${tail}`)) continue
        const partials = read(match.groups ?? {}, speaker).filter(
          ({ kind, value }) =>
            !(CONTINUES.test(after) && / an? /.test(value)) &&
            !(kind === 'home' && NOT_PERMANENT.test(after)),
        )
        if (partials.length > 0)
          return partials.map((partial) => ({ subject: statement.subject, ...partial }))
      }
      return []
    }),
    ...favouriteOf(text, speaker),
    ...relativeFrom(IS_MY_RELATIVE.exec(text), speaker.name),
  ]
  return found
}

const introduction = (text: string, opening: string, { name }: Speaker): PartialFact[] => {
  const called = parseName(CALLED.exec(text)?.groups?.name ?? '')
  if (called) return [{ kind: 'name', subject: name, key: 'nickname', value: called }]
  const introduced = INTRODUCED.exec(text)
  const value = withoutTitle(parseName(introduced?.groups?.name ?? '') ?? '')
  if (!value) return []
  const isSelf = text.startsWith('I ')
  const isSure =
    GREETING.test(opening) || (isSelf && value.includes(' ') && introduced?.[0] === text)
  return isSure && (isSelf || GREETING.test(opening))
    ? [{ kind: 'name', subject: name, key: 'name', value }]
    : []
}

const favouriteOf = (text: string, { name }: Speaker): PartialFact[] => {
  const { value = '', thing = '' } = IS_FAVOURITE.exec(text)?.groups ?? {}
  if (!value || NOT_A_VALUE.test(value) || value.split(' ').length > 4) return []
  return favourite(thing, value).map((partial) => ({ subject: name, ...partial }))
}

/** "My sister Ana" states her name even in a doubtful sentence. */
const relativesIn = (sentence: string, { name }: Speaker): PartialFact[] => [
  ...[...sentence.matchAll(MY_RELATIVE)].flatMap((match) => relativeFrom(match, name)),
  ...[...sentence.matchAll(THEIR_RELATIVE)].flatMap((match) =>
    relativeFrom(match, parseName(match.groups?.whose ?? '')),
  ),
]

const relativeFrom = (
  match: RegExpExecArray | null,
  subject: string | undefined,
): PartialFact[] => {
  const value = parseName(match?.groups?.name ?? '')
  const relation = RELATIONS[match?.groups?.word ?? '']
  return value && relation && subject
    ? [{ kind: 'relation', subject, key: `relation.${relation}`, value }]
    : []
}
