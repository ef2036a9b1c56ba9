import { expect, setDefaultTimeout, test } from 'bun:test'
import { checkAll, collect, isQuick, readList } from './regular-expressions/check.ts'

// New expressions are analyzed, which takes seconds each.
setDefaultTimeout(300_000)

const collected = await collect()
const known = await readList()
const entries = await checkAll(collected.expressions, known)

test('the scan finds literals, constructed expressions and patterns of schemas', () => {
  expect(entries.length).toBeGreaterThan(300)
  const files = entries.map(({ file }) => file)
  expect(files).toContain('server/memory/facts/rules/clause.ts')
  expect(files).toContain('shared/contract/talk.ts')
})

test('every regular expression is linear, or states an input bound that keeps it fast', () => {
  expect(entries.filter((entry) => !isQuick(entry))).toEqual([])
})

test('an expression that is constructed at run time states a bound', () => {
  expect(collected.unseen).toEqual([])
})

test('the list is up to date: bun tests/structure/regular-expressions/list.ts', () => {
  expect(entries).toEqual(known)
})

test('an expression with quadratic time needs a bound', async () => {
  const [entry] = await checkAll([{ file: 'x.ts', source: '[ \\t]+$', flags: 'gm' }], [])
  if (!entry) throw new Error('it was not checked')
  expect(entry.verdict).toBe('degree 2')
  expect(isQuick(entry)).toBe(false)
  expect(isQuick({ ...entry, bound: 400 })).toBe(true)
  expect(isQuick({ ...entry, bound: 32_000 })).toBe(false)
})
