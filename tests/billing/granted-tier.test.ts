import { beforeAll, expect, test } from 'bun:test'
import { administer, claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { deliver, STRIPE, subscriptionOf, tierOf } from './support.ts'

const server = useServer(STRIPE)
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
})

const grant = async (user: TestUser, tier: string | null) => {
  const { status, body } = await administer(server.current, admin, 'PUT', `${user.id}/tier`, {
    tier,
  })
  return [status, body.tier]
}
const tier = (user: TestUser) => tierOf(server.current, user)

test('a tier granted by an admin overrides subscriptions until it is revoked', async () => {
  const user = await newUser(server.current)
  const { created, deleted } = subscriptionOf(user, 'awakened')
  expect(await grant(user, 'conscious')).toEqual([200, 'conscious'])
  await deliver(server.current, created(1, 'active'))
  expect(await tier(user)).toBe('conscious')
  const second = await request(server.current, 'POST', '/api/billing/checkout', {
    token: user.key,
    body: { tier: 'conscious' },
  })
  expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('admin')])

  expect(await grant(user, null)).toEqual([200, 'awakened'])
  expect(await grant(user, 'awakened')).toEqual([200, 'awakened'])
  await deliver(server.current, deleted(2))
  expect(await tier(user)).toBe('awakened')
  expect(await grant(user, null)).toEqual([200, 'amnesiac'])
})

test('concurrent changes by an admin and the payment provider leave a tier that one of them set', async () => {
  const user = await newUser(server.current)
  const { created, updated } = subscriptionOf(user, 'awakened')
  const events = [
    created(1, 'active'),
    ...Array.from({ length: 8 }, (_, i) => updated(i, 'active')),
  ]
  const [grants] = await Promise.all([
    Promise.all(['conscious', 'payg', 'conscious'].map((name) => grant(user, name))),
    ...events.map((event) => deliver(server.current, event)),
  ])
  expect(grants.map(([status]) => status)).toEqual([200, 200, 200])
  expect(['conscious', 'payg']).toContain(await tier(user))
  expect(await grant(user, null)).toEqual([200, 'awakened'])
  // Admins can grant themselves a tier.
  expect(await grant(admin, 'conscious')).toEqual([200, 'conscious'])
})
