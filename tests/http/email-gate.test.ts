import { beforeAll, describe, expect, test } from 'bun:test'
import { contract, isStream } from '../../shared/contract/index.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { newVerifiedUser } from './support.ts'

const server = useServer()
const gated = contract.filter(({ requiresVerifiedEmail }) => requiresVerifiedEmail)
const open = contract.filter(
  ({ requiresVerifiedEmail, credential, success: [, answer] }) =>
    !requiresVerifiedEmail && credential === 'bearer' && !isStream(answer),
)

/** What only people do who have proved their address: everything below these paths, for whoever signs in. */
const GATED =
  /^\/api\/(chat|senses|introspect|suggest|email|invites|orgs\/\{org_id\}\/invites|dm|shares|reflexes|proactive|url|transcribe)(\/|$)/

const NOT_VERIFIED = {
  detail: { error: 'email_not_verified', message: expect.stringContaining('Verify your email') },
}

let newcomer: TestUser
let verified: TestUser
beforeAll(async () => {
  newcomer = await newUser(server.current)
  verified = await newVerifiedUser(server.current)
})

/** What an endpoint answers to a request that is good for nothing but its credential. */
const call = async ({ method, path }: (typeof contract)[number], token: string) => {
  const { status, body } = await request(server.current, method, path.replace(/\{\w+\}/g, 'no'), {
    token,
    ...(method !== 'GET' && { body: '{' }),
  })
  return [status, body]
}

test('a verified address is asked for wherever mails, people, senses or models are reached', () => {
  const expected = contract.filter(
    ({ path, credential }) => credential !== 'none' && GATED.test(path),
  )
  expect(gated.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => name).sort())
})

describe('with an address that is not verified', () => {
  for (const row of gated)
    test(`${row.method} ${row.path} is 403, whatever was sent, by a token and by a key`, async () => {
      for (const token of [newcomer.accessToken, newcomer.key])
        expect(await call(row, token)).toEqual([403, NOT_VERIFIED])
    })

  test('the other endpoints of the API stay open', async () => {
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
    test(`${row.method} ${row.path} is open, to a token and to a key`, async () => {
      for (const token of [verified.accessToken, verified.key])
        expect(await call(row, token)).not.toEqual([403, NOT_VERIFIED])
    })
})
