import { alternatives } from '../../../shared/text/alternatives.ts'
/** Matches whole words, in languages with spaces. */
export const wholeWords = (...alternatives: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${alternatives.join('|')})(?![\\p{L}\\p{M}])`, 'iu')

/** First person singular in English, German, Spanish, French, Chinese and Japanese. */
const FIRST_PERSON = new RegExp(
  `${
    wholeWords(
      'i|me|my|mine|myself',
      'ich|mich|mir|mein|meine|meinem|meinen|meiner|meines',
      'yo|mi|mis|mí|mío|mía|conmigo',
      'je|j|moi|mon|ma|mes',
    ).source
  }|我|私|僕|俺|わたし|ぼく`,
  'giu',
)
/** More words in the first person say no more about a text. */
const MAX_FIRST_PERSONS = 3

/** How many words of the first 8,000 characters are in the first person, at most 3. */
export const countFirstPersons = (text: string): number => {
  const words = text.slice(0, MAX_CHARACTERS).matchAll(FIRST_PERSON)
  return words.take(MAX_FIRST_PERSONS).toArray().length
}

/** A longer text is read up to here. */
const MAX_CHARACTERS = 8_000

const ENGLISH_ADVERB = alternatives(`
      really | always | usually | generally | typically | mostly | also | just | still | strongly
      absolutely | definitely | honestly | actually | particularly | very | much | rather | quite
      strictly | severely | deeply | never | rarely | only
    `)
const ENGLISH_NOT = "(?:do|does|can|could|would|will) ?not|(?:do|does|ca|could|wo)n['’]t"
/** The user's attitudes and habits, also where a program wrote them down. */
const ENGLISH_PREFERENCE = [
  `(?:i|(?:the )?user) (?:(?:${ENGLISH_ADVERB}|do|can|have|${ENGLISH_NOT}) ){0,3}(?:${alternatives(`
      prefer | love | hate | dislike | avoid | enjoy | adore | detest | despise | loathe | refuse
      favou?r | value | prioriti[sz]e | like
    `)})s?`,
  `(?:i['’]m|(?:i|(?:the )?user) (?:am|is)|i['’]ve been|i have been) (?:(?:${alternatives(`
      ${ENGLISH_ADVERB} | not | an? | the | big | huge | great | strict | lifelong | committed
    `)}) ){0,4}(?:${alternatives(`
      allergic | intolerant | sensitive to | vegan | vegetarian | pescatarian | fan | fond of
      keen on | into | passionate | interested in | afraid of | scared of | uncomfortable
      opposed to | committed to
    `)})`,
  `(?:i|(?:the )?user) (?:have|has) (?:an?|the|no) (?:(?:strong|deep|severe|clear|slight|mild) )?(?:${alternatives(`
      preference | aversion | phobia | allergy | intolerance | dislike | fear | soft spot
    `)})`,
  `(?:i|(?:the )?user) (?:(?:only|never|always|rarely|exclusively|strictly|hardly ever) \\p{L}{2,20}|(?:${ENGLISH_NOT}) (?:${alternatives(`
      eat | drink | use | wear | watch | read | buy | want | stand | bear | tolerate | sleep | do
      eat
    `)}))`,
  "(?:i['’]d|i would) (?:much )?rather",
  'my (?:(?:strong|personal|clear|general) )?preferences?|my (?:all-time )?favou?rite',
]
const GERMAN_PREFERENCE = [
  `ich (?:(?:wirklich|sehr|immer|meist|auch) ){0,2}(?:${alternatives(`
      bevorzuge | liebe | hasse | mag | vermeide | meide | verabscheue | lehne | ziehe
    `)})`,
  `ich (?:${alternatives(`
      esse | trinke | nutze | benutze | verwende | trage | kaufe | lese | schaue | höre | reise
      fliege | fahre
    `)}) (?:${alternatives(`
      nie | niemals | nur | immer | lieber | ungern | gerne? | keine?n? | ausschließlich
      am liebsten
    `)})`,
  `ich bin (?:(?:${alternatives(`
      sehr | strikt | streng | überzeugte?r? | ein | eine | kein | keine | großer | große
    `)}) ){0,3}(?:allergisch|veganer(?:in)?|vegetarier(?:in)?|fan)`,
  'ich (?:habe|hab) (?:eine |große )?(?:abneigung|angst vor|allergie|vorliebe|unverträglichkeit)',
  'ich kann (?:\\p{L}{2,20} ){1,3}(?:nicht (?:leiden|ausstehen|ertragen)|nicht vertragen)',
  'meine? lieblings\\p{L}{2,30}',
]
const SPANISH_PREFERENCE = [
  'prefiero|odio|detesto|evito|adoro|me (?:gustan?|encantan?|disgustan?|molestan?|apasionan?)',
  'soy (?:muy )?(?:alérgic[oa]|vegan[oa]|vegetarian[oa]|intolerante|fan|aficionad[oa])',
  'no (?:como|bebo|uso|soporto|tolero|aguanto)|(?:siempre|nunca|solo|sólo) (?:como|bebo|uso|leo|viajo|compro|llevo)',
  'mis? \\p{L}{2,30} (?:favorit[oa]s?|preferid[oa]s?)',
]
const FRENCH_PREFERENCE = [
  "je préfère|j['’](?:adore|aime|évite|apprécie)|je (?:déteste|hais|refuse)|je n['’]aime (?:pas|guère)",
  "je suis (?:très )?(?:allergique|végane?|végétarien(?:ne)?|intolérante?|fan|passionnée?)|j['’]ai horreur",
  'je ne (?:mange|bois|supporte|porte|lis|regarde|prends|tolère) (?:pas|jamais|que|plus)',
  '(?:mon|ma|mes) \\p{L}{2,30} préférée?s?',
]
const PREFERENCE = wholeWords(
  ...ENGLISH_PREFERENCE,
  ...GERMAN_PREFERENCE,
  ...SPANISH_PREFERENCE,
  ...FRENCH_PREFERENCE,
)
const UNSPACED_PREFERENCE = new RegExp(
  alternatives(`
      我.{0,4}(?:喜欢|喜歡|讨厌|討厭|偏好|偏爱|热爱|避免|从不|從不|过敏|過敏|吃素|害怕|更愿意) | 我(?:只|总是|不)(?:吃|喝|用|看|穿|坐|买) | 好きです
      嫌いです | 苦手です | 好みます | アレルギーが | お気に入り | 避けてい | 大好き | 大嫌い | のほうが好き
    `),
  'u',
)

/** Begins a sentence that tells what to do from now on. */
const INSTRUCTION = new RegExp(
  `(?:^|[.!?\\n] {0,3})(?:${[
    "(?:please )?(?:always|never|from now on|make sure|be sure to|remember to|keep in mind|whenever i|(?:do not|don['’]t) (?:ever|use|suggest|recommend|mention|include|give|call|ask|show|write|add|book)|avoid|call me|address me)",
    'please (?:use|keep|answer|reply|write|show)',
    '(?:bitte )?(?:immer|nie|niemals|stets|ab jetzt|von nun an|achte darauf|nenne? mich)',
    '(?:bitte )?\\p{L}{2,20} (?:mir |mich |dabei |bitte )?(?:immer|niemals|stets)',
    '(?:por favor,? )?(?:siempre|nunca|jamás|a partir de ahora|asegúrate|no olvides|evita|llámame)',
    '(?:toujours|jamais|ne \\p{L}{2,20} jamais|à partir de maintenant|assure-toi|évite|appelle-moi|\\p{L}{2,20} toujours)',
  ].join('|')})(?![\\p{L}\\p{M}])`,
  'iu',
)
const UNSPACED_INSTRUCTION =
  /(?:^|[。！？\n])(?:请|請)?(?:总是|總是|始终|永远|务必|千万|不要|以后|今后|从现在起)|必ず|常に|絶対に|決して|今後は/u

const RULES = [PREFERENCE, UNSPACED_PREFERENCE, INSTRUCTION, UNSPACED_INSTRUCTION]

/**
 * Whether the first 8,000 characters of a text state a preference or an instruction, which holds for later
 * requests, too: in English, German, Spanish, French, Chinese and Japanese.
 */
export const isStanding = (text: string): boolean => {
  const read = text.slice(0, MAX_CHARACTERS)
  return RULES.some((rule) => rule.test(read))
}
