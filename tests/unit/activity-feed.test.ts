import { expect, test } from 'bun:test'
import { createActivityFeed } from '../../server/account/activity/feed.ts'
import type { Query } from '../../server/platform/db/database.ts'

const IDLE_MS = 20

test('a follower gets no event again that another process has given it', async () => {
  let latest = 0
  const query = (async (text: string, [, after, limit]: unknown[] = []) =>
    text.includes('max(id)')
      ? [{ id: String(latest) }]
      : Array.from({ length: latest }, (_, index) => ({ id: String(index + 1) }))
          .filter(({ id }) => Number(id) > Number(after))
          .slice(0, Number(limit))) as unknown as Query
  let notify: (owners: string | undefined) => void = () => {}
  const feed = createActivityFeed({
    query,
    listen: async (_, listener) => {
      notify = listener
      return { [Symbol.asyncDispose]: async () => {} }
    },
  })
  const controller = new AbortController()
  const options = { signal: controller.signal, idleMs: IDLE_MS }
  const first = feed.follow('owner', '0', options)
  expect((await first.next()).value).toEqual([])

  // Five events, of which this process has no notification yet. The client has them from another one.
  latest = 5
  const second = feed.follow('owner', '5', options)
  expect((await second.next()).value).toEqual([])
  notify('owner')
  expect((await first.next()).value).toHaveLength(5)
  expect((await second.next()).value).toEqual([])
  latest = 6
  notify('owner')
  expect((await second.next()).value).toEqual([{ id: '6' }])
  controller.abort()
  await Promise.all([first.return(undefined), second.return(undefined), feed.close()])
})
