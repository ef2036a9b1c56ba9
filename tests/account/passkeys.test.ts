import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { type Authenticator, type Ceremony, createAuthenticator } from '../harness/authenticator.ts'
import {
  newUser,
  PASSWORD,
  type RequestOptions,
  request,
  startServer,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()

const call = (method: string, path: string, options: RequestOptions = {}) =>
  request(server.current, method, `/api/auth/passkeys${path}`, options)
const bearer = ({ accessToken: token }: TestUser, body?: object) => ({
  token,
  ...(body && { body }),
})
const list = async (user: TestUser) => (await call('GET', '', bearer(user))).body
const registrationOptions = async (user: TestUser) =>
  (await call('POST', '/options', bearer(user))).body.options
const signInOptions = async () => (await call('POST', '/signin/options')).body.options

const newAuthenticator = () => createAuthenticator(new URL(server.current.baseUrl).origin)

const add = (user: TestUser, response: object, name = 'phone') =>
  call('POST', '', bearer(user, { name, response }))

/** A user with a passkey. */
const newPasskeyUser = async () => {
  const user = await newUser(server.current)
  const authenticator = await newAuthenticator()
  const added = await add(user, await authenticator.register(await registrationOptions(user)))
  expect(added.status).toBe(201)
  return { user, authenticator, id: added.body.id as string }
}

const signIn = async (authenticator: Authenticator, ceremony?: Ceremony) =>
  call('POST', '/signin', {
    body: { response: await authenticator.signIn(await signInOptions(), ceremony) },
  })

const refused = {
  status: 401,
  body: { detail: 'The passkey was not accepted. Try again, or sign in another way' },
}
const actions = async (user: TestUser) => {
  const { body } = await request(server.current, 'GET', '/api/auth/audit', bearer(user))
  return body.entries.map(({ action }: { action: string }) => action)
}

/** A user with an authenticator app and a passkey. */
const newMfaUser = async () => {
  const created = await newPasskeyUser()
  const post = (path: string, body?: object) =>
    request(server.current, 'POST', `/api/auth/mfa/${path}`, bearer(created.user, body))
  const { secret } = (await post('setup')).body
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await post('enable', { code })).status).toBe(200)
  return created
}

describe('registration', () => {
  test('the options require a discoverable credential, user verification and no attestation', async () => {
    const user = await newUser(server.current)
    const options = await registrationOptions(user)
    expect(options).toMatchObject({
      rp: { id: new URL(server.current.baseUrl).hostname },
      user: { name: user.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
  })

  test('a registered passkey is listed, named in later options, and can be renamed', async () => {
    const { user, authenticator, id } = await newPasskeyUser()
    expect(await list(user)).toEqual([
      {
        id,
        name: 'phone',
        is_synced: false,
        created_at: expect.any(String),
        last_used_at: null,
      },
    ])
    const { excludeCredentials } = await registrationOptions(user)
    expect(excludeCredentials).toEqual([{ id: authenticator.id, type: 'public-key' }])
    const renamed = await call('PATCH', `/${id}`, bearer(user, { name: ' laptop ' }))
    expect([renamed.status, renamed.body.name]).toEqual([200, 'laptop'])
    expect(await actions(user)).toContain('passkey.added')
  })

  test('a response for another origin, another relying party or without verification is refused', async () => {
    const user = await newUser(server.current)
    const authenticator = await newAuthenticator()
    const wrong: Ceremony[] = [
      { origin: 'https://svc.example.org' },
      { rpId: 'example.org' },
      { isVerified: false },
    ]
    for (const ceremony of wrong) {
      const options = await registrationOptions(user)
      const { status, body } = await add(user, await authenticator.register(options, ceremony))
      expect([status, body.detail]).toEqual([400, 'The response of the authenticator is not valid'])
    }
    expect(await list(user)).toEqual([])
  })

  test('a challenge works once, for its user and for a registration only', async () => {
    const [user, other] = [await newUser(server.current), await newUser(server.current)]
    const options = await registrationOptions(user)
    const authenticator = await newAuthenticator()
    const response = await authenticator.register(options)
    const ended = 'This request for a passkey has expired or was used already. Try again'
    expect((await add(other, response)).body.detail).toBe(ended)
    const { challenge } = await signInOptions()
    const foreign = await authenticator.register({ ...options, challenge })
    expect((await add(user, foreign)).body.detail).toBe(ended)
    expect((await add(user, response)).status).toBe(201)
    const again = await (await newAuthenticator()).register(options)
    expect((await add(user, again)).body.detail).toBe(ended)
  })

  test('exactly one of parallel registrations with one challenge succeeds', async () => {
    const user = await newUser(server.current)
    const options = await registrationOptions(user)
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () =>
        add(user, await (await newAuthenticator()).register(options)),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
    expect(await list(user)).toHaveLength(1)
  })

  test('a credential belongs to one account', async () => {
    const { authenticator } = await newPasskeyUser()
    const other = await newUser(server.current)
    const response = await authenticator.register(await registrationOptions(other))
    const answers = await Promise.all([add(other, response), add(other, response)])
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
  })

  test('an account has at most 50 passkeys, also when they are added in parallel', async () => {
    const user = await newUser(server.current)
    const addOne = async () =>
      add(user, await (await newAuthenticator()).register(await registrationOptions(user)))
    // More at once wait for the database longer than a request may on a busy machine.
    const addAtOnce = (count: number) => Promise.all(Array.from({ length: count }, addOne))
    for (let added = 0; added < 44; added += 11) await addAtOnce(11)
    const answers = await addAtOnce(8)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
  })

  test('a passkey of another user is not found', async () => {
    const { id } = await newPasskeyUser()
    const other = await newUser(server.current)
    for (const [method, body] of [['PATCH', { name: 'mine' }], ['DELETE']] as const)
      expect((await call(method, `/${id}`, bearer(other, body))).status).toBe(404)
  })

  test('an API key manages no passkeys', async () => {
    const { user } = await newPasskeyUser()
    const options = bearer(user, { name: 'key' })
    const { body } = await request(server.current, 'POST', '/api/auth/api-keys', options)
    expect((await call('GET', '', { token: body.key })).status).toBe(403)
  })
})

describe('sign-in', () => {
  test('a passkey signs in without an address or a password', async () => {
    const { user, authenticator } = await newPasskeyUser()
    const { status, body, cookie } = await signIn(authenticator)
    expect([status, body.user.email]).toEqual([200, user.email])
    expect(cookie).toContain('refresh_token=')
    const [passkey] = await list(user)
    expect(passkey).toMatchObject({ is_synced: true, last_used_at: expect.any(String) })
  })

  test('the options name no credentials and are the same for everyone', async () => {
    const { challenge, ...options } = await signInOptions()
    expect(challenge).toBeString()
    expect(options).toEqual({
      rpId: new URL(server.current.baseUrl).hostname,
      timeout: 1_800_000,
      userVerification: 'required',
    })
  })

  test('a wrong origin, relying party, key or user handle, and a missing verification are refused', async () => {
    const { authenticator } = await newPasskeyUser()
    for (const ceremony of [
      { origin: 'https://svc.example.org' },
      { rpId: 'example.org' },
      { isVerified: false },
    ])
      expect(await signIn(authenticator, ceremony)).toMatchObject(refused)
    const other = await newAuthenticator()
    const response = { ...(await other.signIn(await signInOptions())), id: authenticator.id }
    expect(await call('POST', '/signin', { body: { response } })).toMatchObject(refused)
    const named = await authenticator.signIn(await signInOptions())
    named.response.userHandle = 'AAAA'
    expect(await call('POST', '/signin', { body: { response: named } })).toMatchObject(refused)
    expect(await signIn(other)).toMatchObject(refused)
    expect((await signIn(authenticator)).status).toBe(200)
  })

  test('exactly one of replayed and parallel responses signs in', async () => {
    const { authenticator } = await newPasskeyUser()
    const response = await authenticator.signIn(await signInOptions())
    const send = () => call('POST', '/signin', { body: { response } })
    const answers = await Promise.all(Array.from({ length: 6 }, send))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(401)])
    expect(await send()).toMatchObject(refused)
  })

  test('a challenge that the server did not issue is refused', async () => {
    const { authenticator } = await newPasskeyUser()
    const options = await signInOptions()
    const forged = `${options.challenge.slice(0, -4)}AAAA`
    for (const challenge of [forged, 'AAAA', '']) {
      const response = await authenticator.signIn({ ...options, challenge })
      expect(await call('POST', '/signin', { body: { response } })).toMatchObject(refused)
    }
  })

  test('a counter that goes back refuses the passkey and is in the audit log', async () => {
    const { user, authenticator } = await newPasskeyUser()
    authenticator.setCounter(7)
    expect((await signIn(authenticator)).status).toBe(200)
    authenticator.setCounter(3)
    const { status, body } = await signIn(authenticator)
    expect([status, body.detail]).toEqual([
      401,
      'A copy of this passkey may exist, because its counter went back. Sign in another way and remove it',
    ])
    authenticator.setCounter(0)
    expect((await signIn(authenticator)).status).toBe(401)
    expect(
      (await actions(user)).filter((action: string) => action === 'passkey.copied'),
    ).toHaveLength(2)
  })

  test('a removed passkey and one of a deleted account do not sign in', async () => {
    const { user, authenticator, id } = await newPasskeyUser()
    expect((await call('DELETE', `/${id}`, bearer(user))).status).toBe(204)
    expect(await signIn(authenticator)).toMatchObject(refused)
    const second = await newPasskeyUser()
    const options = bearer(second.user, { password: PASSWORD })
    await request(server.current, 'DELETE', '/api/auth/delete-account', options)
    expect(await signIn(second.authenticator)).toMatchObject(refused)
  })

  test('an address has a limit of sign-ins', async () => {
    const { authenticator } = await newPasskeyUser()
    const response = await authenticator.signIn(await signInOptions())
    const from = '198.51.100.7'
    const statuses: number[] = []
    for (let i = 0; i < 61; i++)
      statuses.push((await call('POST', '/signin', { body: { response }, from })).status)
    expect(statuses.slice(0, 2)).toEqual([200, 401])
    expect(statuses.at(-1)).toBe(429)
  })

  test('a reset of an address that was not verified removes passkeys of an earlier owner', async () => {
    const { user, authenticator } = await newPasskeyUser()
    await request(server.current, 'POST', '/api/auth/forgot-password', {
      body: { email: user.email },
    })
    const mail = await server.current.noticed(
      new RegExp(`^Mail to ${user.email} [^]*/reset\\?token=`),
    )
    const token = /\/reset\?token=([\w-]+)/.exec(mail)?.[1]
    const body = { token, password: 'quite another long password' }
    const reset = await request(server.current, 'POST', '/api/auth/reset-password', { body })
    expect(reset.status).toBe(200)
    expect(await signIn(authenticator)).toMatchObject(refused)
  })
})

describe('second factor', () => {
  const partial = async ({ email }: TestUser): Promise<string> => {
    const body = { email, password: PASSWORD }
    return (await request(server.current, 'POST', '/api/auth/signin', { body })).body.partial_token
  }
  const verify = async (partial_token: string, authenticator: Authenticator) =>
    call('POST', '/verify', {
      body: { partial_token, response: await authenticator.signIn(await signInOptions()) },
    })

  test('a passkey completes a sign-in that waits for a code, once', async () => {
    const { user, authenticator } = await newMfaUser()
    const token = await partial(user)
    const { status, body, cookie } = await verify(token, authenticator)
    expect([status, body.user.email]).toEqual([200, user.email])
    expect(cookie).toContain('refresh_token=')
    expect((await verify(token, authenticator)).status).toBe(401)
  })

  test('a passkey of another account and an invalid partial token are refused', async () => {
    const { user, authenticator } = await newMfaUser()
    const other = await newPasskeyUser()
    expect(await verify(await partial(user), other.authenticator)).toMatchObject(refused)
    expect((await verify('a.b.c', authenticator)).status).toBe(401)
    expect((await verify(await partial(user), authenticator)).status).toBe(200)
  })

  test('a passkey alone signs in although the account has a second factor', async () => {
    const { authenticator } = await newMfaUser()
    expect((await signIn(authenticator)).body.access_token).toBeString()
  })
})

describe('an account without a password', () => {
  const removePassword = (user: TestUser, current_password = PASSWORD) =>
    request(server.current, 'DELETE', '/api/auth/password', bearer(user, { current_password }))

  test('the password is removed once a passkey and recovery codes exist, with the password only', async () => {
    const needed =
      'Add a passkey and turn on the second factor first: its recovery codes are needed'
    const { user: withoutCodes } = await newPasskeyUser()
    expect((await removePassword(withoutCodes)).body.detail).toBe(needed)
    const { user, authenticator } = await newMfaUser()
    expect((await removePassword(user, 'wrong')).body.detail).toBe('Current password is wrong')
    expect((await removePassword(user)).status).toBe(200)
    const body = { email: user.email, password: PASSWORD }
    expect((await request(server.current, 'POST', '/api/auth/signin', { body })).status).toBe(400)
    expect((await removePassword(user)).body.detail).toBe('Current password is wrong')
    expect((await signIn(authenticator)).status).toBe(200)
    expect(await actions(user)).toContain('password.removed')
    await server.current.noticed(
      new RegExp(`^Mail to ${user.email} [^]*password of your account was removed`),
    )
  })

  test('the last passkey stays, also when two are removed in parallel', async () => {
    const { user, id } = await newMfaUser()
    const second = await newAuthenticator()
    const added = await add(user, await second.register(await registrationOptions(user)))
    expect((await removePassword(user)).status).toBe(200)
    const answers = await Promise.all(
      [id, added.body.id].map((each) => call('DELETE', `/${each}`, bearer(user))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400])
    expect(answers.find(({ status }) => status === 400)?.body.detail).toBe(
      'This is the only way to sign in; set a password first',
    )
    expect(await list(user)).toHaveLength(1)
  })

  test('a password is not removed together with the passkey that replaces it', async () => {
    const { user, id } = await newMfaUser()
    const answers = await Promise.all([
      removePassword(user),
      call('DELETE', `/${id}`, bearer(user)),
    ])
    expect(answers.map(({ status }) => status)).toContain(400)
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  })
})

describe('the sign-in page', () => {
  const post = (form: Record<string, string>) =>
    request(server.current, 'POST', '/api/auth/app/passkey', {
      body: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: new URL(server.current.baseUrl).origin,
      },
    })

  test('a text that is no response of an authenticator shows the form again', async () => {
    for (const response of ['', 'null', '{"id":1}', '"><script>', '[]']) {
      const { status, text } = await post({ response })
      expect(status).toBe(401)
      expect(text).toContain('The passkey was not accepted')
    }
  })

  test('a response to the challenge of the page sets the cookie and leads on', async () => {
    const { authenticator } = await newPasskeyUser()
    const { text } = await request(server.current, 'GET', '/api/auth/app')
    const challenge = /challenge&#34;:&#34;([\w-]+)/.exec(text)?.[1]
    const options = { ...(await signInOptions()), challenge }
    const response = JSON.stringify(await authenticator.signIn(options))
    const { status, cookie } = await post({ response, next: '/app/memories' })
    expect(status).toBe(303)
    expect(cookie).toContain('refresh_token=')
  })
})

test('passkeys are not available on a server that is known by an IP address', async () => {
  await using byAddress = await startServer({ SVC_BASE_URL: 'http://127.0.0.1:3000' })
  const { status, body } = await request(byAddress, 'POST', '/api/auth/passkeys/signin/options')
  expect([status, body.detail]).toEqual([
    409,
    'Passkeys need a host name: SVC_BASE_URL has an IP address',
  ])
})
