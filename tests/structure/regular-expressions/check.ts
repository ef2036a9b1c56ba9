import { check } from 'recheck'
import type { Constructed } from './recorder.ts'
import { type Expression, ROOT, readSources } from './sources.ts'

/** `linear`, `degree 2` and so on, `exponential`, or `unknown` without a verdict. */
export type Verdict = string

/** An expression of the list, with the verdict of recheck. */
export type Entry = Expression & { verdict: Verdict }

const LIST = new URL('list.json', import.meta.url)
const TIMEOUT_MS = 20_000

/** Steps of a match within the 50 ms that a request may block the event loop. */
const MAX_STEPS = 1e6
/** The degree that is assumed for an expression without a verdict. */
const UNKNOWN_DEGREE = 2

const verdictOf = async ({ source, flags }: Expression): Promise<Verdict> => {
  const found = await check(source, flags, { timeout: TIMEOUT_MS })
  if (found.status === 'safe') return 'linear'
  if (found.status === 'unknown') return 'unknown'
  const { complexity } = found
  return complexity.type === 'polynomial' ? `degree ${complexity.degree}` : complexity.type
}

const constructedExpressions = async (): Promise<Constructed[]> => {
  const recorder = new URL('recorder.ts', import.meta.url).pathname
  const child = Bun.spawn([process.execPath, recorder], { cwd: ROOT, stdout: 'pipe' })
  return JSON.parse(await child.stdout.text())
}

const keyOf = ({ file, source, flags }: Expression) => JSON.stringify([file, source, flags])
const patternOf = ({ source, flags }: Expression) => `/${source}/${flags}`

export const readList = async (): Promise<Entry[]> =>
  (await Bun.file(LIST).exists()) ? Bun.file(LIST).json() : []

export const writeList = (entries: Entry[]) =>
  Bun.write(LIST, `${JSON.stringify(entries, null, 2)}\n`)

/** Constructions that no module import evaluates, and that state no bound. */
export interface Collected {
  expressions: Expression[]
  unseen: string[]
}

/** All regular expressions of the source, each once per file. */
export const collect = async (): Promise<Collected> => {
  const { literals, constructions } = await readSources()
  const constructed = await constructedExpressions()
  const all = new Map(literals.map((expression) => [keyOf(expression), expression]))
  for (const { place, source, flags } of constructed) {
    const [file = ''] = place.split(':')
    const bound = constructions.get(place)
    const expression = { file, source, flags, ...(bound && { bound }) }
    all.set(keyOf(expression), expression)
  }
  const seen = new Set(constructed.map(({ place }) => place))
  const unseen = [...constructions].filter(([place, bound]) => !seen.has(place) && !bound)
  const expressions = [...all.values()].sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1))
  return { expressions, unseen: unseen.map(([place]) => place) }
}

/** Checks the expressions that have no verdict in the list. */
export const checkAll = async (expressions: Expression[], known: Entry[]): Promise<Entry[]> => {
  const verdicts = new Map(known.map((entry) => [patternOf(entry), entry.verdict]))
  const entries: Entry[] = []
  for (const expression of expressions) {
    const pattern = patternOf(expression)
    const verdict = verdicts.get(pattern) ?? (await verdictOf(expression))
    verdicts.set(pattern, verdict)
    entries.push({ ...expression, verdict })
  }
  return entries
}

/** Whether a match is fast for every input. */
export const isQuick = ({ verdict, bound }: Entry): boolean => {
  if (verdict === 'linear') return true
  const degree =
    verdict === 'unknown' ? UNKNOWN_DEGREE : Number(/^degree (\d+)$/.exec(verdict)?.[1])
  return bound !== undefined && bound ** degree <= MAX_STEPS
}
