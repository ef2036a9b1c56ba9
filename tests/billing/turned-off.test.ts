import { expect, test } from 'bun:test'
import { administer, claimAdmin } from '../admin/support.ts'
import { createDatabase } from '../harness/database.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, PASSWORD, request, startServer, type TestServer } from '../harness/server.ts'
import { startStripeServer } from './stripe-server.ts'
import { deliver, STRIPE, subscriptionOf } from './support.ts'

const signIn = async (server: TestServer, email: string): Promise<string> =>
  (await request(server, 'POST', '/api/auth/signin', { body: { email, password: PASSWORD } })).body
    .access_token

test('while billing is off, tiers and usage stay, a paid tier outlasts a grant, and a deleted account ends its subscription', async () => {
  await using stripe = startStripeServer()
  const database = await createDatabase()
  const env = {
    ...STRIPE,
    SVC_STRIPE_SECRET_KEY: 'sk_test_a_key_of_stripe',
    SVC_STRIPE_API_BASE: stripe.url,
  }
  const first = await startServer(env, database)
  const admin = await newVerifiedUser(first)
  await claimAdmin(first, admin)
  const user = await newUser(first)
  const subscription = subscriptionOf(user, 'awakened')
  await deliver(first, subscription.created(1, 'active'))
  await first.stop()

  const second = await startServer({ ...env, SVC_FEATURES: '-billing' }, database)
  const terms = (await request(second, 'GET', '/api/billing/tiers')).body
  expect([terms.tiers.length, terms.takes_payments]).toEqual([4, false])
  const pricing = await fetch(`${second.url}/pricing`)
  expect([pricing.status, await pricing.text()]).toEqual([
    200,
    expect.stringContaining('This server takes no payments.'),
  ])

  const usage = async () =>
    (await request(second, 'GET', '/api/billing/usage', { token: user.key })).body
  await request(second, 'POST', '/api/talk', {
    token: user.key,
    body: { agent_slug: 'ada', message: 'Hello' },
  })
  expect(await usage()).toMatchObject({
    tier: 'awakened',
    usage: { messages: { used: 1, limit: 10_000 } },
  })

  const administrator = { ...admin, accessToken: await signIn(second, admin.email) }
  const grant = async (tier: string | null): Promise<string> =>
    (await administer(second, administrator, 'PUT', `${user.id}/tier`, { tier })).body.tier
  expect([await grant('conscious'), await grant(null)]).toEqual(['conscious', 'awakened'])

  const canceled = stripe.requestTo(`/v1/subscriptions/${subscription.id}`)
  const { status } = await request(second, 'DELETE', '/api/auth/delete-account', {
    token: await signIn(second, user.email),
    body: { password: PASSWORD },
  })
  expect([status, (await canceled).method]).toEqual([200, 'DELETE'])
  await second.stop()
  await database.drop()
}, 30_000)
