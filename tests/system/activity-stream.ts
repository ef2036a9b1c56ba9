import { createClient } from '../../shared/client.ts'
import { type ActivityEvent, listActivity } from '../../shared/contract/activity.ts'
import { asStream } from '../../shared/contract/endpoint.ts'
import type { TestServer, TestUser } from '../harness/server.ts'

/** Events of the account, because each test user signed up, and of the engines, which come later. */
export const isOfAccount = ({ kind }: Pick<ActivityEvent, 'kind'>): boolean =>
  /^(session|key|account|fact|contradiction)\./.test(kind)

/** Follows the stream of a user until it is left; `events` are without those of the account. */
export const follow = async (
  user: Pick<TestUser, 'key'>,
  on: Pick<TestServer, 'url'>,
  after?: string,
) => {
  const client = createClient({ baseUrl: on.url, credential: user.key })
  const controller = new AbortController()
  const stream = await client.call(asStream(listActivity), {
    query: after === undefined ? {} : { after },
    signal: controller.signal,
  })
  const all: ActivityEvent[] = []
  const events: ActivityEvent[] = []
  let error: unknown
  const done = (async () => {
    for await (const event of stream) {
      if (event.event === 'activity') {
        all.push(event.data)
        if (!isOfAccount(event.data)) events.push(event.data)
      }
      if (event.event === 'error') error = event.data.detail
    }
  })().catch((thrown: unknown) => {
    error ??= thrown
  })
  return {
    all,
    events,
    error: () => error,
    done,
    async [Symbol.asyncDispose]() {
      controller.abort()
      await done
    },
  }
}
