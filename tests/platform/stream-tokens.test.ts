import { describe, expect, test } from 'bun:test'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { contract, isStream } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()
let user: Promise<TestUser> | undefined
const newUserId = () => {
  user ??= newVerifiedUser(server.current)
  return user
}

const streams = contract.filter(({ success: [, answer], streamed }) => {
  const stream = streamed ?? (isStream(answer) ? answer : undefined)
  return stream?.stream.type === 'text/event-stream'
})
/** An accepted stream may go on for any time, so it is left at its start. */
const send = async ({ method, path }: Endpoint, token: string) => {
  const response = await fetch(new URL(`${path}?token=${token}`, server.current.url), {
    method,
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify({ message: 'x' }) }),
  })
  const body = response.ok ? await response.body?.cancel() : await response.json()
  return { status: response.status, body }
}

test('the contract has streams to check', () => {
  expect(streams.map(({ path }) => path)).toContain('/api/talk/stream')
})

for (const row of streams)
  describe(`the query parameter token of ${row.path}`, () => {
    test('an access token is accepted', async () => {
      const { accessToken } = await newUserId()
      const { status } = await send(row, accessToken)
      expect(status).not.toBe(401)
      expect(status).toBeLessThan(500)
    })

    test('an API key is refused', async () => {
      const { key } = await newUserId()
      const answer = await send(row, key)
      expect([answer.status, answer.body]).toEqual([
        401,
        { detail: 'Could not validate credentials' },
      ])
    })
  })
