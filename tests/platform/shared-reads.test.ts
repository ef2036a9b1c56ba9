import { expect, test } from 'bun:test'
import { createSharedRead } from '../../server/platform/shared-reads.ts'

/** Reads numbers, doubled; 0 cannot be read. */
const startReads = () => {
  const statements: number[][] = []
  const readAll = async (keys: number[]) => {
    statements.push(keys)
    if (keys.includes(0)) throw new Error('no such number')
    return keys.map((key) => 2 * key)
  }
  const read = createSharedRead<number, number | undefined>(
    async (key) => (await readAll([key]))[0],
    readAll,
  )
  return { statements, read }
}

test('reads of one iteration of the event loop share a statement, and a later one has its own', async () => {
  const { statements, read } = startReads()
  expect(await Promise.all([read(1), read(2), read(1)])).toEqual([2, 4, 2])
  expect(await read(3)).toBe(6)
  expect(statements).toEqual([[1, 2, 1], [3]])
})

test('a statement that fails fails each read that shares it, and no later one', async () => {
  const { read } = startReads()
  const results = await Promise.allSettled([read(0), read(1)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read(1)).toBe(2)
})
