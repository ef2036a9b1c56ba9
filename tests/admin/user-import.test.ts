import { beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { request, type TestUser, uniqueEmail, useServer } from '../harness/server.ts'
import { administer } from './support.ts'
import { bcryptHash, HASHES, importUsers, ndjson } from './user-import-support.ts'

const server = useServer({ SVC_ADMIN_EMAILS: 'root@example.com, boss@example.com' })
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current, 'root@example.com')
}, 120_000)

const PASSWORD = 'pass phrase of an import'

const load = (file: string, query = '') => importUsers(server.current, admin, file, query)
const signIn = (email: string, password = PASSWORD) =>
  request(server.current, 'POST', '/api/auth/signin', { body: { email, password } })
const usersWith = async (text: string) => {
  const { body } = await request(server.current, 'GET', `/api/admin/users?q=${text}`, {
    token: admin.accessToken,
  })
  return body.users
}
const hashOf = async (email: string): Promise<string> => {
  const [row] = await runSql(
    server.current.database,
    `select password_hash from users where email = '${email}'`,
  )
  return String(row?.password_hash)
}

describe('an import of users', () => {
  for (const [kind, hash] of Object.entries(HASHES))
    test(`a user with a hash of ${kind} signs in, and gets a new hash at the first time`, async () => {
      const email = uniqueEmail()
      const { status, body } = await load(ndjson([{ email, password_hash: await hash(PASSWORD) }]))
      expect([status, body]).toEqual([200, expect.objectContaining({ imported: 1, failed: [] })])
      const imported = await hashOf(email)
      expect((await signIn(email, `${PASSWORD}?`)).status).toBe(401)
      expect(await hashOf(email)).toBe(imported)
      const signedIn = await signIn(email)
      expect([signedIn.status, signedIn.body.user.email_verified]).toEqual([200, false])
      const renewed = await hashOf(email)
      expect(renewed).toStartWith('$argon2id$v=19$m=1024,t=1,p=1$')
      expect((await signIn(email)).status).toBe(200)
      expect((await signIn(email, `${PASSWORD}?`)).status).toBe(401)
      expect(await hashOf(email)).toBe(renewed)
    })

  test('all fields of a line are stored', async () => {
    const email = uniqueEmail()
    const secret = new Secret({ size: 20 }).base32
    const { body } = await load(
      ndjson([
        {
          email: ` ${email.toUpperCase()} `,
          email_verified: true,
          username: 'Ada.Lovelace',
          display_name: 'Ada Lovelace',
          created_at: '2020-02-03T04:05:06Z',
          password_hash: await bcryptHash(PASSWORD),
          totp_secret: secret,
          identities: [{ provider: 'github', subject: '12345', email: 'ada@example.org' }],
        },
      ]),
    )
    expect(body).toMatchObject({ imported: 1, existing: 0, failed_count: 0 })
    const [user] = await usersWith(email)
    expect(user).toMatchObject({
      email,
      username: 'ada-lovelace',
      display_name: 'Ada Lovelace',
      email_verified: true,
      created_at: '2020-02-03T04:05:06.000Z',
      disabled_at: null,
      is_admin: false,
    })
    const pending = await signIn(email)
    expect(pending.body).toMatchObject({ mfa_required: true })
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const { partial_token } = pending.body
    const verified = await request(server.current, 'POST', '/api/auth/mfa/verify', {
      body: { partial_token, code },
    })
    expect(verified.status).toBe(200)
    const token = verified.body.access_token
    const connections = await request(server.current, 'GET', '/api/auth/oauth/connections', {
      token,
    })
    expect(connections.body).toMatchObject([{ provider: 'github', email: 'ada@example.org' }])
    const { body: audit } = await request(server.current, 'GET', '/api/auth/audit', { token })
    expect(audit.entries.map(({ action }: { action: string }) => action)).toContain('user.imported')
  })

  test('a disabled user and a user without a password do not sign in', async () => {
    const [disabled, without] = [uniqueEmail(), uniqueEmail()]
    await load(
      ndjson([
        { email: disabled, disabled: true, password_hash: await bcryptHash(PASSWORD) },
        { email: without },
      ]),
    )
    expect((await signIn(disabled)).status).toBe(403)
    expect((await signIn(without)).status).toBe(400)
  })

  test('a repeated import changes nothing, and an account is never overwritten', async () => {
    const owner = await newVerifiedUser(server.current)
    const email = uniqueEmail()
    const file = ndjson([
      { email, password_hash: await bcryptHash(PASSWORD) },
      { email: owner.email, email_verified: true, password_hash: await bcryptHash(PASSWORD) },
      { email: email.toUpperCase(), password_hash: await bcryptHash('other password') },
    ])
    expect((await load(file)).body).toMatchObject({ imported: 1, existing: 2 })
    const hash = await hashOf(email)
    expect((await load(file)).body).toMatchObject({ imported: 0, existing: 3 })
    expect(await hashOf(email)).toBe(hash)
    expect((await signIn(owner.email)).status).toBe(401)
    expect((await signIn(email)).status).toBe(200)
  })

  test('a line with an identity that an account has is left out', async () => {
    const identities = [{ provider: 'google', subject: crypto.randomUUID() }]
    const [first, second] = [uniqueEmail(), uniqueEmail()]
    const file = ndjson([
      { email: first, identities },
      { email: second, identities },
    ])
    expect((await load(file)).body).toMatchObject({ imported: 1, existing: 1 })
    expect((await load(ndjson([{ email: second, identities }]))).body).toMatchObject({
      existing: 1,
    })
    expect(await usersWith(second)).toEqual([])
  })

  test('a dry run stores nothing, and reports what the import then does', async () => {
    const email = uniqueEmail()
    const lines = Array.from({ length: 300 }, (_, i) => ({ email: i < 299 ? `${i}-${email}` : '' }))
    const file = ndjson([...lines, { email: `0-${email}` }])
    const { imported, ...dry } = (await load(file, '?dry_run=true')).body
    expect([imported, dry.existing, dry.failed_count]).toEqual([299, 1, 1])
    expect(await usersWith(email)).toEqual([])
    const real = (await load(file)).body
    expect(real).toEqual({ imported, ...dry, dry_run: false })
  })

  test('taken usernames get digits', async () => {
    const username = `ada-${crypto.randomUUID().slice(0, 8)}`
    const emails = [uniqueEmail(), uniqueEmail(), uniqueEmail()]
    await load(ndjson(emails.slice(0, 2).map((email) => ({ email, username }))))
    await load(ndjson(emails.slice(2).map((email) => ({ email, username }))))
    const found = await Promise.all(emails.map(usersWith))
    const names = found.map(([user]) => user.username)
    expect(names[0]).toBe(username)
    for (const name of names.slice(1)) expect(name).toMatch(new RegExp(`^${username}-\\d{1,6}$`))
  })

  test('the audit log of the admin has the counts, and no log has a hash', async () => {
    await load(ndjson([{ email: uniqueEmail(), password_hash: await bcryptHash(PASSWORD) }, {}]))
    const { body } = await request(
      server.current,
      'GET',
      '/api/auth/audit?action=users.imported&limit=1',
      { token: admin.accessToken },
    )
    expect(body.entries[0].details).toEqual({ imported: 1, existing: 0, failed: 1 })
    expect(server.current.log.join('\n')).not.toContain('$2b$')
  })
})

describe('a line that cannot be imported', () => {
  const valid = { email: 'someone@example.com' }
  const cases: [what: string, line: string | object, field: string | undefined, detail: string][] =
    [
      ['a broken line', '{"email": "a@b.example", ', undefined, 'Not JSON'],
      ['a text', '"a@b.example"', undefined, 'Not a JSON object'],
      ['a list', [1, 2], undefined, 'Not a JSON object'],
      ['no address', {}, 'email', 'required'],
      ['an address that is none', { email: 'x'.repeat(300) }, 'email', '255'],
      ['an address without a domain', { email: 'someone' }, 'email', 'Invalid email address'],
      ['an address with NUL', { email: 'a\0@example.com' }, 'email', ''],
      ['a misspelled field', { ...valid, pasword_hash: 'x' }, 'pasword_hash', 'Unknown field'],
      ['a field of another type', { ...valid, email_verified: 'yes' }, 'email_verified', ''],
      [
        'bcrypt with cost 31',
        {
          ...valid,
          password_hash: '$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
        },
        'password_hash',
        'The cost of bcrypt must be from 4 to 14',
      ],
      [
        'a plain password',
        { ...valid, password_hash: 'hunter2hunter2' },
        'password_hash',
        'Not a hash',
      ],
      ['the empty hash', { ...valid, password_hash: '' }, 'password_hash', 'Not a hash'],
      [
        'a hash of an unknown kind',
        { ...valid, password_hash: { kind: 'md5' } },
        'password_hash.kind',
        'Must be one of',
      ],
      [
        'scrypt that needs 4 GiB',
        {
          ...valid,
          password_hash: {
            kind: 'scrypt',
            n: 2 ** 22,
            r: 8,
            p: 1,
            salt: 'c2FsdA==',
            hash: 'A'.repeat(44),
          },
        },
        'password_hash',
        'at most 128 MiB',
      ],
      [
        'PBKDF2 without iterations',
        {
          ...valid,
          password_hash: {
            kind: 'pbkdf2',
            digest: 'sha256',
            salt: 'c2FsdA==',
            hash: 'A'.repeat(44),
          },
        },
        'password_hash.iterations',
        'required',
      ],
      ['a short TOTP secret', { ...valid, totp_secret: 'ABC' }, 'totp_secret', 'Base32'],
      [
        'an identity of 300 characters',
        { ...valid, identities: [{ provider: 'github', subject: '1'.repeat(300) }] },
        'identities.0.subject',
        '255',
      ],
      [
        'an unknown provider',
        { ...valid, identities: [{ provider: 'myspace', subject: '1' }] },
        'identities.0.provider',
        '',
      ],
      [
        'a future account',
        { ...valid, created_at: '2999-01-01T00:00:00Z' },
        'created_at',
        'future',
      ],
      [
        'an admin by configuration',
        { email: 'Boss@example.com', email_verified: true },
        'email',
        'SVC_ADMIN_EMAILS',
      ],
      ['a line of 65 KiB', { ...valid, display_name: 'x'.repeat(65 * 1024) }, undefined, '64 KiB'],
    ]
  for (const [what, line, field, detail] of cases)
    test(`${what} is reported with its line, and the other lines are imported`, async () => {
      const [before, after] = [uniqueEmail(), uniqueEmail()]
      const text = typeof line === 'string' ? line : JSON.stringify(line)
      const file = `${JSON.stringify({ email: before })}\n${text}\n\n${JSON.stringify({ email: after })}\n`
      const { status, body } = await load(file)
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ imported: 2, failed_count: 1 }),
      ])
      const [failure] = body.failed
      expect([failure.line, failure.field]).toEqual([2, field])
      expect(failure.detail).toContain(detail)
      expect(body.failed).toHaveLength(1)
      expect(await usersWith('someone@example.com')).toEqual([])
    })

  test('an empty file imports nothing', async () => {
    expect((await load('')).body).toMatchObject({ imported: 0, existing: 0, failed_count: 0 })
  })

  test('an admin who has lost the role imports nothing', async () => {
    const other = await newVerifiedUser(server.current)
    const email = uniqueEmail()
    await administer(server.current, admin, 'PUT', `${other.id}/admin`, { is_admin: true })
    expect((await importUsers(server.current, other, ndjson([{ email }]))).status).toBe(200)
    await administer(server.current, admin, 'PUT', `${other.id}/admin`, { is_admin: false })
    expect((await importUsers(server.current, other, ndjson([{ email }]))).status).toBe(403)
  })
})

describe('imports at the same time', () => {
  test('two imports of one file store each user once', async () => {
    const suffix = uniqueEmail()
    const lines = Array.from({ length: 600 }, (_, i) => ({
      email: `${i}-${suffix}`,
      identities: [{ provider: 'github', subject: `${i}-${suffix}` }],
    }))
    const second = await newVerifiedUser(server.current)
    await administer(server.current, admin, 'PUT', `${second.id}/admin`, { is_admin: true })
    const reports = await Promise.all([
      load(ndjson(lines)),
      importUsers(server.current, second, ndjson(lines.toReversed())),
      load(ndjson(lines)),
    ])
    const sum = (key: string) => reports.reduce((total, { body }) => total + body[key], 0)
    expect(reports.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([sum('imported'), sum('existing'), sum('failed_count')]).toEqual([600, 1_200, 0])
    const [row] = await runSql(
      server.current.database,
      `select count(*)::int as total from users where email like '%-${suffix}'`,
    )
    expect(row?.total).toBe(600)
  })

  test('nine first sign-ins at once all succeed, and leave one new hash', async () => {
    const email = uniqueEmail()
    await load(ndjson([{ email, password_hash: await bcryptHash(PASSWORD) }]))
    // Ten are evaluated at once: the attempt is counted before it is made.
    const answers = await Promise.all(Array.from({ length: 9 }, () => signIn(email)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await hashOf(email)).toStartWith('$argon2id$v=19$m=1024,t=1,p=1$')
  })
})

describe('usernames of imported users', () => {
  const namesOf = async (domain: string): Promise<string[]> => {
    const rows = await runSql(
      server.current.database,
      `select username from users where email like '%@%.${domain}'`,
    )
    return rows.map(({ username }) => String(username))
  }

  test.each([
    ['equal local parts', (index: number) => ({ email: `info@c${index}.parts.example` }), 'parts'],
    [
      'equal usernames',
      (index: number) => ({ email: `u${index}@c.names.example`, username: 'Support' }),
      'names',
    ],
    [
      'usernames that differ in case and signs',
      (index: number) => ({
        email: `u${index}@c.signs.example`,
        username: ['Sales', 'sales', 'SALES!', 'säles', '@sales'][index % 5],
      }),
      'signs',
    ],
  ])('thousands of users with %s are all imported, as a dry run says', async (_, line, domain) => {
    const file = ndjson(Array.from({ length: 3_000 }, (_, index) => line(index)))
    const dry = await load(file, '?dry_run=true')
    const { status, body } = await load(file)
    expect([status, body]).toEqual([200, { ...dry.body, dry_run: false }])
    expect(body).toMatchObject({ imported: 3_000, failed_count: 0 })
    const names = await namesOf(`${domain}.example`)
    expect(new Set(names).size).toBe(3_000)
  })

  test('a name with digits that another account has is not chosen', async () => {
    await runSql(
      server.current.database,
      `insert into users (id, email, username, display_name, tier)
       select gen_random_uuid(), n || '@taken.invalid', 'full-' || lpad((10 * n)::text, 6, '0'), 'x', 'amnesiac'
       from generate_series(0, 99999) n`,
    )
    const emails = Array.from({ length: 300 }, (_, index) => ({ email: `full@c${index}.example` }))
    const { status, body } = await load(ndjson(emails))
    expect([status, body.imported, body.failed_count]).toEqual([200, 300, 0])
  })
})
