import { describe, expect, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { runSql } from '../harness/http.ts'
import { newUser, PASSWORD, request, useServer } from '../harness/server.ts'

const server = useServer()
const post = (path: string, body: unknown, token?: string) =>
  request(server.current, 'POST', path, { body, ...(token && { token }) })
const signUp = (email: string, password = PASSWORD) =>
  post('/api/auth/signup', { email, password, confirm_password: password })
const signIn = async (email: string, password = PASSWORD) =>
  (await post('/api/auth/signin', { email, password })).status

/** Forms of one address, the stored one first. */
const MAILBOXES = [
  [
    'kim@xn--exmple-cua.com',
    'kim@exämple.com',
    'KIM@EXÄMPLE.COM',
    'kim@exa\u0308mple.com',
    ' kim@XN--EXMPLE-CUA.com ',
  ],
  ['lee@xn--mnchen-3ya.de', 'lee@münchen.de', 'Lee@MÜNCHEN.de'],
  ['ana@xn--fa-hia.de', 'ana@faß.de'],
  ['yu@xn--wgv71a119e.jp', 'yu@日本語.jp'],
  ['jose\u0301@example.com'.normalize('NFC'), 'jose\u0301@example.com', 'JOSÉ@example.com'],
]

describe('an address has one form', () => {
  test.each(MAILBOXES)('%s', async (stored, ...others) => {
    const created = await signUp(others[0] ?? stored)
    expect([created.status, created.body.user.email]).toEqual([201, stored])
    for (const form of [stored, ...others]) {
      expect((await signUp(form)).status).toBe(409)
      expect(await signIn(form)).toBe(200)
    }
  })

  test('an invite reaches the account in whichever form it is written', async () => {
    const { accessToken: owner } = await newUser(server.current)
    await runSql(server.current.database, 'update users set email_verified = true')
    const { body: org } = await post('/api/orgs', { name: 'Acme' }, owner)
    const invited = await post(
      `/api/orgs/${org.id}/invites`,
      { email: 'new@exämple.org', role: 'member' },
      owner,
    )
    expect([invited.status, invited.body.email]).toEqual([201, 'new@xn--exmple-cua.org'])
  })
})

describe('a password is compared as RFC 8265 prepares it', () => {
  const composed = 'pässwörd of the café 9'
  const decomposed = composed.normalize('NFD')

  test('one that was set on one keyboard works on another', async () => {
    for (const [set, typed] of [
      [composed, decomposed],
      [decomposed, composed],
      ['wide\u3000space of the sea', 'wide space of the sea'],
      ['no\u00a0break of the sea', 'no break of the sea'],
    ] as const) {
      const email = `${crypto.randomUUID()}@example.com`
      expect((await signUp(email, set)).status).toBe(201)
      expect([await signIn(email, typed), await signIn(email, set)]).toEqual([200, 200])
      expect(await signIn(email, `${typed}x`)).toBe(401)
    }
  })

  test('a hash of the password as it was typed still verifies', async () => {
    const { email } = await newUser(server.current)
    const hash = await Bun.password.hash(decomposed, {
      algorithm: 'argon2id',
      memoryCost: 1_024,
      timeCost: 1,
    })
    await runSql(
      server.current.database,
      `update users set password_hash = '${hash}' where email = '${email}'`,
    )
    expect(await signIn(email, decomposed)).toBe(200)
    expect(await signIn(email, `${composed}x`)).toBe(401)
  })
})

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
const spellings: [string, (code: string) => string][] = [
  ['full-width characters', fullWidth],
  ['spaces', (code) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
  ['a dash', (code) => `${code.slice(0, 3)}-${code.slice(3)}`],
  [
    'a full-width dash and an ideographic space',
    (code) => `${fullWidth(code.slice(0, 3))}－\u3000${code.slice(3)}`,
  ],
  ['an en dash', (code) => `${code.slice(0, 3)}–${code.slice(3)}`],
]

describe('a code is read however it is typed', () => {
  test.each(spellings)('with %s', async (_, spell) => {
    const { email, accessToken: token } = await newUser(server.current)
    const { secret } = (await post('/api/auth/mfa/setup', {}, token)).body
    const totp = new TOTP({ secret })
    const enabled = await post('/api/auth/mfa/enable', { code: spell(totp.generate()) }, token)
    expect(enabled.status).toBe(200)
    const { partial_token } = (await post('/api/auth/signin', { email, password: PASSWORD })).body
    const [recovery = ''] = enabled.body.recovery_codes
    expect(
      (await post('/api/auth/mfa/verify', { partial_token, code: spell(recovery) })).status,
    ).toBe(200)

    const login = (await post('/api/auth/mcp/start', {})).body
    const typed = encodeURIComponent(spell(login.user_code))
    const found = await request(
      server.current,
      'GET',
      `/api/auth/mcp/authorize?user_code=${typed}`,
      { token },
    )
    expect(found.status).toBe(200)
  })
})
