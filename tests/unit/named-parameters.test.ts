import { expect, test } from 'bun:test'
import type { Query } from '../../server/platform/db/database.ts'
import { namedQuery } from '../../server/platform/db/statements.ts'

const run = async (text: string, values: Record<string, unknown>) => {
  const calls: [string, unknown[]][] = []
  const query: Query = async (statement, params) => {
    calls.push([statement, params])
    return []
  }
  await namedQuery(query, text, values)
  return calls[0]
}

test('named parameters are numbered in the order of their first use, and casts are not changed', async () => {
  const text = 'select :b::int, :aC::text[], x::int where y = :b'
  expect(await run(text, { aC: '{}', b: 1, unused: 2 })).toEqual([
    'select $1::int, $2::text[], x::int where y = $1',
    [1, '{}'],
  ])
})

test('a named parameter without a value is refused', async () => {
  await expect(run('select :missing', {})).rejects.toThrow(
    'The statement has no value for :missing',
  )
})
