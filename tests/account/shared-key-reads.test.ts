import { expect, test } from 'bun:test'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

test('requests with several keys at the same time each act for the user of their key', async () => {
  const users = [await newUser(server.current), await newUser(server.current)]
  const keys = [...users.map(({ key }) => key), `svc_${'x'.repeat(43)}`]
  const tokens = Array.from({ length: 30 }, (_, i) => keys[i % keys.length] ?? '')
  const answers = await Promise.all(
    tokens.map((token) => request(server.current, 'GET', '/api/me', { token })),
  )
  for (const [i, { status, body }] of answers.entries()) {
    const user = users[i % keys.length]
    expect(status).toBe(user ? 200 : 401)
    expect(body.id).toBe(user?.id)
  }
})

test('a revoked key is refused among valid ones of the same moment', async () => {
  const [kept, revoked] = [await newUser(server.current), await newUser(server.current)]
  const send = () =>
    Promise.all(
      [kept, revoked, kept].map(({ key }) =>
        request(server.current, 'GET', '/api/me', { token: key }),
      ),
    )
  expect((await send()).map(({ status }) => status)).toEqual([200, 200, 200])
  await request(server.current, 'DELETE', `/api/auth/api-keys/${revoked.keyId}`, {
    token: revoked.accessToken,
  })
  expect((await send()).map(({ status }) => status)).toEqual([200, 401, 200])
})
