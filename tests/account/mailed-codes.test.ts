import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { runSql } from '../harness/http.ts'
import { newMailedUser, useSharedServerWithMail } from '../harness/mail.ts'
import { newUser, PASSWORD, request, type TestUser, uniqueEmail } from '../harness/server.ts'

setDefaultTimeout(60_000)

const it = useSharedServerWithMail()
const WRONG = [401, { detail: 'This code is wrong or has expired' }]
const CODE = 'is your code to sign in'

const post = (path: string, body: unknown, token?: string) =>
  request(it.server, 'POST', `/api/auth/${path}`, { body, ...(token && { token }) })
const ask = (email: unknown) => post('code', { email })
const enter = async (attempt_token: string, code: string) => {
  const { status, body } = await post('code/signin', { attempt_token, code })
  return [status, body]
}
const codeOf = async (email: string): Promise<string> =>
  (await it.mailbox.next(email, CODE)).subject.slice(0, 6)

/** A verified user who asked for a code. */
const withCode = async (user?: TestUser) => {
  const known = user ?? (await newMailedUser(it.server, it.mailbox))
  const attempt: string = (await ask(known.email)).body.attempt_token
  return { user: known, attempt, code: await codeOf(known.email) }
}

/** Another code than this one. */
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a mailed code', () => {
  test('a code signs in once, with spaces, and starts a session', async () => {
    const { user, attempt, code } = await withCode()
    expect(code).toMatch(/^\d{6}$/)
    const { status, body, headers } = await post('code/signin', {
      attempt_token: attempt,
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    })
    expect(status).toBe(200)
    expect(headers.get('set-cookie')).toContain('refresh_token=')
    const me = await request(it.server, 'GET', '/api/auth/me', { token: body.access_token })
    expect(me.body.email).toBe(user.email)
    expect(await enter(attempt, code)).toEqual(WRONG)
  })

  test('the response does not reveal whether the account exists; only verified ones get a code', async () => {
    const { email } = await newMailedUser(it.server, it.mailbox)
    const unverified = await newUser(it.server)
    await it.mailbox.next(unverified.email, 'Confirm')
    const unknown = uniqueEmail()
    const answers = [await ask(email), await ask(unknown), await ask(unverified.email)]
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([
        200,
        { attempt_token: expect.stringMatching(/^[\w-]{43}$/), expires_in: 600 },
      ])
      expect([...headers.keys()].sort()).toEqual([...(answers[0]?.headers.keys() ?? [])].sort())
    }
    // An account that is not verified gets the link that verifies it.
    await it.mailbox.next(unverified.email, 'Confirm')
    const code = await codeOf(email)
    for (const { body } of answers.slice(1))
      expect(await enter(body.attempt_token, code)).toEqual(WRONG)
    expect(it.mailbox.mails.filter(({ to }) => to.includes(unknown))).toEqual([])
    for (const address of ['no address', '', `${'x'.repeat(400)}@example.com`])
      expect((await ask(address)).status).toBe(400)
    expect((await ask(5)).status).toBe(422)
  })

  test('a code works only with the secret of the browser that asked', async () => {
    const mine = await withCode()
    const again = await withCode(mine.user)
    expect(await enter(again.attempt, mine.code)).toEqual(
      mine.code === again.code ? [200, expect.anything()] : WRONG,
    )
    const stranger = (await ask(mine.user.email)).body.attempt_token
    await codeOf(mine.user.email)
    expect((await enter(stranger, mine.code))[0]).toBe(401)
    expect(await enter('x'.repeat(43), mine.code)).toEqual(WRONG)
    expect((await enter(mine.attempt, mine.code))[0]).toBe(200)
  })

  test('a code ends after five wrong tries, also of requests at once', async () => {
    const { attempt, code } = await withCode()
    const answers = await Promise.all(Array.from({ length: 6 }, () => enter(attempt, other(code))))
    expect(answers).toEqual(Array(6).fill(WRONG))
    expect(await enter(attempt, code)).toEqual(WRONG)
  })

  test('the same right code signs in once, also by requests at once', async () => {
    const { attempt, code } = await withCode()
    const answers = await Promise.all(Array.from({ length: 5 }, () => enter(attempt, code)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([status]) => status === 401)).toHaveLength(4)
  })

  test('ten wrong codes in a row lock the address, as wrong passwords do', async () => {
    const user = await newMailedUser(it.server, it.mailbox)
    for (let round = 0; round < 2; round++) {
      const { attempt, code } = await withCode(user)
      for (let i = 0; i < 5; i++) expect(await enter(attempt, other(code))).toEqual(WRONG)
    }
    const { attempt, code } = await withCode(user)
    expect((await enter(attempt, code))[0]).toBe(429)
    expect((await post('signin', { email: user.email, password: PASSWORD })).status).toBe(429)
    const { body } = await request(it.server, 'GET', '/api/auth/audit?limit=100', {
      token: user.accessToken,
    })
    const failed = body.entries.filter(
      ({ action, details }: { action: string; details: object }) =>
        action === 'session.failed' && JSON.stringify(details).includes('mailed code'),
    )
    expect(failed).toHaveLength(10)
  })

  test('a code expires after ten minutes', async () => {
    const { user, attempt, code } = await withCode()
    await runSql(
      it.server.database,
      `update mailed_codes set expires_at = now() - interval '1 second' where email = '${user.email}'`,
    )
    expect(await enter(attempt, code)).toEqual(WRONG)
  })

  test('a code of an account that is disabled or ends all sessions signs in no more', async () => {
    const ended = await withCode()
    const { status } = await request(it.server, 'DELETE', '/api/auth/sessions', {
      token: ended.user.accessToken,
    })
    expect(status).toBeLessThan(300)
    expect(await enter(ended.attempt, ended.code)).toEqual(WRONG)
    const disabled = await withCode()
    await runSql(
      it.server.database,
      `update users set disabled_at = now() where id = '${disabled.user.id}'`,
    )
    expect((await enter(disabled.attempt, disabled.code))[0]).toBe(403)
  })

  test('a second factor is asked for after the code', async () => {
    const user = await newMailedUser(it.server, it.mailbox)
    const setup = await post('mfa/setup', {}, user.accessToken)
    const totp = new TOTP({ secret: setup.body.secret })
    await post('mfa/enable', { code: totp.generate() }, user.accessToken)
    const { attempt, code } = await withCode(user)
    const [status, body] = await enter(attempt, code)
    expect([status, body.mfa_required]).toEqual([200, true])
    expect(body.access_token).toBeUndefined()
  })
})
