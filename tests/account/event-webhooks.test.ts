import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { EventDelivery } from '../../shared/contract/event-webhooks.ts'
import { claimAdmin } from '../admin/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql, startRestartable } from '../harness/http.ts'
import {
  newAddress,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'

setDefaultTimeout(120_000)

const SERVER = '/api/admin/webhooks'

let web: Web
let opened: Awaited<ReturnType<typeof startRestartable>>
let admin: TestUser
beforeAll(async () => {
  web = await startWeb()
  opened = await startRestartable({}, { fetching: web.fetching })
  admin = await newVerifiedUser(opened.current)
  await claimAdmin(opened.current, admin)
})
// A webhook without types gets the events of the other tests too.
afterEach(async () => {
  for (const { webhook_id } of (await call(admin, 'GET', SERVER)).body)
    await call(admin, 'DELETE', `${SERVER}/${webhook_id}`)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
})

interface Received {
  id: string
  body: { type: string; timestamp: string; data: Record<string, unknown> }
}

/** A receiver that verifies each request, and responds with these statuses in turn; the last one repeats. */
const newReceiver = (...statuses: number[]) => {
  const received: Received[] = []
  const of = { secret: '' }
  const host = web.site(async (sent) => {
    const text = await sent.text()
    new Webhook(of.secret).verify(text, Object.fromEntries(sent.headers))
    received.push({ id: sent.headers.get('webhook-id') ?? '', body: JSON.parse(text) })
    return new Response(null, {
      status: (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 204,
    })
  })
  return { url: `http://${host}/events`, received, of }
}

const call = (user: TestUser, method: string, path: string, body?: object) =>
  request(opened.current, method, path, {
    token: user.accessToken,
    ...(body && { body }),
  })

const newWebhook = async (
  receiver: ReturnType<typeof newReceiver>,
  { as = admin, path = SERVER, types }: { as?: TestUser; path?: string; types?: string[] } = {},
): Promise<string> => {
  const created = await call(as, 'POST', path, { url: receiver.url, ...(types && { types }) })
  expect(created.status).toBe(201)
  expect(created.body.secret).toStartWith('whsec_')
  receiver.of.secret = created.body.secret
  return `${path}/${created.body.webhook_id}`
}

const received = async (receiver: ReturnType<typeof newReceiver>, count: number) =>
  eventually(async () => receiver.received.length >= count && receiver.received)

const deliveries = async (path: string, query = '', as = admin): Promise<EventDelivery[]> =>
  (await call(as, 'GET', `${path}/deliveries${query}`)).body.deliveries

const settled = (path: string, state: string, as = admin): Promise<EventDelivery> =>
  eventually(async () => {
    const [first] = await deliveries(path, '', as)
    return first?.state === state && first
  })

const attempted = (path: string, attempts = 1): Promise<EventDelivery> =>
  eventually(async () => {
    const [first] = await deliveries(path)
    return first?.attempts === attempts && first
  })

const dueNow = (path: string) =>
  runSql(
    opened.current.database,
    `update event_deliveries set due_at = now() where webhook_id = '${path.split('/').at(-1)}'`,
  )

describe('webhooks of the server', () => {
  test('the life of an account is reported in signed requests, in its order', async () => {
    const receiver = newReceiver(204)
    const path = await newWebhook(receiver)
    const user = await newUser(opened.current)
    const { body: key } = await call(user, 'POST', '/api/auth/api-keys', { name: 'robot' })
    await call(user, 'DELETE', `/api/auth/api-keys/${key.id}`)
    const gone = await call(user, 'DELETE', '/api/auth/delete-account', { password: PASSWORD })
    expect(gone.status).toBe(200)
    const ofUser = await eventually(async () => {
      const found = receiver.received.filter(({ body }) => body.data.user_id === user.id)
      return found.some(({ body }) => body.type === 'user.deleted') && found
    })
    const types = ofUser.map(({ body }) => body.type)
    expect(types.filter((type) => type !== 'key.created' && type !== 'key.revoked')).toEqual([
      ...['user.created', 'session.created', 'user.deleted'],
    ])
    expect(types).toContain('key.revoked')
    const created = ofUser.find(({ body }) => body.data.subject === key.id)
    expect(created?.body).toMatchObject({
      type: 'key.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { user_id: user.id, action: 'key.created', name: 'robot' },
    })
    expect(new Set(ofUser.map(({ id }) => id)).size).toBe(ofUser.length)
    expect(JSON.stringify(ofUser)).not.toContain(key.key)
    const stored = await deliveries(path, '?type=user.deleted')
    expect(stored[0]).toMatchObject({ state: 'delivered', attempts: 1, status: 204, error: null })
  })

  test('only the chosen types are sent, and none of a transaction that failed', async () => {
    const receiver = newReceiver(204)
    await newWebhook(receiver, { types: ['user.created'] })
    const email = uniqueEmail()
    const body = { email, password: PASSWORD, confirm_password: PASSWORD }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        request(opened.current, 'POST', '/api/auth/signup', { body, from: newAddress() }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 409, 409, 409, 409])
    const first = answers.find(({ status }) => status === 201)?.body.user.id
    const last = await newUser(opened.current)
    await eventually(async () =>
      receiver.received.some(({ body }) => body.data.user_id === last.id),
    )
    expect(receiver.received.map(({ body }) => body.data.user_id)).toEqual([first, last.id])
  })

  test('a receiver that fails gets the same event again, until it accepts', async () => {
    const receiver = newReceiver(500, 500, 204)
    const path = await newWebhook(receiver, { types: ['user.created'] })
    await newUser(opened.current)
    await received(receiver, 1)
    const waiting = await attempted(path)
    expect(waiting).toMatchObject({
      state: 'waiting',
      attempts: 1,
      status: 500,
      error: 'The webhook responded with status 500',
      next_attempt_at: expect.any(String),
    })
    await received(receiver, 2)
    await attempted(path, 2)
    await dueNow(path)
    // Another event wakes the delivery; the retry itself waits five minutes.
    await call(admin, 'POST', `${path}/test`)
    await received(receiver, 4)
    const ids = receiver.received.map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual([waiting.event_id, waiting.event_id])
    expect(ids.filter((id) => id === waiting.event_id)).toHaveLength(3)
    const all = await eventually(async () => {
      const found = await deliveries(path)
      return found.every(({ state }) => state === 'delivered') && found
    })
    expect(all.map(({ type }) => type)).toEqual(['webhook.test', 'user.created'])
    expect(all[1]).toMatchObject({ attempts: 3, status: 204, error: null, next_attempt_at: null })
  })

  test('an event is given up after the last attempt, and replayed alone or with others', async () => {
    const receiver = newReceiver(503, 204)
    const path = await newWebhook(receiver, { types: ['user.created'] })
    await newUser(opened.current)
    await received(receiver, 1)
    await attempted(path)
    const failed = `update event_deliveries set state = 'failed', attempts = 10, due_at = null
      where webhook_id = '${path.split('/').at(-1)}'`
    await runSql(opened.current.database, failed)
    const [lost] = await deliveries(path, '?state=failed')
    const one = await call(admin, 'POST', `${path}/deliveries/${lost?.event_id}/replay`)
    expect([one.status, one.body.state, one.body.attempts]).toEqual([202, 'waiting', 0])
    await settled(path, 'delivered')
    expect((await received(receiver, 2))[1]).toEqual((await received(receiver, 1))[0] as Received)

    await runSql(opened.current.database, failed)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const later = new Date(Date.now() + 3_600_000).toISOString()
    expect((await call(admin, 'POST', `${path}/replay`, { since: later })).body).toEqual({
      count: 0,
    })
    expect((await call(admin, 'POST', `${path}/replay`, { since })).body).toEqual({ count: 1 })
    await received(receiver, 3)
    const missing = await call(
      ...([admin, 'POST', `${path}/deliveries/${Bun.randomUUIDv7()}/replay`] as const),
    )
    expect(missing.status).toBe(404)
  })

  test('410 turns a webhook off with the reason, and what it missed is not sent later', async () => {
    const receiver = newReceiver(410, 204)
    const path = await newWebhook(receiver, { types: ['user.created'] })
    await newUser(opened.current)
    await settled(path, 'failed')
    const [webhook] = (await call(admin, 'GET', SERVER)).body
    expect((await call(admin, 'PATCH', path, {})).body).toEqual(webhook)
    expect(webhook).toMatchObject({
      enabled: false,
      disabled_reason: 'The webhook responded with status 410 Gone',
    })
    expect(webhook.secret).toBeUndefined()
    await newUser(opened.current)
    const on = await call(admin, 'PATCH', path, { enabled: true })
    expect(on.body).toMatchObject({ enabled: true, disabled_reason: null })
    const user = await newUser(opened.current)
    expect((await received(receiver, 2))[1]?.body.data.user_id).toBe(user.id)
    expect(await deliveries(path)).toHaveLength(2)
  })

  test('a webhook that accepted nothing while an event was repeated is turned off', async () => {
    const receiver = newReceiver(503, 204, 503)
    const path = await newWebhook(receiver, { types: ['user.created'] })
    const lastAttempt = async (seconds: number): Promise<void> => {
      await runSql(
        opened.current.database,
        `update event_deliveries set state = 'waiting', attempts = 9, due_at = now(),
           created_at = now() - interval '${seconds} seconds'
         where webhook_id = '${path.split('/').at(-1)}' and type = 'user.created'`,
      )
      // Another event wakes the delivery.
      await call(admin, 'POST', `${path}/test`)
    }
    const webhook = async () => (await call(admin, 'GET', SERVER)).body[0]
    await newUser(opened.current)
    await attempted(path)
    await call(admin, 'POST', `${path}/test`)
    await received(receiver, 2)
    await eventually(async () => (await deliveries(path, '?state=delivered')).length === 1)

    // The test was accepted after this event.
    await lastAttempt(3600)
    await eventually(async () => (await deliveries(path, '?state=failed')).length === 1)
    expect(await webhook()).toMatchObject({ enabled: true, disabled_reason: null })

    await lastAttempt(0)
    const disabled = await eventually(async () => {
      const found = await webhook()
      return !found.enabled && found
    })
    expect(disabled.disabled_reason).toBe('No request was accepted for three days')
  })

  test('a renewed secret signs from then on', async () => {
    const receiver = newReceiver(204)
    const path = await newWebhook(receiver, { types: ['user.created'] })
    const renewed = await call(admin, 'POST', `${path}/secret`)
    expect(renewed.body.secret).not.toBe(receiver.of.secret)
    receiver.of.secret = renewed.body.secret
    await call(admin, 'POST', `${path}/test`)
    const [first] = await received(receiver, 1)
    expect(first?.body).toMatchObject({ type: 'webhook.test', data: { user_id: admin.id } })
  })

  test('an event whose server was killed after the commit is sent after the next start', async () => {
    const receiver = newReceiver(204)
    const path = await newWebhook(receiver)
    const eventId = Bun.randomUUIDv7()
    await opened.restart(
      `insert into event_deliveries (webhook_id, event_id, type, payload, due_at)
       values ('${path.split('/').at(-1)}', '${eventId}', 'user.created', '{"type":"user.created"}', now())`,
    )
    await eventually(async () => receiver.received.some(({ id }) => id === eventId))
  })

  test('URLs of the own network, too many webhooks and wrong fields are refused', async () => {
    const create = (body: object) => call(admin, 'POST', SERVER, body)
    for (const url of ['http://127.0.0.1/x', 'ftp://example.com', 'nowhere', 'http://[::1]/'])
      expect([url, (await create({ url })).status]).toEqual([url, 422])
    const { url } = newReceiver()
    for (const types of [[], ['user.exploded'], ['user.created', 'user.created']])
      expect((await create({ url, types })).status).toBe(422)
    const made = await Promise.all(Array.from({ length: 22 }, () => create({ url })))
    const statuses = made.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(20)
    expect(statuses.filter((status) => status === 409)).toHaveLength(2)
    expect((await call(admin, 'GET', SERVER)).body).toHaveLength(20)
  })

  test('only admins see them, and change them with a session', async () => {
    const user = await newUser(opened.current)
    expect((await call(user, 'GET', SERVER)).status).toBe(403)
    expect((await call(user, 'POST', SERVER, { url: newReceiver().url })).status).toBe(403)
    const byKey = { token: admin.key, body: { url: newReceiver().url } }
    expect((await request(opened.current, 'POST', SERVER, byKey)).status).toBe(403)
    expect((await request(opened.current, 'GET', SERVER, { token: admin.key })).status).toBe(200)
  })
})

describe('webhooks of an organization', () => {
  const newOrg = async (owner: TestUser): Promise<string> =>
    (await call(owner, 'POST', '/api/orgs', { name: 'Bees' })).body.id

  test('they get the events of the organization only, and end with it', async () => {
    const owner = await newVerifiedUser(opened.current)
    const stranger = await newVerifiedUser(opened.current)
    const [org, other] = [await newOrg(owner), await newOrg(stranger)]
    const receiver = newReceiver(204)
    const path = await newWebhook(receiver, { as: owner, path: `/api/orgs/${org}/webhooks` })
    await call(stranger, 'PATCH', `/api/orgs/${other}`, { name: 'Wasps' })
    await newUser(opened.current)
    await call(owner, 'PATCH', `/api/orgs/${org}`, { name: 'Honey bees' })
    await received(receiver, 1)
    expect(receiver.received.map(({ body }) => [body.type, body.data.org_id])).toEqual([
      ['organization.updated', org],
    ])
    for (const [as, status] of [
      [stranger, 403],
      [admin, 403],
    ] as const)
      expect((await call(as, 'GET', `${path}/deliveries`)).status).toBe(status)
    const elsewhere = path.replace(org, other)
    expect((await call(stranger, 'GET', `${elsewhere}/deliveries`)).status).toBe(404)
    expect((await call(stranger, 'DELETE', elsewhere)).status).toBe(404)
    expect((await call(owner, 'DELETE', `/api/orgs/${org}`)).status).toBe(204)
    const left = await runSql(
      opened.current.database,
      `select 1 from event_webhooks where org_id = '${org}' union all
       select 1 from event_deliveries where webhook_id = '${path.split('/').at(-1)}'`,
    )
    expect(JSON.stringify(left)).toBe('[]')
  })

  test('members without that right do not manage them', async () => {
    const [owner, member] = [
      await newVerifiedUser(opened.current),
      await newVerifiedUser(opened.current),
    ]
    const org = await newOrg(owner)
    const path = `/api/orgs/${org}/webhooks`
    await runSql(
      opened.current.database,
      `insert into org_members (org_id, user_id, role) values ('${org}', '${member.id}', 'member')`,
    )
    expect((await call(member, 'GET', path)).status).toBe(403)
    expect((await call(member, 'POST', path, { url: newReceiver().url })).status).toBe(403)
    await call(owner, 'PATCH', `/api/orgs/${org}/members/${member.id}`, { role: 'admin' })
    expect((await call(member, 'POST', path, { url: newReceiver().url })).status).toBe(201)
  })
})
