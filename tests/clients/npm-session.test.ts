import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { ApiFailure, createClient } from '../../clients/npm/index.ts'
import type { ClientOptions } from '../../clients/npm/options.ts'
import { newUser, PASSWORD, uniqueEmail, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

/** Counts the requests to the refresh endpoint. */
const connect = (options: Partial<ClientOptions> = {}) => {
  const paths: string[] = []
  const client = createClient({
    baseUrl: server.current.url,
    fetch: (url, init) => {
      paths.push(url.pathname)
      return fetch(url, init)
    },
    ...options,
  })
  const refreshes = () => paths.filter((path) => path === '/api/auth/refresh').length
  return { ...client, refreshes }
}

const signUp = (methods: ReturnType<typeof connect>['methods']) =>
  methods.signUp({ email: uniqueEmail(), password: PASSWORD, confirm_password: PASSWORD })

describe('the session of svc-client', () => {
  test('a sign-up signs the client in, and a sign-out signs it out', async () => {
    const kept: (string | undefined)[] = []
    const { methods, session } = connect({ onRefreshToken: (token) => void kept.push(token) })
    let changes = 0
    const unsubscribe = session.subscribe(() => {
      changes++
    })
    const { user } = await signUp(methods)
    expect(session.isSignedIn).toBe(true)
    expect((await methods.me({})).id).toBe(user.id)
    expect(kept).toEqual([session.refreshToken])
    await methods.signOut({})
    expect(session.isSignedIn).toBe(false)
    expect(kept.at(-1)).toBeUndefined()
    expect(changes).toBe(2)
    unsubscribe()
    await expect(methods.me({})).rejects.toMatchObject({ status: 401, reason: 'bad_credentials' })
  })

  test('a sign-in with a second factor completes with its code', async () => {
    const { methods, session } = connect()
    const { user } = await signUp(methods)
    const { secret } = await methods.setupMfa({})
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { recovery_codes } = await methods.enableMfa({ code })
    await methods.signOut({})
    const pending = await methods.signIn({ email: user.email, password: PASSWORD })
    if (!('mfa_required' in pending)) throw new Error('no second factor was required')
    expect(session.isSignedIn).toBe(false)
    const [recoveryCode = ''] = recovery_codes
    await methods.verifyMfa({ partial_token: pending.partial_token, code: recoveryCode })
    expect((await methods.me({})).id).toBe(user.id)
  })

  test('parallel calls with an expired access token share one refresh', async () => {
    const { refreshToken } = await newUser(server.current)
    const { methods, refreshes } = connect({ accessToken: 'expired', refreshToken })
    const responses = await Promise.all([methods.me({}), methods.listMemories({}), methods.me({})])
    expect(responses[0].id).toBe(responses[2].id)
    expect(refreshes()).toBe(1)
  })

  test('another process continues a session with its refresh token', async () => {
    const first = connect()
    const { user } = await signUp(first.methods)
    const second = connect({ refreshToken: first.session.refreshToken })
    expect(await second.session.restore()).toBe(true)
    expect((await second.methods.me({})).id).toBe(user.id)
  })

  test('a session that has ended is reported once by the server, and calls fail with a fix', async () => {
    const { methods, session, refreshes } = connect({
      refreshToken: 'ended',
      accessToken: 'expired',
    })
    for (let call = 0; call < 2; call++) {
      const error = await methods.me({}).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(ApiFailure)
      expect(error).toMatchObject({ status: 401, fix: 'Sign in again, or set another API key' })
    }
    expect(refreshes()).toBe(1)
    expect(session.isSignedIn).toBe(false)
    expect(await session.restore()).toBe(false)
  })

  test('a sign-in stays when the refresh of an earlier session is refused after it', async () => {
    const signedIn = Promise.withResolvers<void>()
    const { methods, session } = connect({
      refreshToken: 'ended',
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (url.pathname === '/api/auth/refresh') await signedIn.promise
        return response
      },
    })
    const restored = session.restore()
    const { user } = await signUp(methods)
    signedIn.resolve()
    expect(await restored).toBe(true)
    expect((await methods.me({})).id).toBe(user.id)
  })

  test('without a session or a key a restore sends no request', async () => {
    const { session, refreshes } = connect()
    expect(await session.restore()).toBe(false)
    expect(refreshes()).toBe(0)
  })
})

describe('errors of svc', () => {
  test('an error has its reason, its fix and the id of its request', async () => {
    const { key } = await newUser(server.current)
    const { methods } = connect({ apiKey: key })
    const memory_id = crypto.randomUUID()
    await expect(methods.getMemory({ memory_id })).rejects.toMatchObject({
      status: 404,
      reason: 'memory_not_found',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    })
    await expect(methods.remember({ content: ' ' })).rejects.toMatchObject({
      status: 422,
      reason: 'invalid_request',
      message: expect.stringContaining('content'),
    })
    await expect(methods.adminStats({})).rejects.toMatchObject({ reason: 'not_an_admin' })
    const wrong = connect({ apiKey: 'svc_wrong' })
    await expect(wrong.methods.me({})).rejects.toMatchObject({ reason: 'api_key_invalid' })
  })

  test('a repeated write that the contract marks as idempotent changes nothing more', async () => {
    const { key } = await newUser(server.current)
    const { methods } = connect({ apiKey: key })
    const body = { content: 'Ada lives in Porto.' }
    const first = await methods.remember(body)
    expect(await methods.remember(body)).toEqual({ ...first, deduplicated: true })
    const batch = { memories: [{ content: 'Ada drinks tea.' }] }
    await methods.rememberBatch(batch)
    expect((await methods.rememberBatch(batch)).memories[0]?.deduplicated).toBe(true)
  })
})
