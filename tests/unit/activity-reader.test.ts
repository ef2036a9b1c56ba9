import { expect, spyOn, test } from 'bun:test'
import type { ActivityService, StoredActivity } from '../../server/account/activity/service.ts'
import type { Caller } from '../../server/platform/http/caller.ts'
import { createActivityReader } from '../../server/system/activity/service.ts'

const caller = { ownerId: 'owner', scopes: ['all'], timezone: 'UTC' } as unknown as Caller
const row = {
  id: '1',
  kind: 'memory.stored',
  memories: [{ id: 'm' }],
} as unknown as StoredActivity

/** A reader over one event, with the number of its reads of memories. */
const readerOfOne = () => {
  const reads = { count: 0 }
  const reader = createActivityReader({ list: async () => [row] } as unknown as ActivityService, {
    memories: {
      async listByIds(_caller, ids) {
        reads.count += 1
        return ids.map((memory_id) => ({ memory_id, content_text: 'Ada.', source: {} })) as never
      },
    },
    feedback: { marksFor: async () => new Map() },
    introspect: { countStored: async () => [] },
    questions: {} as never,
  })
  const excerpt = async () => {
    const { events } = await reader.list(caller, { limit: 1 } as never)
    return events[0]?.memories[0]?.excerpt
  }
  return { reads, excerpt }
}

test.each([5, 5_000])(
  'an event is presented with its memory %d ms after the start of the process, and the next reader shares it for a second',
  async (start) => {
    const now = spyOn(performance, 'now')
    try {
      const { reads, excerpt } = readerOfOne()
      for (const [after, expected] of [
        [0, 1],
        [900, 1],
        [1_100, 2],
      ] as const) {
        now.mockReturnValue(start + after)
        expect(await excerpt()).toBe('Ada.')
        expect(reads.count).toBe(expected)
      }
    } finally {
      now.mockRestore()
    }
  },
)
