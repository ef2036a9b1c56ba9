import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { person, startGithub, type TestProvider } from '../harness/oauth-provider.ts'
import {
  newSigningKey,
  OPENID_CLIENT,
  type ScriptedOpenId,
  startScriptedOpenId,
} from '../harness/scripted-openid.ts'
import { request, startServer, type TestServer } from '../harness/server.ts'
import { isSignedIn, logOutAt, signInAt } from './openid-support.ts'

setDefaultTimeout(120_000)

let opened:
  | { provider: ScriptedOpenId; other: ScriptedOpenId; github: TestProvider; server: TestServer }
  | undefined
beforeAll(async () => {
  const [provider, other] = await Promise.all([startScriptedOpenId(), startScriptedOpenId()])
  const github = startGithub()
  const server = await startServer({
    SVC_FRONTEND_ORIGINS: 'https://app.example.com',
    ...github.env,
    ...provider.env('MAIN'),
    ...other.env('OTHER'),
  })
  opened = { provider, other, github, server }
}, 120_000)
afterAll(async () => {
  await opened?.server.stop()
  for (const each of [opened?.provider, opened?.other, opened?.github])
    await each?.[Symbol.asyncDispose]()
})
const running = () => {
  if (!opened) throw new Error('the server starts before the tests')
  return opened
}

const signIn = async (subject: string, sid?: string) => {
  const { server, provider } = running()
  const email = `${subject}@example.com`
  provider.script.claims = { sub: subject, email, email_verified: true, ...(sid && { sid }) }
  const { landing } = await signInAt(server, 'main')
  return landing.token ?? ''
}
const newId = () => person().subject
const now = () => Math.floor(Date.now() / 1000)
const logOut = async (claims: Record<string, unknown>) =>
  logOutAt(running().server, 'main', await running().provider.logoutToken(claims))
const stays = async (token: string) => expect(await isSignedIn(running().server, token)).toBe(true)
const ended = async (token: string) => expect(await isSignedIn(running().server, token)).toBe(false)

describe('logout tokens', () => {
  test('a logout token with a session id ends that session', async () => {
    const subject = newId()
    const [first, second] = [await signIn(subject, 'sid-1'), await signIn(subject, 'sid-2')]
    const answer = await logOut({ sub: subject, sid: 'sid-1' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    await ended(first)
    await stays(second)
    const cookieless = await logOut({ sid: 'sid-2' })
    expect(cookieless.status).toBe(200)
    await ended(second)
  })

  test('a logout token with a subject ends all its sessions, and no other', async () => {
    const [subject, other] = [newId(), newId()]
    const tokens = [await signIn(subject, 'a'), await signIn(subject), await signIn(other, 'b')]
    expect((await logOut({ sub: subject })).status).toBe(200)
    await ended(tokens[0] ?? '')
    await ended(tokens[1] ?? '')
    await stays(tokens[2] ?? '')
  })

  test('a logout token with the session id of another subject ends nothing', async () => {
    const token = await signIn(newId(), 'sid-of-one')
    expect((await logOut({ sub: newId(), sid: 'sid-of-one' })).status).toBe(200)
    await stays(token)
  })

  test('a logout token of a subject without a session is accepted', async () => {
    expect((await logOut({ sub: newId() })).status).toBe(200)
  })

  test('a logout token works once, also when it is sent many times at once', async () => {
    const subject = newId()
    const { server, provider } = running()
    const token = await provider.logoutToken({ sub: subject })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => logOutAt(server, 'main', token)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(400)])
    const later = await signIn(subject)
    const replay = await logOutAt(server, 'main', token)
    expect([replay.status, replay.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'logout_token was used already' },
    ])
    await stays(later)
  })

  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  for (const [title, changes] of Object.entries({
    'of another issuer': () => ({ iss: 'https://issuer.example' }),
    'for another client': () => ({ aud: 'another' }),
    'without a time': () => ({ iat: undefined }),
    'of ten minutes ago': () => ({ iat: now() - 600 }),
    'of five minutes in the future': () => ({ iat: now() + 300 }),
    expired: () => ({ exp: now() - 120 }),
    'without an id': () => ({ jti: undefined }),
    'with an id of 300 characters': () => ({ jti: 'j'.repeat(300) }),
    'with a session id of 300 characters': () => ({ sid: 's'.repeat(300) }),
    'with a nonce': () => ({ nonce: 'n' }),
    'without events': () => ({ events: undefined }),
    'with another event': () => ({ events: { 'https://events.example/other': {} } }),
    'with a text as its event': () => ({
      events: { ...event, [Object.keys(event)[0] ?? '']: 'x' },
    }),
    'without a subject and a session id': () => ({ sub: undefined }),
  }))
    test(`a logout token ${title} is refused and ends nothing`, async () => {
      const subject = newId()
      const token = await signIn(subject)
      const { status, body } = await logOut({ sub: subject, ...changes() })
      expect([status, body.error]).toEqual([400, 'invalid_request'])
      await stays(token)
    })

  test('a logout token that the provider has not signed is refused and ends nothing', async () => {
    const { server, provider } = running()
    const subject = newId()
    const token = await signIn(subject)
    const claims = {
      iss: provider.issuer,
      aud: OPENID_CLIENT.id,
      sub: subject,
      jti: newId(),
      iat: now(),
      exp: now() + 120,
      events: event,
    }
    const secret = new TextEncoder().encode(OPENID_CLIENT.secret)
    const { kid, privateKey } = await newSigningKey()
    const forgeries = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret),
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
      'not a token',
    ]
    for (const forgery of forgeries) {
      const { status, body } = await logOutAt(server, 'main', forgery)
      expect([status, body.error]).toEqual([400, 'invalid_request'])
    }
    await stays(token)
  })

  test('a logout token of another provider ends nothing, and requests no keys', async () => {
    const { server, provider, other } = running()
    const subject = newId()
    const token = await signIn(subject)
    const before = other.requests.filter((path) => path === '/jwks').length
    const foreign = await provider.logoutToken({ sub: subject })
    expect((await logOutAt(server, 'other', foreign)).status).toBe(400)
    expect(other.requests.filter((path) => path === '/jwks')).toHaveLength(before)
    await stays(token)
  })

  test('a logout token that cannot be checked, because the provider is down, returns 503', async () => {
    const { server, other } = running()
    other.script.answer = (path) =>
      path === '/jwks' ? new Response('down', { status: 502 }) : undefined
    const token = await other.logoutToken({ sub: newId() })
    const { status, body } = await logOutAt(server, 'other', token)
    expect([status, body]).toEqual([
      503,
      { error: 'temporarily_unavailable', error_description: 'The provider cannot be reached' },
    ])
    other.script.answer = undefined
    expect((await logOutAt(server, 'other', token)).status).toBe(200)
  })
})

test('a back-channel logout of an unknown or built-in provider, and of another form, is refused', async () => {
  const { server } = running()
  for (const name of ['none', 'github'])
    expect((await logOutAt(server, name, 'x')).status).toBe(400)
  const path = '/api/auth/oauth/main/backchannel-logout'
  const json = await request(server, 'POST', path, { body: { logout_token: 'x' } })
  expect([json.status, json.body.error]).toEqual([400, 'invalid_request'])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const empty = await request(server, 'POST', path, { headers, body: '' })
  expect(empty.status).toBe(400)
  const huge = await request(server, 'POST', path, {
    headers,
    body: `logout_token=${'x'.repeat(20_000)}`,
  })
  expect(huge.status).toBe(413)
})
