import { expect, test } from 'bun:test'
import { remember, rememberBatch } from '../../shared/contract/index.ts'
import type { ExportedMemory } from '../../shared/contract/transfer.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { exportOf } from './transfer-support.ts'

const server = useSharedServer()

/** Several pages of the export: a write between two of them is visible without a snapshot. */
const MEMORIES = 1_200
const SUPERSESSIONS = 120
const WRITERS = 3

/** Supersessions of which an export has only one side. */
const halfSupersessions = (memories: ExportedMemory[]) => {
  const byId = new Map(memories.map((memory) => [memory.memory_id, memory]))
  return memories.filter(
    ({ memory_id, supersedes, superseded_by }) =>
      (supersedes && byId.get(supersedes)?.superseded_by !== memory_id) ||
      (superseded_by && byId.get(superseded_by)?.supersedes !== memory_id),
  )
}

test('an export has both sides of each supersession, also while memories are superseded', async () => {
  const user = await newUser(server.current)
  const seeds: string[] = []
  for (let start = 0; start < MEMORIES; start += 100) {
    const batch = Array.from({ length: 100 }, (_, i) => ({ content: `Memory ${start + i}.` }))
    const { memories } = await user.client.call(rememberBatch, { body: { memories: batch } })
    seeds.push(...memories.map(({ memory_id }) => memory_id))
  }

  // The oldest memories are in the first page, and their successors in the last one.
  const queue = seeds.slice(0, SUPERSESSIONS).entries()
  const write = async () => {
    for (const [i, supersedes] of queue)
      await user.client.call(remember, { body: { content: `Newer memory ${i}.`, supersedes } })
  }
  let isWriting = true
  const writing = Promise.all(Array.from({ length: WRITERS }, write)).finally(() => {
    isWriting = false
  })
  const exports: ExportedMemory[][] = []
  while (isWriting) exports.push(await exportOf(server.current, user))
  await writing

  const sizes = exports.map(({ length }) => length)
  expect(new Set(sizes).size).toBeGreaterThan(1)
  for (const exported of exports) {
    expect(halfSupersessions(exported)).toEqual([])
    expect(exported.filter(({ superseded_by }) => !superseded_by)).toHaveLength(MEMORIES)
  }
})
