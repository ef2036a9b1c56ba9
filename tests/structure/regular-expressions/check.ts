import { check } from 'recheck'
import { ROOT } from '../../harness/base.ts'
import type { Constructed } from './recorder.ts'
import { type Expression, readSources } from './sources.ts'

/** `linear`, `degree 2` and so on, `exponential`, or `unknown` without a verdict. */
export type Verdict = string

/** An expression with the verdict of recheck. */
export type Checked = Expression & { verdict: Verdict }

/** An expression that is not linear, and the length of its longest input that keeps it fast. */
export interface Exception {
  source: string
  flags: string
  verdict: Verdict
  bound: number
}

/**
 * With a fixed seed and without limits of time for the steps of an analysis, the verdict does not depend
 * on chance or the load of the machine.
 */
const ANALYSIS = {
  timeout: 600_000,
  randomSeed: 1,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
}

/** Steps of a match within the 50 ms that a request may block the event loop. */
const MAX_STEPS = 1e6
/** The degree that is assumed for an expression without a verdict. */
const UNKNOWN_DEGREE = 2

export const verdictOf = async ({ source, flags }: Expression): Promise<Verdict> => {
  const found = await check(source, flags, ANALYSIS)
  if (found.status === 'safe') return 'linear'
  if (found.status === 'unknown') return 'unknown'
  const { complexity } = found
  return complexity.type === 'polynomial' ? `degree ${complexity.degree}` : complexity.type
}

const RECORDER = new URL('recorder.ts', import.meta.url).pathname

const constructedExpressions = async (): Promise<Constructed[]> => {
  const child = Bun.spawn([process.execPath, RECORDER], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = await child.stdout.text()
  if ((await child.exited) !== 0)
    throw new Error(`the modules cannot be imported: ${await child.stderr.text()}`)
  return JSON.parse(output)
}

const keyOf = ({ file, source, flags }: Expression) => JSON.stringify([file, source, flags])
export const patternOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string =>
  `/${source}/${flags}`

const EXCEPTIONS = new URL('exceptions.json', import.meta.url)
const ANALYZED = new URL('analyzed.json', import.meta.url)

const HASH_LENGTH = 16
const hashOf = (expression: Expression): string =>
  new Bun.CryptoHasher('sha256').update(patternOf(expression)).digest('hex').slice(0, HASH_LENGTH)

/** Those whose analysis is not recorded. */
export const newOf = async (expressions: Expression[]): Promise<Expression[]> => {
  const analyzed = new Set<string>(await Bun.file(ANALYZED).json())
  return expressions.filter((each) => !analyzed.has(hashOf(each)))
}

/** Records that the expressions are linear, or in `exceptions.json`. */
export const recordAnalysis = (expressions: Expression[]): Promise<number> =>
  Bun.write(ANALYZED, `${JSON.stringify([...new Set(expressions.map(hashOf))].sort(), null, 2)}\n`)

export const readExceptions = (): Promise<Exception[]> => Bun.file(EXCEPTIONS).json()

/** Constructions that no module import evaluates, and that state no bound. */
export interface Collected {
  expressions: Expression[]
  unseen: string[]
}

/** All regular expressions of the source, each once per file. */
export const collect = async (): Promise<Collected> => {
  const { literals, constructions } = await readSources(ROOT)
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
  return { expressions: [...all.values()], unseen: unseen.map(([place]) => place) }
}

/** Analyzes each pattern once. */
export const analyze = async (expressions: Expression[]): Promise<Checked[]> => {
  const verdicts = new Map<string, Verdict>()
  const checked: Checked[] = []
  for (const expression of expressions) {
    const pattern = patternOf(expression)
    const verdict = verdicts.get(pattern) ?? (await verdictOf(expression))
    verdicts.set(pattern, verdict)
    checked.push({ ...expression, verdict })
  }
  return checked
}

/** Those that are not linear, and not in `exceptions.json` with that verdict. */
export const findMissing = async (expressions: Expression[]): Promise<Checked[]> => {
  const exceptions = new Map(
    (await readExceptions()).map((exception) => [patternOf(exception), exception]),
  )
  return (await analyze(expressions)).filter(
    (each) =>
      each.verdict !== 'linear' && exceptions.get(patternOf(each))?.verdict !== each.verdict,
  )
}

/** Whether a match is fast for every input. */
export const isFast = ({ verdict, bound }: Pick<Checked, 'verdict' | 'bound'>): boolean => {
  if (verdict === 'linear') return true
  const degree =
    verdict === 'unknown' ? UNKNOWN_DEGREE : Number(/^degree (\d+)$/.exec(verdict)?.[1])
  return bound !== undefined && bound ** degree <= MAX_STEPS
}
