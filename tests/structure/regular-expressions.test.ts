import { expect, setDefaultTimeout, test } from 'bun:test'
import { baseCommit, changedSince } from '../harness/base.ts'
import {
  analyze,
  collect,
  type Exception,
  isFast,
  patternOf,
  patternsOf,
  readExceptions,
} from './regular-expressions/check.ts'
import { ROOTS } from './regular-expressions/sources.ts'

// An analysis takes seconds for some expressions, and minutes for all of them.
setDefaultTimeout(1_200_000)

const { expressions, unseen } = await collect()
const exceptions = new Map(
  (await readExceptions()).map((exception) => [patternOf(exception), exception]),
)

/** `npm test` analyzes the patterns that the base commit does not have, `npm run test:all` all of them. */
const analyzedBefore = async (): Promise<Set<string>> => {
  const base = process.env.TEST_ALL ? undefined : baseCommit()
  if (!base) return new Set()
  const isSource = (path: string) => ROOTS.some((folder) => path.startsWith(`${folder}/`))
  return changedSince(base).some(isSource) ? patternsOf(base) : new Set(expressions.map(patternOf))
}

test('the scan finds literals, constructed expressions and patterns of schemas', () => {
  expect(expressions.length).toBeGreaterThan(300)
  const files = expressions.map(({ file }) => file)
  expect(files).toContain('server/memory/facts/rules/clause.ts')
  expect(files).toContain('shared/contract/talk.ts')
})

test('a regular expression that is not linear is in exceptions.json', async () => {
  const known = await analyzedBefore()
  const checked = await analyze(expressions.filter((each) => !known.has(patternOf(each))))
  const missing = checked
    .filter(({ verdict }) => verdict !== 'linear')
    .filter((each) => exceptions.get(patternOf(each))?.verdict !== each.verdict)
  expect(missing).toEqual([])
})

test('each exception is in the source, which states its bound, and the bound keeps it fast', () => {
  const stated = (exception: Exception) =>
    expressions.filter((each) => patternOf(each) === patternOf(exception)).map(({ bound }) => bound)
  for (const exception of exceptions.values()) {
    expect([...new Set(stated(exception))]).toEqual([exception.bound])
    expect(isFast(exception)).toBe(true)
  }
})

test('an expression that is constructed at run time states a bound', () => {
  expect(unseen).toEqual([])
})

test('an expression with quadratic time needs a bound', async () => {
  const [entry] = await analyze([{ file: 'x.ts', source: '[ \\t]+$', flags: 'gm' }])
  if (!entry) throw new Error('it was not checked')
  expect(entry.verdict).toBe('degree 2')
  expect(isFast(entry)).toBe(false)
  expect(isFast({ ...entry, bound: 400 })).toBe(true)
  expect(isFast({ ...entry, bound: 32_000 })).toBe(false)
})
