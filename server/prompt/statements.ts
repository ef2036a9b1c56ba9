import { MAX_TEXT_LENGTH } from '../../shared/contract/common.ts'
import { alternatives } from '../../shared/text/alternatives.ts'

/** How a language with spaces asks: alternatives of regular expressions. */
interface RequestWords {
  /** Words that begin a question. */
  question: string
  /** Words before the verb of a polite request. */
  polite: string
  /** Verbs that ask for an answer only, however long their object is. */
  answer: string
  /** Beginnings of verbs that introduce a fact or a preference: the text after them is worth remembering. */
  keep: string
  /** Words before a clause that states a fact beside the request. */
  reason: string
  /** Words after a comma that begin such a clause. */
  own: string
}

const requestWords: RequestWords[] = [
  {
    question: `what|who|whose|whom|where|which|why|how|tell me|show me|(?:can|could|would|do) you|please`,
    polite: `please|kindly|(?:can|could|would|will) you`,
    answer: alternatives(`
        summari[sz]e | sum up | explain | describe | translate | define | compare | recap
        paraphrase | rephrase | rewrite | proofread | recommend | suggest | calculate | brainstorm
        (?:tell|show|give|help|find) me
        (?:list|find|outline) (?:all|every|everything|my|our|the|what|some|me)
        (?:write|draft|create|make|generate)(?: me)? (?:a|an|some|the)
      `),
    keep: alternatives(`
        remember | remind | note | keep | save | store | record | bear | know | call me | don['’]t
        do not | never | always | be | use | answer | speak | consider
      `),
    reason: `because|since|so that`,
    own: `i|we|my|our`,
  },
  {
    question: `wer|wen|wem|wessen|wo|wohin|woher|wann|warum|wieso|weshalb|wie|welche[mnrs]?`,
    polite: `bitte|(?:kannst|könntest|würdest) du|(?:können|könnten|würden) sie`,
    answer: `(?:${alternatives(`
        fasse? | erkläre? | beschreibe? | übersetze? | definiere? | vergleiche? | formuliere
        berechne
      `)})(?:n sie)?|empfiehl|empfehlen sie|(?:sage?|zeige?|gib|nenne?|erzähle?|hilf|schlage?|liste)(?:n sie)? (?:mir|uns|alle)|schreibe? (?:mir )?ein(?:e|en)?`,
    keep: alternatives(`
        merk | erinner | notier | vergiss | denk | behalt | speicher | nenne? mich | nicht | nie
        immer | sei | antworte | verwende | benutze | sprich
      `),
    reason: `weil|damit|da ich`,
    own: `ich|wir|meine?`,
  },
  {
    question: `qué|quién(?:es)?|a?dónde|cuándo|cómo|por qué|cuál(?:es)?|cuánt[oa]s?`,
    polite: `por favor|puedes?|podrías?`,
    answer: `(?:${alternatives(`
        resum[ae] | expli(?:ca|que) | descri(?:be|ba) | tradu(?:ce|zca) | defin[ae] | enumer[ae]
        compar[ae] | recomiend[ae] | sugier[ae] | calcul[ae]
      `)})|(?:${alternatives(`
        resumir | explicar | describir | traducir | definir | enumerar | comparar | recomendar
        sugerir | calcular
      `)})(?:me|nos)?|(?:${alternatives(`
        resúme | explíca | descríbe | tradúce | recomiénda | sugiére | di | da | muéstra | cuénta
        ayúda | escríbe | haz
      `)})(?:me|nos)|(?:escrib[ae]|haz) una?`,
    keep: `recuerd|recuérd|recordar|anot|guard|apunt|ten en|no\\b|nunca|siempre|llámame|usa|responde|habla`,
    reason: `porque|ya que|para que`,
    own: `mi|soy|tengo|vivo`,
  },
  {
    question: `où|qui|quand|comment|pourquoi|quel(?:le)?s?|combien|est-ce que?|qu['’]est-ce que?`,
    polite: `s['’]il (?:te|vous) pla[iî]t|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|merci de|veuillez`,
    answer: alternatives(`
      (?:résume|explique|compare|recommande|propose|calcule)[rz]?(?:-moi|-nous)?
      (?:décri(?:s|vez|re)|tradui(?:s|sez|re)|défini(?:s|ssez|r)|énum(?:ère|érez|érer)|sugg(?:ère|érez|érer))(?:-moi|-nous)?
      (?:dis|dites|montrez?|donnez?|racontez?|aidez?|écri(?:s|vez))-(?:moi|nous)
      (?:écri(?:s|vez|re)|rédige[rz]?) une?
    `),
    keep: alternatives(`
        souven | souvien | retien | reten | note | rappel | n['’]oubli | gard | enregistr | mémoris
        appelle | ne\\b | utilis | répon | parle
      `),
    reason: `parce que?|puisque?|afin|car`,
    own: `je|mon|ma|mes|nous`,
  },
]

/** Chinese: the verb is at the beginning. Japanese: at the end. */
const CHINESE_REQUEST = new RegExp(
  `^(?:请|請|麻烦|麻煩|你|帮我|幫我|给我|給我|能不能|可以)*(?:${alternatives(`
      总结 | 總結 | 概括 | 解释 | 解釋 | 说明 | 說明 | 翻译 | 翻譯 | 列出 | 列举 | 列舉 | 告诉我 | 告訴我 | 描述 | 比较 | 比較 | 推荐 | 推薦
      介绍 | 介紹 | 写一 | 寫一
    `)})`,
)
const JAPANESE_REQUEST =
  /(?:要約し|説明し|翻訳し|比較し|列挙し|紹介し|提案し|まとめ|教え|書い|作っ)て(?:ください|下さい|くれ|くれる|もらえる|ほしい|ね)?[。．！!\s]*$/

const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Content words: shorter ones are mostly function words. */
const LONG_WORDS = /[\p{L}\p{N}]{4,}/gu
/** Scripts without spaces are compared by pairs of characters. */
const UNSPACED_RUNS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/gu
const COMPARED_CHARS = 200_000
/** An answer adds information when at least so many of its content words are new, */
const MIN_NEW_WORDS = 8
/** and they are at least this share of them. */
const MIN_NEW_SHARE = 0.4

/** Content blocks beyond the length of a message are not checked. */
const CHECKED_CHARS = MAX_TEXT_LENGTH

export const countWords = (text: string): number =>
  [...wordSegmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length

const contentWords = (text: string): Set<string> => {
  const lower = text.slice(0, COMPARED_CHARS).toLowerCase()
  const unspaced = lower.match(UNSPACED_RUNS) ?? []
  const spaced = lower.replace(UNSPACED_RUNS, ' ').match(LONG_WORDS) ?? []
  return new Set([...spaced, ...unspaced.flatMap(characterPairs)])
}

const characterPairs = (run: string): string[] =>
  Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2))

const QUESTION_END = /[?\u037E\u061F\uFF1F][\s"'”’»)]*$/
const MAX_UNMARKED_QUESTION_WORDS = 12

const anyOf = (kind: keyof RequestWords): string =>
  `(?:${requestWords.map((words) => words[kind]).join('|')})`

/** The start of a question or request, for those written without a question mark. */
const QUESTION_START = new RegExp(`^${anyOf('question')}(?!\\p{L})`, 'iu')
const ASKS_FOR_ANSWER = new RegExp(
  `^(?:${anyOf('polite')}[, ]+){0,2}${anyOf('answer')}(?!\\p{L})`,
  'iu',
)
const IS_POLITE = new RegExp(`^${anyOf('polite')}(?!\\p{L})`, 'iu')
const ASKS_TO_KEEP = new RegExp(`^(?:${anyOf('polite')}[, ]+){1,2}${anyOf('keep')}`, 'iu')
const STATES_FACT = new RegExp(
  `(?:(?<!\\p{L})${anyOf('reason')}|[,;:]\\s${anyOf('own')})(?!\\p{L})`,
  'iu',
)

const MAX_POLITE_REQUEST_WORDS = 12
const MAX_REQUEST_WORDS = 40

/** Whether a sentence of so many words only asks for something, so that there is nothing to remember. */
const isRequestSentence = (sentence: string, words: number): boolean => {
  if (words > MAX_REQUEST_WORDS || STATES_FACT.test(sentence) || ASKS_TO_KEEP.test(sentence))
    return false
  const asks = [ASKS_FOR_ANSWER, CHINESE_REQUEST, JAPANESE_REQUEST]
  if (asks.some((pattern) => pattern.test(sentence))) return true
  return words <= MAX_POLITE_REQUEST_WORDS && IS_POLITE.test(sentence)
}

/**
 * Whether a message contains more than questions, requests and greetings. Those hold nothing to recall,
 * and as memories they would rank above their own answers.
 */
export const containsStatement = (message: string): boolean => {
  const text = message.trim().slice(0, CHECKED_CHARS)
  const count = countWords(text)
  if (count < 2) return false
  if (count <= MAX_UNMARKED_QUESTION_WORDS && QUESTION_START.test(text) && !/[.!]$/.test(text))
    return false
  return [...sentenceSegmenter.segment(text)].some(({ segment }) => {
    const sentence = segment.trim()
    const words = countWords(sentence)
    return words > 1 && !QUESTION_END.test(sentence) && !isRequestSentence(sentence, words)
  })
}

/**
 * Whether an answer contains enough words that its sources do not. An answer that only repeats memories
 * is not worth one of its own: recall would return both.
 */
export const addsInformation = (answer: string, sources: string[]): boolean => {
  const words = contentWords(answer)
  const known = contentWords(sources.join('\n'))
  const added = words.difference(known).size
  return added >= MIN_NEW_WORDS && added >= words.size * MIN_NEW_SHARE
}
