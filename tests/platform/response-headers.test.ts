import { describe, expect, test } from 'bun:test'
import { contract, protocols } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  type Answer,
  cookieValue,
  newUser,
  PASSWORD,
  request,
  uniqueEmail,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()
const ID = '0197fdc2-0000-7000-8000-000000000000'

const send = (method: string, path: string, options: Parameters<typeof request>[3] = {}) =>
  request(server.current, method, path, options)

const isPrivate = ({ headers }: Answer) => {
  expect(headers.get('cache-control')).toContain('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
}

describe('private responses carry Cache-Control: no-store and nosniff', () => {
  test('sign-up, sign-in, refresh, sign-out and new keys are no-store', async () => {
    const email = uniqueEmail()
    const signedUp = await send('POST', '/api/auth/signup', {
      body: { email, password: PASSWORD, confirm_password: PASSWORD },
    })
    const signedIn = await send('POST', '/api/auth/signin', { body: { email, password: PASSWORD } })
    const cookie = cookieValue(signedIn.cookie)
    const refreshed = await send('POST', '/api/auth/refresh', { cookie })
    const token = signedIn.body.access_token
    const created = await send('POST', '/api/auth/api-keys', { token, body: { name: 'x' } })
    const signedOut = await send('POST', '/api/auth/signout', { cookie })
    const answers = [signedUp, signedIn, refreshed, created, signedOut]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 201, 200])
    for (const answer of answers) isPrivate(answer)
  })

  test('lists, exports, streams and files of a user are no-store', async () => {
    const { key: token } = await newVerifiedUser(server.current)
    await send('POST', '/api/remember', { token, body: { content: 'Ada likes tea.' } })
    const form = new FormData()
    form.set('file', new File(['x'], 'x.txt', { type: 'text/plain' }))
    const uploaded = await fetch(new URL('/api/files', server.current.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    const { id } = (await uploaded.json()) as { id: string }
    const body = { message: 'x' }
    const answers = await Promise.all([
      send('GET', '/api/me', { token }),
      send('GET', '/api/memories', { token }),
      send('GET', '/api/memories/export', { token }),
      send('POST', '/api/chat/stream', { token, body }),
      send('GET', `/api/files/${id}`, { token }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const answer of answers) isPrivate(answer)
  })

  for (const row of [...contract, ...protocols].filter(
    ({ credential, path }) => credential !== 'none' || path.startsWith('/api/auth/'),
  ))
    test(`every response of ${row.method} ${row.path} is no-store, errors included`, async () => {
      const user = await newUserId()
      const path = row.path.replace(/\{\w+\}/g, ID)
      const body = row.method === 'GET' ? undefined : {}
      isPrivate(await send(row.method, path, { body }))
      if (!row.path.endsWith('delete-account'))
        isPrivate(await send(row.method, path, { body, token: user.accessToken }))
    })

  test('404 of an unknown path is no-store', async () => isPrivate(await send('GET', '/api/none')))
})

let user: ReturnType<typeof newUser> | undefined
const newUserId = () => {
  user ??= newUser(server.current)
  return user
}

describe('public responses', () => {
  test('public responses that never change may be cached', async () => {
    const { headers } = await send('GET', '/.well-known/oauth-authorization-server')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  for (const path of ['/api/docs', '/api/docs/start.js', '/api/docs/swagger-ui.css', '/api/health'])
    test(`${path} carries nosniff`, async () => {
      const { status, headers } = await send('GET', path)
      expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
    })

  test('the API reference allows only its own script', async () => {
    const { headers, text } = await send('GET', '/api/docs')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(text).not.toMatch(/<script(?![^>]*src=)/)
  })
})
