import { beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Secret, TOTP } from 'otpauth'
import { newVerifiedUser } from '../harness/http.ts'
import { request, type TestUser, uniqueEmail, useServer } from '../harness/server.ts'
import { claimAdmin } from './support.ts'
import {
  bcryptHash,
  betterAuthHash,
  firebaseHash,
  hashConfig,
  importUsers,
  ndjson,
} from './user-import-support.ts'

const server = useServer()
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
}, 120_000)

const PASSWORD = 'pass phrase of ﬁancée 10²'

const load = (file: string, query = '') => importUsers(server.current, admin, file, query)
const signIn = (email: string, password = PASSWORD) =>
  request(server.current, 'POST', '/api/auth/signin', { body: { email, password } })
const connectionsOf = async (token: string) => {
  const { body } = await request(server.current, 'GET', '/api/auth/oauth/connections', { token })
  return body.map(({ provider }: { provider: string }) => provider)
}

/** The user signs in with the password of the other system, and with no other. */
const expectSignIn = async (email: string) => {
  expect((await signIn(email, `${PASSWORD}!`)).status).toBe(401)
  const signedIn = await signIn(email)
  expect(signedIn.status).toBe(200)
  return signedIn.body
}

describe('an export of Supabase', () => {
  const row = async (fields: object = {}) => ({
    instance_id: '00000000-0000-0000-0000-000000000000',
    id: crypto.randomUUID(),
    aud: 'authenticated',
    role: 'authenticated',
    email: uniqueEmail(),
    encrypted_password: await bcryptHash(PASSWORD),
    email_confirmed_at: '2024-05-06T07:08:09.123456+00:00',
    last_sign_in_at: null,
    raw_app_meta_data: { provider: 'email', providers: ['email', 'google'] },
    raw_user_meta_data: { full_name: 'Ada Lovelace', avatar_url: 'https://example.com/a.png' },
    created_at: '2024-05-06 07:08:09.123456+00',
    banned_until: null,
    deleted_at: null,
    is_sso_user: false,
    ...fields,
  })

  test('a row with its identities is read: a list of JSON, as json_agg writes it', async () => {
    const subject = crypto.randomUUID()
    const user = await row({
      identities: [
        { provider: 'email', provider_id: crypto.randomUUID(), identity_data: {} },
        { provider: 'google', identity_data: { sub: subject, email: 'ada@gmail.example' } },
        { provider: 'apple', provider_id: subject, identity_data: {} },
      ],
    })
    const { body } = await load(JSON.stringify([user], null, 2))
    expect(body).toMatchObject({ imported: 1, skipped_identities: 1, failed: [] })
    const signedIn = await expectSignIn(user.email)
    expect(signedIn.user).toMatchObject({
      email_verified: true,
      display_name: 'Ada Lovelace',
      created_at: '2024-05-06T07:08:09.123Z',
    })
    expect(await connectionsOf(signedIn.access_token)).toEqual(['google'])
  })

  test('a hash that Supabase took over from Firebase is read', async () => {
    const { passwordHash, salt } = firebaseHash(PASSWORD)
    const { base64_signer_key: key, rounds, mem_cost } = hashConfig
    const cost = `v=1,n=${mem_cost},r=${rounds},p=1,ss=Bw==,sk=${key}`
    const user = await row({ encrypted_password: `$fbscrypt$${cost}$${salt}$${passwordHash}` })
    expect((await load(ndjson([user]))).body).toMatchObject({ imported: 1 })
    await expectSignIn(user.email)
  })

  test('a second factor is taken over if the row has its secret, and counted if not', async () => {
    const secret = new Secret({ size: 20 }).base32
    const factor = { factor_type: 'totp', status: 'verified' }
    const [user, other] = [
      await row({ mfa_factors: [{ ...factor, secret }] }),
      await row({ mfa_factors: [{ ...factor, factor_type: 'phone' }] }),
    ]
    expect((await load(ndjson([user, other]))).body).toMatchObject({
      imported: 2,
      skipped_factors: 1,
    })
    const { body } = await signIn(user.email)
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    const verified = await request(server.current, 'POST', '/api/auth/mfa/verify', {
      body: { partial_token: body.partial_token, code },
    })
    expect(verified.status).toBe(200)
  })

  test('an unconfirmed address is not verified, a banned user is disabled, a deleted one left out', async () => {
    const [unconfirmed, banned, unbanned, deleted] = [
      await row({ email_confirmed_at: null }),
      await row({ banned_until: '2999-01-01T00:00:00+00:00' }),
      await row({ banned_until: '2020-01-01T00:00:00+00:00' }),
      await row({ deleted_at: '2024-01-01T00:00:00+00:00' }),
    ]
    const { body } = await load(ndjson([unconfirmed, banned, unbanned, deleted]))
    expect(body).toMatchObject({
      imported: 3,
      failed: [{ line: 4, field: 'deleted_at', detail: 'The user is deleted' }],
    })
    expect((await expectSignIn(unconfirmed.email)).user.email_verified).toBe(false)
    expect((await signIn(banned.email)).status).toBe(403)
    await expectSignIn(unbanned.email)
  })

  test('a failure names the column of the file', async () => {
    const user = await row({ encrypted_password: '$2a$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0' })
    expect((await load(ndjson([user]))).body.failed).toEqual([
      { line: 1, field: 'encrypted_password', detail: expect.stringContaining('Not a hash') },
    ])
  })
})

describe('an export of better-auth', () => {
  const row = (fields: object = {}) => ({
    id: 'wE4mH0Vf3Zr1',
    name: 'Ada Lovelace',
    email: uniqueEmail(),
    emailVerified: true,
    image: null,
    createdAt: '2024-05-06T07:08:09.123Z',
    updatedAt: '2024-05-06T07:08:09.123Z',
    accounts: [
      { providerId: 'credential', accountId: 'wE4mH0Vf3Zr1', password: betterAuthHash(PASSWORD) },
    ],
    ...fields,
  })

  test('a user with its accounts is read', async () => {
    const user = row()
    user.accounts.push({ providerId: 'github', accountId: crypto.randomUUID(), password: '' })
    const { body } = await load(ndjson([user]))
    expect(body).toMatchObject({ imported: 1, skipped_identities: 0, failed: [] })
    const signedIn = await expectSignIn(user.email)
    expect(signedIn.user).toMatchObject({ email_verified: true, display_name: 'Ada Lovelace' })
    expect(await connectionsOf(signedIn.access_token)).toEqual(['github'])
  })

  test('a banned user is disabled, unless the ban has expired', async () => {
    const banned = row({ banned: true, banExpires: null })
    const still = row({ banned: true, banExpires: '2999-01-01T00:00:00.000Z' })
    const expired = row({ banned: true, banExpires: '2020-01-01T00:00:00.000Z' })
    const { body } = await load(ndjson([banned, still, expired]))
    expect(body).toMatchObject({ imported: 3, failed: [] })
    for (const { email } of [banned, still]) expect((await signIn(email)).status).toBe(403)
    await expectSignIn(expired.email)
  })

  test('a wrong identity is reported with the name of the list in the file', async () => {
    const user = row({ accounts: [{ providerId: 'github', accountId: null }] })
    expect((await load(ndjson([user]))).body.failed).toMatchObject([{ line: 1, field: 'accounts' }])
  })

  test('rows of SQLite, with numbers and a list as text, are read', async () => {
    const user = row({ emailVerified: 0, createdAt: 1_714_979_289_123, twoFactorEnabled: 1 })
    const { body } = await load(ndjson([{ ...user, accounts: JSON.stringify(user.accounts) }]))
    expect(body).toMatchObject({ imported: 1, skipped_factors: 1 })
    expect((await expectSignIn(user.email)).user).toMatchObject({
      email_verified: false,
      created_at: '2024-05-06T07:08:09.123Z',
    })
  })
})

describe('an export of Firebase', () => {
  const row = (fields: object = {}) => ({
    localId: randomBytes(14).toString('base64url'),
    email: uniqueEmail(),
    emailVerified: true,
    ...firebaseHash(PASSWORD),
    displayName: 'Ada Lovelace',
    lastSignedInAt: '1714979289123',
    createdAt: '1714979289123',
    disabled: false,
    providerUserInfo: [] as object[],
    ...fields,
  })

  test('the file with the hash parameters in front is read', async () => {
    const users = [
      row({
        providerUserInfo: [
          { providerId: 'password', rawId: 'ada@example.com' },
          { providerId: 'google.com', rawId: crypto.randomUUID(), email: 'ada@gmail.example' },
        ],
      }),
      row({ disabled: true }),
      row({ email: undefined, phoneNumber: '+15551234567' }),
    ]
    const { body } = await load(JSON.stringify({ hash_config: hashConfig, users }, null, 2))
    expect(body).toMatchObject({
      imported: 2,
      failed: [{ line: 3, field: 'email', detail: expect.stringContaining('required') }],
    })
    const signedIn = await expectSignIn(users[0]?.email ?? '')
    expect(signedIn.user).toMatchObject({ created_at: '2024-05-06T07:08:09.123Z' })
    expect(await connectionsOf(signedIn.access_token)).toEqual(['google'])
    expect((await signIn(users[1]?.email ?? '')).status).toBe(403)
  })

  test('a compressed file with the hash parameters in front is read', async () => {
    const user = row()
    const file = gzipSync(JSON.stringify({ hash_config: hashConfig, users: [user] }))
    const response = await fetch(new URL('/api/admin/users/import', server.current.url), {
      method: 'POST',
      body: file,
      headers: {
        authorization: `Bearer ${admin.accessToken}`,
        'content-type': 'application/gzip',
      },
    })
    expect(await response.json()).toMatchObject({ imported: 1, failed: [] })
    await expectSignIn(user.email)
  })

  test('lines after one with the hash parameters are read', async () => {
    const user = row()
    const { body } = await load(ndjson([{ hash_config: hashConfig }, user]), '?format=firebase')
    expect(body).toMatchObject({ imported: 1, failed: [] })
    await expectSignIn(user.email)
  })

  test('users are refused without hash parameters or hash, and do not sign in with those of another project', async () => {
    const without = await load(JSON.stringify({ users: [row()] }))
    expect(without.body.failed).toEqual([
      { line: 1, field: 'passwordHash', detail: expect.stringContaining('hash_config') },
    ])
    const other = { ...hashConfig, base64_signer_key: randomBytes(64).toString('base64') }
    const user = row()
    await load(JSON.stringify({ hash_config: other, users: [user] }))
    expect((await signIn(user.email)).status).toBe(401)
    const removed = row({ passwordHash: btoa('REDACTED'), salt: '' })
    const { body } = await load(JSON.stringify({ hash_config: hashConfig, users: [removed] }))
    expect(body.failed).toMatchObject([{ line: 1, field: 'passwordHash' }])
  })

  test('invalid hash parameters refuse the file', async () => {
    for (const change of [{ rounds: 99 }, { mem_cost: 31 }, { base64_signer_key: 1 }]) {
      const hash_config = { ...hashConfig, ...change }
      const user = row()
      const answer = await load(JSON.stringify({ hash_config, users: [user] }))
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'hash_config']])
      expect((await signIn(user.email)).status).toBe(401)
    }
  })
})

test('an export of PocketBase is read, before and since version 0.23', async () => {
  const row = async (fields: object = {}) => ({
    id: randomBytes(8).toString('hex').slice(0, 15),
    email: uniqueEmail(),
    emailVisibility: 0,
    verified: 1,
    name: 'Ada Lovelace',
    tokenKey: randomBytes(25).toString('hex'),
    created: '2024-05-06 07:08:09.123Z',
    updated: '2024-05-06 07:08:09.123Z',
    ...fields,
  })
  const users = [
    await row({ passwordHash: await bcryptHash(PASSWORD), username: `ada-${Date.now()}` }),
    await row({
      password: await bcryptHash(PASSWORD),
      externalAuths: [
        { provider: 'github', providerId: crypto.randomUUID() },
        { provider: 'discord', providerId: '1' },
      ],
    }),
  ]
  const { body } = await load(JSON.stringify(users))
  expect(body).toMatchObject({ imported: 2, skipped_identities: 1, failed: [] })
  const [, second] = await Promise.all(users.map(({ email }) => expectSignIn(email)))
  expect(second.user).toMatchObject({ email_verified: true, display_name: 'Ada Lovelace' })
  expect(await connectionsOf(second.access_token)).toEqual(['github'])
})
