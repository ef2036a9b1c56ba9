import { alternatives } from '../../../../shared/text/alternatives.ts'

/** A sentence. In `text`, quotations and code are blanked out; `quote` is as in the original. */
interface Sentence {
  text: string
  quote: string
}

/** Longer ones are lists, logs or code. The limit bounds the time of the patterns. */
const MAX_SENTENCE = 400
/** A line longer than this may have been wrapped, so that its sentence continues on the next. */
const WRAPPED_LINE = 60
/** Replaces each character of quoted text. No pattern matches across it. */
const BLANK = '\u0000'
const IS_WRITTEN = /[^\0\s]/

/** Text of other authors, and code: email replies, quotations, URLs, tags. */
const NOT_OWN = [
  /^[ \t]*>.*$/gm,
  /^(?: {4}|\t).*$/gm,
  /`[^`\n]*`/g,
  /"[^"\n]*("|$)/gm,
  /[“„«][^”“»\n]*([”“»]|$)/gm,
  /(?<![\p{L}\d])['‘][^'‘’\n]{3,}['’](?![\p{L}\d])/gu,
  /\((?!(?:since|for|near) )[^()\n]*\)/g,
  /<[^<>\n]{1,200}>/g,
  /https?:\/\/\S+/g,
]

/** Followed by a colon, these introduce material that states nothing about its author. */
const MATERIAL = new RegExp(
  `\\b(?:${alternatives(`
      translate | rewrite | rephrase | paraphrase | proofread | summari[sz]e | edit | correct | fix
      classify | analy[sz]e | complete | continue | read | review | improve | explain | write
      draft | compose | generate | role-?play | pretend | imagine | act as | übersetze? | traduce
      traduis | traduisez | lyrics? | script | dialogue | transcript | poem | story | novel
      chapter | essay | letter | template | example | sample | excerpt | scene | character | persona
      prompt
    `)})\\b`,
  'gi',
)
/** Maximal distance between the word and its colon, in characters. */
const MATERIAL_REACH = 200

/** "Ada:" before a statement of Ada in a transcript, or "Note:" before the author's own. */
const LABEL = /^([ \t]*)(\p{L}[\p{L}\p{M} .'-]{0,30}):[ \t]+/u
/** Starts role-play or fiction. */
const ROLE = new RegExp(
  `\\b(?:${alternatives(`
      act as | acting as | behave as | pretend | imagine (?:that|you|i) | role-?play | let'?s play
      in character | you are an? (?!\\w+ (?:friend|person)\\b) | once upon a time | chapter \\d
    `)})\\b`,
  'i',
)
const OWN_LABEL = new RegExp(
  `^(${alternatives(`
      me | i | user | human | note | notes | note to self | fyi | btw | ps | about me | fact | info
      memory | remember | reminder | todo | to do | to-do | update | home | work | name
    `)})$`,
  'i',
)
const SPEAKER = /^(user|human|assistant|ai|bot|system|model|chatgpt|gpt(-\S+)?|claude|gemini)$/i
const BULLET = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+/
const DECORATION = /[*_#]{1,6}(?=\S)|(?<=\S)[*_]{1,3}/g

/** A full stop after an abbreviation does not end the sentence. */
const ABBREVIATION = new RegExp(
  `(?:^|[\\s.])(?:${alternatives(`
      Dr | Mr | Mrs | Ms | St | Ste | Prof | Jr | Sr | No | vs | etc | e\\.g | i\\.e | U\\.S | a\\.m
      p\\.m | Inc | Ltd | Co | Nr | Str | Sra? | \\p{L} | \\d{1,2}
    `)})\\.\\s*$`,
  'u',
)

/** A greeting belongs to the next sentence, which may introduce the author. */
const GREETING =
  /^\s*(?:hi|hello|hey|heya|good (?:morning|evening|afternoon))(?:,? \p{L}+){0,2}[!.]+\s*$/iu
const JOINS_NEXT = [ABBREVIATION, GREETING]

const blank = (found: string) => BLANK.repeat(found.length)
const space = (found: string) => ' '.repeat(found.length)

/** The label of a task is kept: it makes the text a reminder. */
const unlessTask = (found: string) =>
  /to-? ?do|reminder|note to self/i.test(found) ? found : space(found)

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * The sentences of a text that its author states in the first person.
 * @param author lines labelled with this name are the author's own.
 */
export function* sentencesIn(text: string, author: string | null): Generator<Sentence> {
  const from = [materialIn(text), text.search(ROLE)].filter((at) => at >= 0)
  const own = text.slice(0, Math.min(text.length, ...from))
  const masked = NOT_OWN.reduce((rest, pattern) => rest.replace(pattern, mask), withoutFences(own))
  for (const { start, body } of paragraphs(masked, author)) {
    if (!IS_WRITTEN.test(body)) continue
    for (const { from, to } of segments(body))
      yield { text: tidy(body.slice(from, to)), quote: text.slice(start + from, start + to).trim() }
  }
}

/** The index of the word that introduces material; -1 if there is none. */
const materialIn = (text: string): number => {
  let start = 0
  for (const clause of text.split(/[.!?\n]/)) {
    const colons = Array.from(clause.matchAll(/:/g), ({ index }) => index).filter((index) =>
      /^\s?$/.test(text[start + index + 1] ?? ''),
    )
    let next = 0
    for (const { 0: word, index } of colons.length ? clause.matchAll(MATERIAL) : []) {
      const end = index + word.length
      while ((colons[next] ?? Number.POSITIVE_INFINITY) < end) next++
      if ((colons[next] ?? Number.POSITIVE_INFINITY) - end <= MATERIAL_REACH) return start + index
    }
    start += clause.length + 1
  }
  return -1
}

const FENCE = /^[ \t]*(`{3,16}|~{3,16})/

/** Blanks out fenced code; an unclosed fence extends to the end. */
const withoutFences = (text: string): string => {
  let open: string | undefined
  return text
    .split('\n')
    .map((line) => {
      const fence = FENCE.exec(line)?.[1]
      const isCode = open !== undefined || fence !== undefined
      if (open === undefined) open = fence
      else if (fence?.startsWith(open)) open = undefined
      return isCode ? blank(line) : line
    })
    .join('\n')
}

/** Blanks a match but keeps its line ends. */
const mask = (found: string) => found.split('\n').map(blank).join('\n')

/** Joins wrapped lines, without changing the length of the text. */
const paragraphs = (text: string, author: string | null) => {
  const found: { start: number; body: string }[] = []
  let start = 0
  let isOpen = false
  let isOwn = true
  const lines = text.split('\n')
  const appliesToNext = isTranscript(lines.flatMap((line) => labelOf(line) ?? []))
  for (const line of lines) {
    const last = found.at(-1)
    const label = labelOf(line)
    if (label || !appliesToNext) isOwn = !label || OWN_LABEL.test(label) || label === author
    const body = isOwn ? line.replace(BULLET, space).replace(LABEL, unlessTask) : blank(line)
    if (last && isOpen && isOwn && !BULLET.test(line) && !LABEL.test(line)) last.body += ` ${body}`
    else found.push({ start, body })
    start += line.length + 1
    isOpen = line.length > WRAPPED_LINE && !/[.!?:][ \t\r]*$/.test(line)
  }
  return found
}

const labelOf = (line: string) => line.replace(BULLET, '').match(LABEL)?.[2]?.trim()

/** In a transcript a label applies to all lines up to the next; in notes to its own line. */
const isTranscript = (labels: string[]): boolean =>
  new Set(labels).size < labels.length || labels.some((label) => SPEAKER.test(label))

const segments = (body: string) => {
  const found: { from: number; to: number }[] = []
  for (const { index, segment } of segmenter.segment(body)) {
    const last = found.at(-1)
    const to = index + segment.length
    if (
      last &&
      to - last.from <= MAX_SENTENCE &&
      JOINS_NEXT.some((pattern) => pattern.test(body.slice(last.from, last.to).slice(-40)))
    )
      last.to = to
    else found.push({ from: index, to })
  }
  return found.filter(({ from, to }) => to - from <= MAX_SENTENCE)
}

const tidy = (sentence: string): string =>
  sentence
    .replace(/[’ʼ]/g, "'")
    .replace(DECORATION, '')
    .replace(/\([^()]*\)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ --? /g, ' – ')
    .trim()
