import type { Client } from '../../shared/client.ts'
import type { MemoryFact } from '../../shared/contract/facts.ts'
import { memoryFacts, remember } from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import { eventually } from './eventually.ts'

/** The facts of a memory, once its current content has been read. */
export const factsOf = (client: Client, memoryId: string): Promise<MemoryFact[]> =>
  eventually(async () => {
    const { facts, pending } = await client.call(memoryFacts, { params: { memory_id: memoryId } })
    return !pending && facts
  })

export type MemoryInput = Partial<Remember> & { content: string }

/** Writes memories one after the other, and waits until all are read. @returns their ids. */
export const write = async (
  client: Client,
  ...inputs: (string | MemoryInput)[]
): Promise<string[]> => {
  const ids: string[] = []
  for (const each of inputs) {
    const body = typeof each === 'string' ? { content: each } : each
    ids.push((await client.call(remember, { body })).memory_id)
  }
  for (const id of ids) await factsOf(client, id)
  return ids
}
