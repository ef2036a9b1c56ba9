/** A sentence with its place in the text. What must not be read is blanked out in `text`. */
export interface Sentence {
  text: string
  quote: string
}

/** Longer ones are lists, logs or code, and patterns stay quick on what is short. */
const MAX_SENTENCE = 400
/** A line shorter than this ends where its author ended it; a longer one may have been wrapped. */
const WRAPPED_LINE = 60
/** Stands where quoted text stood, so that nothing is read across it. */
const BLANK = '\u0000'

/** Words of somebody else, or no words: code, replies to mail, quotations, addresses, tags. */
const NOT_OWN = [
  /^[ \t]*(`{3,16}|~{3,16})[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm,
  /^[ \t]*>.*$/gm,
  /^(?: {4}|\t).*$/gm,
  /`[^`\n]*`/g,
  /"[^"\n]*("|$)/gm,
  /[“„«][^”“»\n]*([”“»]|$)/gm,
  /(?<![\p{L}\d])['‘][^'’\n]{3,}['’](?![\p{L}\d])/gu,
  /\((?!(?:since|for|near) )[^()\n]*\)/g,
  /<[^<>\n]{1,200}>/g,
  /https?:\/\/\S+/g,
]

/** After these the text is material to work on, and says nothing of who wrote it. */
const MATERIAL =
  /\b(translate|rewrite|rephrase|paraphrase|proofread|summari[sz]e|edit|correct|fix|classify|analy[sz]e|complete|continue|read|review|improve|explain|write|draft|compose|generate|role-?play|pretend|imagine|act as|übersetze?|traduce|traduis|traduisez|lyrics?|script|dialogue|transcript|poem|story|novel|chapter|essay|letter|template|example|sample|excerpt|scene|character|persona|prompt)\b[^.!?\n]{0,200}:(?=\s|$)/i

/** "Ada:" before what Ada says in a transcript; "Note:" and the like are one's own. */
const LABEL = /^([ \t]*)(\p{L}[\p{L}\p{M} .'-]{0,30}):[ \t]+/u
/** After these a part is played. */
const ROLE =
  /\b(?:act as|acting as|behave as|pretend|imagine (?:that|you|i)|role-?play|let'?s play|in character|you are an? (?!\w+ (?:friend|person)\b)|once upon a time|chapter \d)\b/i
const OWN_LABEL =
  /^(me|i|user|human|note|notes|note to self|fyi|btw|ps|about me|fact|info|memory|remember|reminder|todo|to do|to-do|update|home|work|name)$/i
const SPEAKER = /^(user|human|assistant|ai|bot|system|model|chatgpt|gpt(-\S+)?|claude|gemini)$/i
const BULLET = /^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+/
const DECORATION = /[*_#]{1,6}(?=\S)|(?<=\S)[*_]{1,3}/g

/** Where a full stop ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s.])(?:Dr|Mr|Mrs|Ms|St|Ste|Prof|Jr|Sr|No|vs|etc|e\.g|i\.e|U\.S|a\.m|p\.m|Inc|Ltd|Co|Nr|Str|Sra?|\p{L}|\d{1,2})\.\s*$/u

/** A greeting is no sentence of its own: what follows says who greets. */
const GREETING =
  /^\s*(?:hi|hello|hey|heya|good (?:morning|evening|afternoon))(?:,? \p{L}+){0,2}[!.]+\s*$/iu
const CARRIES_ON = [ABBREVIATION, GREETING]

const blank = (found: string) => BLANK.repeat(found.length)
const space = (found: string) => ' '.repeat(found.length)

/** What the label of a task says is part of it. */
const unlessTask = (found: string) =>
  /to-? ?do|reminder|note to self/i.test(found) ? found : space(found)

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/**
 * The sentences that the author of a text speaks in their own voice.
 * @param author whose label is no other speaker's.
 */
export const sentencesIn = (text: string, author: string | null): Sentence[] => {
  const from = [MATERIAL, ROLE].map((pattern) => text.search(pattern)).filter((at) => at >= 0)
  const own = text.slice(0, Math.min(text.length, ...from))
  const masked = NOT_OWN.reduce((rest, pattern) => rest.replace(pattern, mask), own)
  const written = paragraphs(masked, author).filter(({ body }) => body.trim())
  return written.flatMap(({ start, body }) =>
    segments(body).map(({ from, to }) => ({
      text: tidy(body.slice(from, to)),
      quote: text.slice(start + from, start + to).trim(),
    })),
  )
}

/** Keeps line ends, which part what stands before a quotation from what stands after. */
const mask = (found: string) => found.split('\n').map(blank).join('\n')

/** Lines, joined where only their width parted them; each as long as it is in the text. */
const paragraphs = (text: string, author: string | null) => {
  const found: { start: number; body: string }[] = []
  let start = 0
  let isOpen = false
  let isOwn = true
  const lines = text.split('\n')
  const isInTurns = takesTurns(lines.flatMap((line) => labelOf(line) ?? []))
  for (const line of lines) {
    const last = found.at(-1)
    const label = labelOf(line)
    if (label || !isInTurns) isOwn = !label || OWN_LABEL.test(label) || label === author
    const body = isOwn ? line.replace(BULLET, space).replace(LABEL, unlessTask) : blank(line)
    if (last && isOpen && isOwn && !BULLET.test(line) && !LABEL.test(line)) last.body += ` ${body}`
    else found.push({ start, body })
    start += line.length + 1
    isOpen = line.length > WRAPPED_LINE && !/[.!?:][ \t\r]*$/.test(line)
  }
  return found
}

const labelOf = (line: string) => line.replace(BULLET, '').match(LABEL)?.[2]?.trim()

/** In a transcript who was named last goes on speaking; in notes a label is one line's. */
const takesTurns = (labels: string[]): boolean =>
  new Set(labels).size < labels.length || labels.some((label) => SPEAKER.test(label))

const segments = (body: string) => {
  const found: { from: number; to: number }[] = []
  for (const { index, segment } of segmenter.segment(body)) {
    const last = found.at(-1)
    const to = index + segment.length
    if (
      last &&
      to - last.from <= MAX_SENTENCE &&
      CARRIES_ON.some((pattern) => pattern.test(body.slice(last.from, last.to).slice(-40)))
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
