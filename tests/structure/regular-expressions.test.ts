import { expect, setDefaultTimeout, test } from 'bun:test'
import {
  analyze,
  collect,
  type Exception,
  findMissing,
  isFast,
  newOf,
  patternOf,
  readExceptions,
} from './regular-expressions/check.ts'

// An analysis takes seconds for some expressions, and many minutes for all of them.
setDefaultTimeout(1_200_000)

const { expressions, unseen } = await collect()
const exceptions = await readExceptions()

test('the scan finds literals, constructed expressions and patterns of schemas', () => {
  expect(expressions.length).toBeGreaterThan(300)
  const files = expressions.map(({ file }) => file)
  expect(files).toContain('server/memory/facts/rules/clause.ts')
  expect(files).toContain('shared/contract/talk.ts')
})

test('a regular expression that is not linear is in exceptions.json', async () => {
  expect(await findMissing(await newOf(expressions))).toEqual([])
})

test('each exception is in the source, which states its bound, and the bound keeps it fast', () => {
  const stated = (exception: Exception) =>
    expressions.filter((each) => patternOf(each) === patternOf(exception)).map(({ bound }) => bound)
  for (const exception of exceptions) {
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
