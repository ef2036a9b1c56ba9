import { beforeAll, expect, test } from 'bun:test'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { administer, claimAdmin } from './admin-support.ts'
import { deliver, STRIPE, subscriptionOf, tierOf } from './billing-support.ts'
import { newVerifiedUser } from './support.ts'

const server = useServer(STRIPE)
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
})

const give = async (user: TestUser, tier: string | null) => {
  const { status, body } = await administer(server.current, admin, 'PUT', `${user.id}/tier`, {
    tier,
  })
  return [status, body.tier]
}
const tier = (user: TestUser) => tierOf(server.current, user)

test('a tier that an admin gave outlives subscriptions, until it is taken back', async () => {
  const user = await newUser(server.current)
  const { created, deleted } = subscriptionOf(user, 'awakened')
  expect(await give(user, 'conscious')).toEqual([200, 'conscious'])
  await deliver(server.current, created(1, 'active'))
  expect(await tier(user)).toBe('conscious')
  const second = await request(server.current, 'POST', '/api/billing/checkout', {
    token: user.key,
    body: { tier: 'conscious' },
  })
  expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('admin')])

  expect(await give(user, null)).toEqual([200, 'awakened'])
  expect(await give(user, 'awakened')).toEqual([200, 'awakened'])
  await deliver(server.current, deleted(2))
  expect(await tier(user)).toBe('awakened')
  expect(await give(user, null)).toEqual([200, 'amnesiac'])
})

test('an admin and the payment provider at once leave a tier that one of them gave', async () => {
  const user = await newUser(server.current)
  const { created, updated } = subscriptionOf(user, 'awakened')
  const events = [
    created(1, 'active'),
    ...Array.from({ length: 8 }, (_, i) => updated(i, 'active')),
  ]
  const [given] = await Promise.all([
    Promise.all(['conscious', 'payg', 'conscious'].map((name) => give(user, name))),
    ...events.map((event) => deliver(server.current, event)),
  ])
  expect(given.map(([status]) => status)).toEqual([200, 200, 200])
  expect(['conscious', 'payg']).toContain(await tier(user))
  expect(await give(user, null)).toEqual([200, 'awakened'])
  // An admin's own as well.
  expect(await give(admin, 'conscious')).toEqual([200, 'conscious'])
})
