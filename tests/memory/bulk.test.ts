import { describe, expect, test } from 'bun:test'
import {
  forgetMatching,
  listMemories,
  memoryFacets,
  recall,
  remember,
  rememberBatch,
  restoreMatching,
} from '../../shared/contract/index.ts'
import type { ForgetMatching } from '../../shared/contract/memory-bulk.ts'
import { eventually } from '../harness/eventually.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

/** A user with memories: every second one is tagged `even`, and every third is of the thread `third`. */
const withMany = async (count: number) => {
  const user = await newUser(server.current)
  for (let start = 0; start < count; start += 100)
    await user.client.call(rememberBatch, {
      body: {
        memories: Array.from({ length: Math.min(100, count - start) }, (_, i) => {
          const number = start + i
          return {
            content: `The heron number ${number} is grey.`,
            tags: number % 2 ? ['odd'] : ['even'],
            ...(number % 3 === 0 && { thread: 'third' }),
          }
        }),
      },
    })
  return user
}

const total = async ({ client }: TestUser, query = {}) =>
  (await client.call(memoryFacets, { query })).total

const forget = ({ client }: TestUser, body: Partial<ForgetMatching>) =>
  client.call(forgetMatching, { body: { all: false, dry_run: false, ...body } })

describe('all memories that match', () => {
  test('those of a filter are counted, deleted and restored by one request each', async () => {
    const user = await withMany(1_200)
    const preview = await forget(user, { tag: 'even', dry_run: true })
    expect(preview).toEqual({ count: 600, deleted_since: null })
    expect(await total(user)).toBe(1_200)

    const { count, deleted_since } = await forget(user, { tag: 'even', expected: 600 })
    expect(count).toBe(600)
    expect(await total(user)).toBe(600)
    expect(await total(user, { tag: 'even' })).toBe(0)
    const found = await user.client.call(recall, { body: { query: 'heron number 10', limit: 100 } })
    expect(found.memories.filter(({ tags }) => tags.includes('even'))).toEqual([])
    const events = await eventually(async () => {
      const { body } = await request(server.current, 'GET', '/api/events?kind=memory.forgotten', {
        token: user.key,
      })
      return body.events.length === 2 && body.events
    })
    expect(events.map((event: { count: number }) => event.count).toSorted()).toEqual([100, 500])

    const restored = await user.client.call(restoreMatching, {
      body: { tag: 'even', deleted_since: deleted_since ?? '' },
    })
    expect(restored).toEqual({ count: 600 })
    expect(await total(user)).toBe(1_200)
    const again = await user.client.call(recall, { body: { query: 'heron number 10', limit: 5 } })
    expect(again.memories[0]?.content_text).toBe('The heron number 10 is grey.')
  })

  test('several filters select together, and earlier deletions stay', async () => {
    const user = await withMany(30)
    await forget(user, { tag: 'odd', thread: 'third' })
    expect(await total(user)).toBe(25)
    const { deleted_since } = await forget(user, { all: true })
    expect(await total(user)).toBe(0)
    await user.client.call(restoreMatching, { body: { deleted_since: deleted_since ?? '' } })
    expect(await total(user)).toBe(25)
    expect(await total(user, { tag: 'odd', thread: 'third' })).toBe(0)
  })

  test('a text that was remembered again is not restored twice', async () => {
    const user = await withMany(4)
    const { deleted_since } = await forget(user, { tag: 'odd' })
    await user.client.call(remember, { body: { content: 'The heron number 1 is grey.' } })
    const restored = await user.client.call(restoreMatching, {
      body: { deleted_since: deleted_since ?? '' },
    })
    expect(restored.count).toBe(1)
    const { memories } = await user.client.call(listMemories, { query: { limit: 50 } })
    expect(memories.map(({ content_text }) => content_text).toSorted()).toEqual(
      [0, 1, 2, 3].map((number) => `The heron number ${number} is grey.`),
    )
  })

  test('nothing is deleted without a filter, for a wrong number, or of others', async () => {
    const user = await withMany(6)
    const other = await withMany(6)
    const post = (body: object) =>
      request(server.current, 'POST', '/api/memories/forget', { token: user.key, body })
    expect((await post({})).status).toBe(422)
    expect((await post({ dry_run: true })).status).toBe(422)
    const { status, body } = await post({ tag: 'even', expected: 2 })
    expect([status, body.detail]).toEqual([409, '3 memories match now; nothing was deleted'])
    expect((await post({ tag: 'even', expected: -1 })).status).toBe(422)
    expect((await post({ tag: 'none' })).body).toEqual({ count: 0, deleted_since: null })
    expect(await total(user)).toBe(6)
    await post({ all: true })
    expect(await total(user)).toBe(0)
    expect(await total(other)).toBe(6)
  })

  test('two requests at once delete each memory once, while others are written', async () => {
    const user = await withMany(200)
    const writes = Array.from({ length: 10 }, (_, i) =>
      user.client.call(remember, { body: { content: `Written meanwhile ${i}.` } }),
    )
    const [one, two] = await Promise.all([
      forget(user, { tag: 'even' }),
      forget(user, { tag: 'even' }),
      ...writes,
    ])
    expect(one.count + two.count).toBe(100)
    expect(await total(user)).toBe(110)
  })
})
