import { beforeAll, describe, expect, test } from 'bun:test'
import { contract, isStream } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()
const gated = contract.filter(({ requiresVerifiedEmail }) => requiresVerifiedEmail)
const open = contract.filter(
  ({ requiresVerifiedEmail, credential, success: [, answer] }) =>
    !requiresVerifiedEmail && credential === 'bearer' && !isStream(answer),
)

/** The paths that require a verified address. */
const GATED =
  /^\/api\/(chat|senses|introspect|suggest|email|invites|orgs\/\{org_id\}\/(invites|domains)|dm|shares|reflexes|proactive|url|transcribe|auth\/email\/change)(\/|$)/

const NOT_VERIFIED = {
  detail: {
    error: 'email_not_verified',
    // It does not say that an email was sent: the server may have no mail server.
    message:
      'Verify your email address first. To get a link, open /app/settings/email on this server, or run: svc verify --resend',
  },
}

/** The credentials of a user that an endpoint accepts. */
const tokensFor = (
  { credential }: Pick<(typeof contract)[number], 'credential'>,
  { accessToken, key }: TestUser,
): string[] => (credential === 'jwt' ? [accessToken] : [accessToken, key])

let newcomer: TestUser
let verified: TestUser
beforeAll(async () => {
  newcomer = await newUser(server.current)
  verified = await newVerifiedUser(server.current)
})

/** The response to a request that is valid only in its credential. */
const call = async ({ method, path }: (typeof contract)[number], token: string) => {
  const { status, body } = await request(server.current, method, path.replace(/\{\w+\}/g, 'no'), {
    token,
    ...(method !== 'GET' && { body: '{' }),
  })
  return [status, body]
}

test('endpoints that reach email, other users, senses or models require a verified address', () => {
  const expected = contract.filter(
    ({ path, credential }) => credential !== 'none' && GATED.test(path),
  )
  expect(gated.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort())
})

describe('with an unverified address', () => {
  for (const row of gated)
    test(`${row.method} ${row.path} is 403, with each credential that it accepts`, async () => {
      for (const token of tokensFor(row, newcomer))
        expect(await call(row, token)).toEqual([403, NOT_VERIFIED])
    })

  test('the other endpoints are not gated', async () => {
    for (const row of open)
      expect([row.name, ...(await call(row, newcomer.key))]).not.toEqual([
        row.name,
        403,
        NOT_VERIFIED,
      ])
  })
})

describe('with a verified address', () => {
  for (const row of gated)
    test(`${row.method} ${row.path} is not gated, with each credential that it accepts`, async () => {
      for (const token of tokensFor(row, verified))
        expect(await call(row, token)).not.toEqual([403, NOT_VERIFIED])
    })
})
