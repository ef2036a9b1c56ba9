import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { newVerifiedUser } from '../harness/http.ts'
import {
  newUser,
  PASSWORD,
  request,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'
import {
  askTokens,
  authorizePath,
  CALLBACK,
  decide,
  newProof,
  register,
} from '../mcp/oauth-support.ts'

const APP = 'https://app.example.com'
const ADMIN = uniqueEmail()
const server = useServer({ SVC_FRONTEND_ORIGINS: APP, SVC_ADMIN_EMAILS: ADMIN })
const NEW_PASSWORD = 'a new password that no one guesses'

const auth = (method: string, path: string, token: string | undefined, body?: unknown) =>
  request(server.current, method, `/api/auth/${path}`, {
    ...(token && { token }),
    ...(body !== undefined && { body }),
  })
const mailedToken = async (email: string, kind: 'verify' | 'reset'): Promise<string> => {
  const mail = await server.current.noticed(
    new RegExp(`^Mail to ${email} [^]*/${kind}\\?token=[\\w-]+`),
  )
  return new RegExp(`/${kind}\\?token=([\\w-]+)`).exec(mail)?.[1] ?? ''
}

/** Redeems something that the user approved before. @returns whether it was still valid. */
type Redeem = () => Promise<boolean>

const approveLogin = async (user: TestUser, body: object = { session: true }): Promise<Redeem> => {
  const { device_code, user_code } = (await auth('POST', 'mcp/start', undefined, body)).body
  await auth('POST', 'mcp/authorize', user.accessToken, { user_code, approve: true })
  return async () => {
    const { status, body, cookie } = await auth('POST', 'mcp/poll', undefined, { device_code })
    if (status === 410) expect([body.api_key, body.access_token, cookie]).toEqual(Array(3))
    return status === 200 && body.status === 'approved'
  }
}

const authorizeClient = async (user: TestUser): Promise<Redeem> => {
  const client_id = await register(server.current)
  const { verifier, challenge } = newProof()
  const path = authorizePath({ client_id, code_challenge: challenge })
  const back = await decide(server.current, user, path)
  const form = {
    grant_type: 'authorization_code',
    client_id,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  }
  return async () => (await askTokens(server.current, form)).status === 200
}

const mintHandoff = async (user: TestUser): Promise<Redeem> => {
  const minted = await request(server.current, 'POST', '/api/auth/handoff/mint', {
    cookie: user.refreshToken,
    body: { target_origin: APP },
  })
  const body = { token: minted.body.token }
  const headers = { origin: APP }
  return async () =>
    (await request(server.current, 'POST', '/api/auth/handoff/exchange', { body, headers }))
      .status === 200
}

const beginSignIn = async (user: TestUser): Promise<Redeem> => {
  const { secret } = (await auth('POST', 'mfa/setup', user.accessToken)).body
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const enabled = await auth('POST', 'mfa/enable', user.accessToken, { code: totp.generate() })
  const [code] = enabled.body.recovery_codes
  const { email } = user
  const { partial_token } = (await auth('POST', 'signin', undefined, { email, password: PASSWORD }))
    .body
  return async () =>
    (await auth('POST', 'mfa/verify', undefined, { partial_token, code })).status === 200
}

const requestReset = async ({ email }: TestUser): Promise<Redeem> => {
  await auth('POST', 'forgot-password', undefined, { email })
  const token = await mailedToken(email, 'reset')
  return async () =>
    (await auth('POST', 'reset-password', undefined, { token, password: `${NEW_PASSWORD}!` }))
      .status === 200
}

const bound: [string, (user: TestUser) => Promise<Redeem>][] = [
  ['device login', approveLogin],
  ['authorization code', authorizeClient],
  ['handoff token', mintHandoff],
]
const pending: typeof bound = [
  ...bound,
  ['partial token', beginSignIn],
  ['reset link', requestReset],
]

let admin: TestUser | undefined
const signedInAdmin = async (): Promise<TestUser> => {
  if (admin) return admin
  const body = { email: ADMIN, password: PASSWORD, confirm_password: PASSWORD }
  const { access_token } = (await auth('POST', 'signup', undefined, body)).body
  await auth('POST', 'verify-email', undefined, { token: await mailedToken(ADMIN, 'verify') })
  admin = { ...(await newUser(server.current)), accessToken: access_token }
  return admin
}
const byAdmin = async (user: TestUser, what: 'disable' | 'enable') => {
  const { accessToken: token } = await signedInAdmin()
  const path = `/api/admin/users/${user.id}/${what}`
  const { status } = await request(server.current, 'POST', path, {
    token,
    body: { reason: 'test' },
  })
  expect(status).toBe(200)
}

/** The actions that revoke everything pending. */
const ends: [string, (user: TestUser) => Promise<unknown>][] = [
  ['revoking all sessions', (user) => auth('DELETE', 'sessions', user.accessToken)],
  [
    'a password change in the same session',
    (user) =>
      auth('POST', 'change-password', user.accessToken, {
        current_password: PASSWORD,
        new_password: NEW_PASSWORD,
      }),
  ],
  [
    'a password reset',
    async ({ email }) => {
      await auth('POST', 'forgot-password', undefined, { email })
      const token = await mailedToken(email, 'reset')
      await auth('POST', 'reset-password', undefined, { token, password: NEW_PASSWORD })
    },
  ],
  [
    'disabling the account, also once it is enabled again',
    async (user) => {
      await byAdmin(user, 'disable')
      await byAdmin(user, 'enable')
    },
  ],
  [
    'deleting the account',
    (user) => auth('DELETE', 'delete-account', user.accessToken, { password: PASSWORD }),
  ],
]

for (const [kind, approve] of pending) {
  describe(`a pending ${kind}`, () => {
    test(`a pending ${kind} works`, async () => {
      const redeem = await approve(await newVerifiedUser(server.current))
      expect(await redeem()).toBe(true)
    })

    for (const [what, end] of ends)
      test(`a pending ${kind} is revoked by ${what}`, async () => {
        const user = await newVerifiedUser(server.current)
        const redeem = await approve(user)
        await end(user)
        expect(await redeem()).toBe(false)
      })
  })
}

for (const [kind, approve] of bound)
  describe(`a pending ${kind}`, () => {
    test(`a pending ${kind} ends when its session signs out`, async () => {
      const user = await newVerifiedUser(server.current)
      const redeem = await approve(user)
      await request(server.current, 'POST', '/api/auth/signout', { cookie: user.refreshToken })
      expect(await redeem()).toBe(false)
    })

    test(`a pending ${kind} ends when another session revokes its session`, async () => {
      const user = await newVerifiedUser(server.current)
      const { email } = user
      const other = await auth('POST', 'signin', undefined, { email, password: PASSWORD })
      const redeem = await approve(user)
      const { body } = await auth('GET', 'sessions', user.accessToken)
      const { id } = body.find(({ current }: { current: boolean }) => current)
      await auth('DELETE', `sessions/${id}`, other.body.access_token)
      expect(await redeem()).toBe(false)
    })

    test(`a parallel revocation of all sessions leaves no session of a pending ${kind}`, async () => {
      const user = await newVerifiedUser(server.current)
      const redeem = await approve(user)
      await Promise.all([redeem(), auth('DELETE', 'sessions', user.accessToken)])
      const { email } = user
      const { body } = await auth('POST', 'signin', undefined, { email, password: PASSWORD })
      expect((await auth('GET', 'sessions', body.access_token)).body).toHaveLength(1)
    })
  })

test('a device login with a revoked approval is 410 at each poll', async () => {
  const user = await newVerifiedUser(server.current)
  const { device_code, user_code } = (await auth('POST', 'mcp/start', undefined, {})).body
  await auth('POST', 'mcp/authorize', user.accessToken, { user_code, approve: true })
  await auth('DELETE', 'sessions', user.accessToken)
  for (const _ of [1, 2]) {
    const { status, body } = await auth('POST', 'mcp/poll', undefined, { device_code })
    expect([status, body]).toEqual([
      410,
      { detail: 'The approval of this login was revoked; start a new login' },
    ])
  }
})

test('revoking all sessions revokes a link to another address, and not one to the own address', async () => {
  const user = await newUser(server.current)
  const other = uniqueEmail()
  await auth('POST', 'change-verification-email', user.accessToken, { email: other })
  const tokens = [await mailedToken(other, 'verify'), await mailedToken(user.email, 'verify')]
  await auth('DELETE', 'sessions', user.accessToken)
  const answers = []
  for (const token of tokens) answers.push(await auth('POST', 'verify-email', undefined, { token }))
  expect(answers.map(({ status }) => status)).toEqual([410, 200])
})

test('a device login for an organization is revoked when its user leaves, also after a new invite', async () => {
  const owner = await newVerifiedUser(server.current)
  const user = await newVerifiedUser(server.current)
  const call = (caller: TestUser, method: string, path: string, body?: unknown) =>
    request(server.current, method, `/api/${path}`, {
      token: caller.accessToken,
      ...(body !== undefined && { body }),
    })
  const org = (await call(owner, 'POST', 'orgs', { name: 'Analytics' })).body
  const join = async () => {
    const { body } = await call(owner, 'POST', `orgs/${org.id}/invites`, { email: user.email })
    const token = new URL(body.invite_url).searchParams.get('token')
    expect((await call(user, 'POST', 'invites/accept', { token })).status).toBe(200)
  }
  await join()
  const { device_code, user_code } = (await auth('POST', 'mcp/start', undefined, {})).body
  const answer = { user_code, approve: true, org_id: org.id }
  expect((await auth('POST', 'mcp/authorize', user.accessToken, answer)).status).toBe(200)
  await call(owner, 'DELETE', `orgs/${org.id}/members/${user.id}`)
  await join()
  expect((await auth('POST', 'mcp/poll', undefined, { device_code })).status).toBe(410)
})
