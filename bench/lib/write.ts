import { rememberBatch } from '../../shared/contract/index.ts'
import type { Account } from './server.ts'
import type { Turn } from './text.ts'

const BATCH = 1000

export const memoryOf = (turn: Turn) => ({
  ...turn,
  memory_type: 'episodic' as const,
  importance: 0.5,
  tags: [],
  metadata: {},
})

/** Writes memories over HTTP, in order. */
export const writeTurns = async ({ client }: Account, turns: Turn[]): Promise<void> => {
  for (let start = 0; start < turns.length; start += BATCH)
    await client.call(rememberBatch, {
      body: { memories: turns.slice(start, start + BATCH).map(memoryOf) },
    })
}
