import { expect, test } from 'bun:test'
import { createSharedRead, createSharedWrite } from '../../server/platform/shared-statements.ts'

/** Doubles numbers; 0 fails. */
const startStatements = () => {
  const statements: number[][] = []
  const runAll = async (items: number[]) => {
    statements.push(items)
    if (items.includes(0)) throw new Error('no such number')
    return items.map((item) => 2 * item)
  }
  const runOne = async (item: number) => (await runAll([item]))[0]
  return { statements, sharing: { runOne, runAll } }
}

const resultsOf = async (running: Promise<unknown>[]) =>
  (await Promise.allSettled(running)).map((one) =>
    one.status === 'fulfilled' ? one.value : 'failed',
  )

test('reads of one iteration of the event loop share a statement, and a later one has its own', async () => {
  const { statements, sharing } = startStatements()
  const read = createSharedRead(sharing)
  expect(await Promise.all([read(1), read(2), read(1)])).toEqual([2, 4, 2])
  expect(await read(3)).toBe(6)
  expect(statements).toEqual([[1, 2, 1], [3]])
})

test('a read that fails fails each that shares its statement, and no later one', async () => {
  const read = createSharedRead(startStatements().sharing)
  expect(await resultsOf([read(0), read(1)])).toEqual(['failed', 'failed'])
  expect(await read(1)).toBe(2)
})

const LIMITS = { sizeOf: (item: number) => item, maxSize: 10 }

test('a write goes at once, and those that arrive meanwhile share the next statement', async () => {
  const { statements, sharing } = startStatements()
  const write = createSharedWrite(sharing, LIMITS)
  const first = write(1)
  expect(statements).toEqual([[1]])
  expect(await Promise.all([first, write(2), write(3)])).toEqual([2, 4, 6])
  expect(statements).toEqual([[1], [2, 3]])
})

test('a shared statement has no more than its size, and a larger write has its own', async () => {
  const { statements, sharing } = startStatements()
  const write = createSharedWrite(sharing, LIMITS)
  await Promise.all([1, 6, 4, 20, 5].map(write))
  expect(statements).toEqual([[1], [6, 4], [20], [5]])
})

test('a write that fails in a shared statement fails alone', async () => {
  const { statements, sharing } = startStatements()
  const write = createSharedWrite(sharing, LIMITS)
  expect(await resultsOf([1, 2, 0, 3].map(write))).toEqual([2, 4, 'failed', 6])
  expect(statements).toEqual([[1], [2, 0, 3], [2], [0], [3]])
})

test('writes of a statement that lost its connection are not run again', async () => {
  const statements: number[][] = []
  const lost = Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' })
  const write = createSharedWrite(
    {
      runOne: async (item: number) => item,
      runAll: async (items) => {
        statements.push(items)
        throw lost
      },
    },
    LIMITS,
  )
  expect(await resultsOf([1, 2, 3].map(write))).toEqual([1, 'failed', 'failed'])
  expect(statements).toEqual([[2, 3]])
})

test('writes do not wait long for a statement that waits for a lock', async () => {
  const { sharing } = startStatements()
  const lock = Promise.withResolvers<void>()
  const write = createSharedWrite(
    {
      ...sharing,
      runOne: async (item: number) => {
        if (item === 1) await lock.promise
        return sharing.runOne(item)
      },
    },
    LIMITS,
  )
  const first = write(1)
  expect(await Promise.all([write(2), write(3)])).toEqual([4, 6])
  expect(await write(4)).toBe(8)
  lock.resolve()
  expect(await first).toBe(2)
})
