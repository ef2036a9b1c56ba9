import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { newAdmin, setSettings } from '../admin/settings-support.ts'
import { createAuthenticator } from '../harness/authenticator.ts'
import { runSql } from '../harness/http.ts'
import { linkIn, newMailedUser, tokenIn, useServerWithMail } from '../harness/mail.ts'
import {
  newUser,
  PASSWORD,
  type RequestOptions,
  request,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'

setDefaultTimeout(60_000)

const it = useServerWithMail()
const CHANGE = 'Confirm your new email address'
const CHANGED = 'The email address of your account was changed'
const LINK_USED = [410, 'This link has expired or was already used']
const SENT = 'Confirm the change with the link that was mailed to the new address'
const NEW_PASSWORD = 'another long passphrase 2'

const call = (method: string, path: string, options: RequestOptions = {}) =>
  request(it.server, method, `/api/auth/${path}`, options)
const post = (path: string, body: unknown, token?: string) =>
  call('POST', path, { body, ...(token && { token }) })
const sql = (...statements: string[]) => runSql(it.server.database, ...statements)
const answerOf = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer
  return [status, body.detail ?? body.message]
}

const change = ({ accessToken }: TestUser, email: string, password: unknown = PASSWORD) =>
  answerOf(post('email/change', { email, password }, accessToken))
const confirm = (token: string) => answerOf(post('email/confirm', { token }))
const undo = (token: string) => answerOf(post('email/undo', { token }))
const signUp = (email: string) =>
  answerOf(post('signup', { email, password: PASSWORD, confirm_password: PASSWORD }))
const signIn = (email: string, password = PASSWORD) => post('signin', { email, password })
const addressOf = async ({ id }: Pick<TestUser, 'id'>) =>
  (await sql(`select email from users where id = '${id}'`))[0]?.email
const newPerson = () => newMailedUser(it.server, it.mailbox)

/** Asks for a change. @returns the token that is mailed to the new address. */
const linkFor = async (user: TestUser, email: string): Promise<string> => {
  expect(await change(user, email)).toEqual([200, SENT])
  return tokenIn(await it.mailbox.next(email, CHANGE))
}

/** Changes the address. @returns the token of the undo link. */
const changeTo = async (user: TestUser, email: string): Promise<string> => {
  const former = String(await addressOf(user))
  expect(await confirm(await linkFor(user, email))).toEqual([200, 'Email address changed'])
  return tokenIn(await it.mailbox.next(former, CHANGED))
}

/** A person whose address was changed. */
const newChanged = async () => {
  const user = await newPerson()
  const email = uniqueEmail()
  return { user, email, undoToken: await changeTo(user, email) }
}

describe('a change by the user', () => {
  test('the address changes when the link at the new one is used, and the former one gets a notice', async () => {
    const user = await newPerson()
    const email = uniqueEmail()
    await change(user, ` ${email.toUpperCase()} `)
    const mail = await it.mailbox.next(email, CHANGE)
    expect(linkIn(mail).href).toStartWith(`${it.server.baseUrl}/email/change?token=`)
    expect(await addressOf(user)).toBe(user.email)

    expect(await confirm(tokenIn(mail))).toEqual([200, 'Email address changed'])
    const notice = await it.mailbox.next(user.email, CHANGED)
    expect(notice.text).toContain(email)
    expect(linkIn(notice).href).toStartWith(`${it.server.baseUrl}/email/undo?token=`)
    const me = await call('GET', 'me', { token: user.accessToken })
    expect(me.body).toMatchObject({ email, email_verified: true })
    expect((await signIn(email)).status).toBe(200)
    expect((await signIn(user.email)).status).toBe(401)
  })

  const refused: Record<string, { attempt: () => Promise<unknown[]>; expected: unknown[] }> = {
    'without the password': {
      attempt: async () => change(await newPerson(), uniqueEmail(), ''),
      expected: [400, 'Password is required'],
    },
    'with a wrong password': {
      attempt: async () => change(await newPerson(), uniqueEmail(), 'wrong'),
      expected: [400, 'Current password is wrong'],
    },
    'to the address of the account, typed in capitals': {
      async attempt() {
        const user = await newPerson()
        return change(user, user.email.toUpperCase())
      },
      expected: [400, 'The account has this address already'],
    },
    'to a malformed address': {
      attempt: async () => change(await newPerson(), 'ada.example.com'),
      expected: [400, 'Invalid email address'],
    },
    'by an API key': {
      async attempt() {
        const body = { email: uniqueEmail(), password: PASSWORD }
        return answerOf(post('email/change', body, (await newPerson()).key))
      },
      expected: [403, expect.any(String)],
    },
    'to another domain than those of the server': {
      async attempt() {
        const [user, admin] = [await newPerson(), await newAdmin(it.server)]
        await setSettings(it.server, admin, { SVC_SIGNUP_DOMAINS: 'staff.example.org' })
        const answer = await change(user, uniqueEmail())
        await setSettings(it.server, admin, { SVC_SIGNUP_DOMAINS: null })
        return answer
      },
      expected: [403, 'Accounts of this server need an address at one of its domains'],
    },
    'without a password and a recent sign-in': {
      async attempt() {
        const user = await newPerson()
        await sql(
          `update users set password_hash = null where id = '${user.id}'`,
          `update sessions set created_at = created_at - interval '16 minutes' where user_id = '${user.id}'`,
        )
        return change(user, uniqueEmail())
      },
      expected: [
        403,
        'Sign in again first: an account without a password needs a sign-in of the last 15 minutes',
      ],
    },
  }
  test.each(Object.entries(refused))(
    'a change %s is refused',
    async (_name, { attempt, expected }) => {
      expect(await attempt()).toEqual(expected)
    },
  )

  test('an unverified address is confirmed before it can be changed', async () => {
    const user = await newUser(it.server)
    const { status, body } = await post(
      'email/change',
      { email: uniqueEmail(), password: PASSWORD },
      user.accessToken,
    )
    expect([status, body.detail.error]).toEqual([403, 'email_not_verified'])
  })

  test('an account without a password changes its address after a recent sign-in', async () => {
    const user = await newPerson()
    await sql(`update users set password_hash = null where id = '${user.id}'`)
    const email = uniqueEmail()
    await changeTo(user, email)
    expect(await addressOf(user)).toBe(email)
  })

  test('wrong passwords are counted', async () => {
    const user = await newPerson()
    for (let i = 0; i < 10; i++) await change(user, uniqueEmail(), 'wrong')
    expect((await change(user, uniqueEmail()))[0]).toBe(429)
  })

  test('the address of another account gets the same response, and its user a notice', async () => {
    const [user, other] = [await newPerson(), await newPerson()]
    expect(await change(user, other.email)).toEqual([200, SENT])
    const mail = await it.mailbox.next(other.email, 'Your email address was entered')
    expect(mail.text).not.toContain('?token=')
    expect(await addressOf(user)).toBe(user.email)
  })
})

describe('the link at the new address', () => {
  /** Each makes the link of a user invalid. */
  const ends: Record<string, (user: TestUser, token: string) => Promise<unknown>> = {
    'was used': (_user, token) => confirm(token),
    'expired after a day': ({ id }) =>
      sql(`update mailed_links set expires_at = expires_at - interval '24 hours'
        where user_id = '${id}' and kind = 'change'`),
    'was replaced by a later one': (user) => linkFor(user, uniqueEmail()),
    'is of a deleted account': ({ accessToken: token }) =>
      call('DELETE', 'delete-account', { token, body: { password: PASSWORD } }),
    'is older than a new password': ({ accessToken }) =>
      post(
        'change-password',
        { current_password: PASSWORD, new_password: NEW_PASSWORD },
        accessToken,
      ),
    'is older than the end of all sessions': ({ accessToken: token }) =>
      call('DELETE', 'sessions', { token }),
  }
  test.each(Object.entries(ends))('a link that %s is refused', async (_name, end) => {
    const user = await newPerson()
    const token = await linkFor(user, uniqueEmail())
    await end(user, token)
    expect(await confirm(token)).toEqual(LINK_USED)
  })

  test('an unknown token is 410, a malformed one 400, and other kinds of links are unknown', async () => {
    const verification = tokenIn(
      await it.mailbox.next((await newUser(it.server)).email, 'Confirm your email'),
    )
    for (const token of ['A'.repeat(43), verification]) {
      expect(await confirm(token)).toEqual(LINK_USED)
      expect(await undo(token)).toEqual(LINK_USED)
    }
    expect(await confirm('x')).toEqual([400, 'Invalid verification token'])
  })

  test('a disabled account keeps its address', async () => {
    const user = await newPerson()
    const token = await linkFor(user, uniqueEmail())
    await sql(`update users set disabled_at = now() where id = '${user.id}'`)
    expect(await confirm(token)).toEqual([403, 'This account is disabled'])
  })

  test('an address that another account got meanwhile is refused', async () => {
    const user = await newPerson()
    const email = uniqueEmail()
    const token = await linkFor(user, email)
    expect((await signUp(email))[0]).toBe(201)
    expect(await confirm(token)).toEqual([409, 'Email already registered'])
    expect(await addressOf(user)).toBe(user.email)
  })

  test('the later link of two requests at once is the valid one', async () => {
    const user = await newPerson()
    const addresses = [uniqueEmail(), uniqueEmail()]
    await Promise.all(addresses.map((email) => change(user, email)))
    const tokens = await Promise.all(
      addresses.map(async (email) => tokenIn(await it.mailbox.next(email, CHANGE))),
    )
    const statuses = await Promise.all(tokens.map(async (token) => (await confirm(token))[0]))
    expect(statuses.sort()).toEqual([200, 410])
  })

  test('a link that is used twenty times at once changes the address once', async () => {
    const user = await newPerson()
    const token = await linkFor(user, uniqueEmail())
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(token)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    const mails = it.mailbox.mails.filter(({ to, subject }) =>
      Boolean(to.includes(user.email) && subject === CHANGED),
    )
    expect(mails.length).toBeLessThanOrEqual(1)
  })

  test('one of two accounts that want an address at once gets it', async () => {
    const users = [await newPerson(), await newPerson()]
    const email = uniqueEmail()
    const tokens = []
    for (const user of users) tokens.push(await linkFor(user, email))
    const statuses = await Promise.all(tokens.map(async (token) => (await confirm(token))[0]))
    expect(statuses.sort()).toEqual([200, 409])
  })

  test('a reset link and a code at the former address end', async () => {
    const user = await newPerson()
    const token = await linkFor(user, uniqueEmail())
    await post('forgot-password', { email: user.email })
    const reset = tokenIn(await it.mailbox.next(user.email, 'Reset'))
    const { attempt_token } = (await post('code', { email: user.email })).body
    const { subject } = await it.mailbox.next(user.email, 'is your code to sign in')
    await confirm(token)
    const body = { attempt_token, code: subject.slice(0, 6) }
    expect((await post('code/signin', body)).status).toBe(401)
    expect((await post('reset-password', { token: reset, password: NEW_PASSWORD })).status).toBe(
      400,
    )
  })
})

describe('the undo link at the former address', () => {
  test('an undo restores the address, ends what opens the account and mails a reset link', async () => {
    const { user, email, undoToken } = await newChanged()
    const authenticator = await createAuthenticator(new URL(it.server.baseUrl).origin)
    const { options } = (await post('passkeys/options', {}, user.accessToken)).body
    const response = await authenticator.register(options)
    await post('passkeys', { name: 'phone', response }, user.accessToken)
    await sql(`insert into oauth_connections (provider, subject, user_id, email)
      values ('google', '${user.id}', '${user.id}', '${email}')`)

    expect((await undo(undoToken))[0]).toBe(200)
    expect(await addressOf(user)).toBe(user.email)
    for (const token of [user.accessToken, user.key])
      expect((await request(it.server, 'GET', '/api/me', { token })).status).toBe(401)
    expect((await signIn(user.email)).body.access_token).toBeUndefined()
    const left = await sql(`select (select count(*) from passkeys where user_id = '${user.id}')
      + (select count(*) from oauth_connections where user_id = '${user.id}') as count`)
    expect(Number(left[0]?.count)).toBe(0)
    await it.mailbox.next(email, 'The email address of an account was changed back')

    const token = tokenIn(await it.mailbox.next(user.email, 'Reset'))
    expect((await post('reset-password', { token, password: NEW_PASSWORD })).status).toBe(200)
    expect((await signIn(user.email, NEW_PASSWORD)).body.access_token).toBeString()
    expect(await undo(undoToken)).toEqual(LINK_USED)
  })

  const enableMfa = async ({ accessToken }: TestUser) => {
    const { secret } = (await post('mfa/setup', {}, accessToken)).body
    const code = new TOTP({ secret }).generate()
    expect((await post('mfa/enable', { code }, accessToken)).status).toBe(200)
  }
  const secrets = async ({ id }: TestUser) =>
    (await sql(`select user_id from mfa_secrets where user_id = '${id}'`)).length

  test('an undo ends a second factor that was turned on since', async () => {
    const { user, undoToken } = await newChanged()
    await enableMfa(user)
    expect((await undo(undoToken))[0]).toBe(200)
    expect(await secrets(user)).toBe(0)
  })

  test('an undo keeps a second factor of before, which protects the account from the former mailbox', async () => {
    const user = await newPerson()
    await enableMfa(user)
    const token = await changeTo(user, uniqueEmail())
    expect((await undo(token))[0]).toBe(200)
    expect(await secrets(user)).toBe(1)
  })

  test('an undo link stays valid when the password is changed and the sessions are ended', async () => {
    const { user, undoToken } = await newChanged()
    const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    expect((await post('change-password', passwords, user.accessToken)).status).toBe(200)
    expect((await undo(undoToken))[0]).toBe(200)
  })

  test('a later undo does not end an earlier one, and an earlier one ends the later', async () => {
    const { user, email, undoToken } = await newChanged()
    const later = await changeTo(user, uniqueEmail())
    expect((await undo(later))[0]).toBe(200)
    expect(await addressOf(user)).toBe(email)
    expect((await undo(undoToken))[0]).toBe(200)
    expect(await addressOf(user)).toBe(user.email)

    const other = await newChanged()
    const last = await changeTo(other.user, uniqueEmail())
    expect((await undo(other.undoToken))[0]).toBe(200)
    expect(await undo(last)).toEqual(LINK_USED)
    expect(await addressOf(other.user)).toBe(other.user.email)
  })

  test('an undo link works after the user has changed back', async () => {
    const { user, undoToken } = await newChanged()
    await changeTo(user, user.email)
    expect((await undo(undoToken))[0]).toBe(200)
    expect(await addressOf(user)).toBe(user.email)
  })

  test('an undo link expires after seven days', async () => {
    const { user, undoToken } = await newChanged()
    await sql(`update mailed_links set expires_at = expires_at - interval '7 days'
      where user_id = '${user.id}' and kind = 'undo'`)
    expect(await undo(undoToken)).toEqual(LINK_USED)
  })

  test('twenty uses at once restore the address once', async () => {
    const { undoToken } = await newChanged()
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(undoToken)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
  })
})

describe('the former address', () => {
  const TAKEN = [409, 'Email already registered']

  /** The ways in which another account would get an address. Each returns the response. */
  const takers: Record<string, (email: string) => Promise<unknown[]>> = {
    'a sign-up': signUp,
    'a change of a verified address': async (email) =>
      confirm(await linkFor(await newPerson(), email)),
    'the verification of another address': async (email) => {
      const user = await newUser(it.server)
      await it.mailbox.next(user.email, 'Confirm')
      await post('change-verification-email', { email }, user.accessToken)
      const token = tokenIn(await it.mailbox.next(email, 'Confirm your email'))
      return answerOf(post('verify-email', { token }))
    },
  }
  test.each(Object.entries(takers))(
    'a former address is held against %s for seven days',
    async (_name, take) => {
      const { user, undoToken } = await newChanged()
      expect(await take(user.email)).toEqual(TAKEN)
      expect((await undo(undoToken))[0]).toBe(200)
      expect(await addressOf(user)).toBe(user.email)

      const other = await newChanged()
      await sql(`update mailed_links set expires_at = expires_at - interval '7 days'
      where user_id = '${other.user.id}' and kind = 'undo'`)
      expect((await take(other.user.email))[0]).toBeLessThan(300)
    },
  )

  test('a sign-up during the change does not get it either', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await newPerson()
      const token = await linkFor(user, uniqueEmail())
      const [confirmed, ...signedUp] = await Promise.all([
        confirm(token),
        ...Array.from({ length: 4 }, () => signUp(user.email)),
      ])
      expect(confirmed?.[0]).toBe(200)
      expect(signedUp).toEqual(Array(4).fill(TAKEN))
    }
  })

  test('a former address is free when the account is deleted', async () => {
    const { user } = await newChanged()
    const options = { token: user.accessToken, body: { password: PASSWORD } }
    expect((await call('DELETE', 'delete-account', options)).status).toBe(200)
    expect((await signUp(user.email))[0]).toBe(201)
  })
})
