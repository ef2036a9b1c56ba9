import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { EventDelivery } from '../../shared/contract/event-webhooks.ts'
import { claimAdmin } from '../admin/support.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { BASE_URL, newVerifiedUser, runSql } from '../harness/http.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'

setDefaultTimeout(120_000)

const SERVER = '/api/admin/webhooks'
const ENV = { SVC_BASE_URL: BASE_URL, SVC_AUTH_SECRET: 'x'.repeat(48) }
const TIMEOUT_MS = 1_500

let web: Web
let server: TestServer
let admin: TestUser
beforeAll(async () => {
  web = await startWeb()
  server = await startServer(ENV, undefined, {
    fetching: { ...web.fetching, timeoutMs: TIMEOUT_MS },
  })
  admin = await newVerifiedUser(server)
  await claimAdmin(server, admin)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
})

const call = (user: TestUser, method: string, path: string, body?: object, on = server) =>
  request(on, method, path, { token: user.accessToken, ...(body && { body }) })

interface Received {
  id: string | null
  type: string
  data: Record<string, unknown>
}

/** A receiver, and what it received. It answers what `respond` returns. */
const newReceiver = (respond: () => Promise<Response> | Response) => {
  const received: Received[] = []
  const host = web.site(async (sent) => {
    const body = (await sent.json()) as Omit<Received, 'id'>
    received.push({ ...body, id: sent.headers.get('webhook-id') })
    return respond()
  })
  return { url: `http://${host}/events`, received }
}

const accept = () => new Response(null, { status: 204 })

const newHangingReceiver = () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  let ended = 0
  const receiver = newReceiver(async () => {
    const response = await promise
    ended++
    return response
  })
  return { ...receiver, ended: () => ended, release: () => resolve(accept()) }
}

const newOrg = async (owner: TestUser): Promise<string> =>
  (await call(owner, 'POST', '/api/orgs', { name: 'Bees' })).body.id

const newWebhook = async (as: TestUser, path: string, url: string): Promise<string> => {
  const created = await call(as, 'POST', path, { url })
  expect(created.status).toBe(201)
  return `${path}/${created.body.webhook_id}`
}

const rename = (owner: TestUser, org: string, name: string, on = server) =>
  call(owner, 'PATCH', `/api/orgs/${org}`, { name }, on)

const deliveries = async (as: TestUser, path: string): Promise<EventDelivery[]> =>
  (await call(as, 'GET', `${path}/deliveries`)).body.deliveries

describe('slow receivers', () => {
  test('receivers that do not answer hold up no other organization, and not the server', async () => {
    const [owner, other] = [await newVerifiedUser(server), await newVerifiedUser(server)]
    const slow = newHangingReceiver()
    // More than there are workers, in as many organizations as there were workers once.
    for (let count = 0; count < 4; count++) {
      const org = await newOrg(owner)
      for (let each = 0; each < 5; each++)
        await newWebhook(owner, `/api/orgs/${org}/webhooks`, slow.url)
      await rename(owner, org, 'Slow bees')
    }
    await eventually(async () => slow.received.length >= 4)
    const quick = newReceiver(accept)
    const org = await newOrg(other)
    await newWebhook(other, `/api/orgs/${org}/webhooks`, quick.url)
    const ofServer = newReceiver(accept)
    const serverPath = await newWebhook(admin, SERVER, ofServer.url)
    await rename(other, org, 'Quick bees')
    const isOfOrg = ({ type, data }: Received) =>
      type === 'organization.updated' && data.org_id === org
    await eventually(async () => quick.received.some(isOfOrg) && ofServer.received.some(isOfOrg))
    expect(slow.ended()).toBe(0)
    slow.release()
    await call(admin, 'DELETE', serverPath)
  })

  test('a receiver that took too long rests, and then gets everything', async () => {
    const owner = await newVerifiedUser(server)
    const org = await newOrg(owner)
    const slow = newHangingReceiver()
    const path = await newWebhook(owner, `/api/orgs/${org}/webhooks`, slow.url)
    for (const name of ['One', 'Two', 'Three']) await rename(owner, org, name)
    const [, , first] = await eventually(async () => {
      const found = await deliveries(owner, path)
      return found[2]?.error && found
    })
    expect(first).toMatchObject({
      state: 'waiting',
      attempts: 1,
      error: 'The site took too long to answer',
    })
    await call(owner, 'POST', `${path}/test`)
    const waiting = await deliveries(owner, path)
    expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0, 0, 1])
    slow.release()
    const id = path.split('/').at(-1)
    await runSql(
      server.database,
      `update jobs.job set start_after = now() where singleton_key = '${id}'`,
      `update event_deliveries set due_at = now() where webhook_id = '${id}'`,
    )
    await call(owner, 'POST', `${path}/test`)
    await eventually(async () =>
      (await deliveries(owner, path)).every(({ state }) => state === 'delivered'),
    )
  })
})

describe('the order of events', () => {
  test('events arrive in their order from two processes', async () => {
    const owner = await newVerifiedUser(server)
    const org = await newOrg(owner)
    let active = 0
    let most = 0
    const receiver = newReceiver(async () => {
      most = Math.max(most, ++active)
      await Bun.sleep(5)
      active--
      return accept()
    })
    const path = await newWebhook(owner, `/api/orgs/${org}/webhooks`, receiver.url)
    await using second = await startServer(ENV, server.database, { fetching: web.fetching })
    for (let count = 0; count < 60; count++)
      await rename(owner, org, `Name ${count}`, count % 2 ? second : server)
    await eventually(async () =>
      (await deliveries(owner, path)).every(({ state }) => state === 'delivered'),
    )
    // Ids of events ascend by time.
    const ids = receiver.received.map(({ id }) => id)
    expect(ids).toHaveLength(60)
    expect(ids).toEqual(ids.toSorted())
    expect(most).toBe(1)
  })

  test('the attempt of a killed process ends, and another one goes on', async () => {
    const owner = await newVerifiedUser(server)
    const org = await newOrg(owner)
    const receiver = newReceiver(accept)
    const path = await newWebhook(owner, `/api/orgs/${org}/webhooks`, receiver.url)
    const id = path.split('/').at(-1)
    await runSql(
      server.database,
      `insert into jobs.job (name, singleton_key, data, policy, state, started_on, heartbeat_on, heartbeat_seconds)
       values ('event-delivery', '${id}', '${JSON.stringify({ webhookId: id, orgId: org })}',
         'key_strict_fifo', 'active', now(), now() + interval '1 hour', 10)`,
    )
    await rename(owner, org, 'Held')
    await call(owner, 'POST', `${path}/test`)
    expect(receiver.received).toEqual([])
    await runSql(
      server.database,
      `update jobs.job set heartbeat_on = now() - interval '1 hour'
       where singleton_key = '${id}' and state = 'active'`,
    )
    await call(owner, 'POST', `${path}/test`)
    await eventually(async () => receiver.received.length === 3)
    expect(receiver.received.map(({ type }) => type)).toEqual([
      ...['organization.updated', 'webhook.test', 'webhook.test'],
    ])
  })
})

describe('jobs', () => {
  const waitingJobs = (database: Parameters<typeof runSql>[0], path: string) =>
    runSql(database, `select from jobs.job where singleton_key = '${path.split('/').at(-1)}'`)

  test('an event is stored with its job by a web process, and sent by a worker', async () => {
    const database = await createDatabase()
    const fetching = web.fetching
    const front = await startServer({ ...ENV, SVC_ROLE: 'web' }, database, { fetching })
    const owner = await newUser(front)
    const { body: org } = await call(owner, 'POST', '/api/orgs', { name: 'Bees' }, front)
    const receiver = newReceiver(accept)
    const webhooks = `/api/orgs/${org.id}/webhooks`
    const { body } = await call(owner, 'POST', webhooks, { url: receiver.url }, front)
    await rename(owner, org.id, 'Honey bees', front)
    expect(await waitingJobs(database, body.webhook_id)).toHaveLength(1)
    expect(receiver.received).toEqual([])
    const worker = await startServer({ ...ENV, SVC_ROLE: 'worker' }, database, { fetching })
    await eventually(() => receiver.received.length === 1)
    await worker.stop()
    await front.stop()
    await database.drop()
  })

  test('many events that wait for a failing receiver have one job', async () => {
    const owner = await newVerifiedUser(server)
    const org = await newOrg(owner)
    const receiver = newReceiver(() => new Response(null, { status: 500 }))
    const path = await newWebhook(owner, `/api/orgs/${org}/webhooks`, receiver.url)
    const count = 20
    for (let each = 0; each < count; each++) await rename(owner, org, `Name ${each}`)
    await runSql(
      server.database,
      `update event_deliveries set due_at = now() + interval '1 hour' where webhook_id = '${path.split('/').at(-1)}'`,
    )
    await eventually(async () => (await waitingJobs(server.database, path)).length === 1)
    const waiting = await deliveries(owner, path)
    expect(waiting.map(({ state }) => state)).toEqual(Array(count).fill('waiting'))
  })
})

describe('the events of an organization', () => {
  test.each([
    ['organization.updated', 201],
    ['member.joined', 201],
    ['key.created', 201],
    ['key.revoked', 201],
    ['app.authorized', 201],
    ['organization.created', 422],
    ['organization.deleted', 422],
    ['user.created', 422],
    ['user.disabled', 422],
    ['session.created', 422],
    ['password.changed', 422],
    ['mfa.enabled', 422],
  ])('a webhook of an organization that asks for %s is answered with %d', async (type, status) => {
    const owner = await newVerifiedUser(server)
    const path = `/api/orgs/${await newOrg(owner)}/webhooks`
    const body = { url: newReceiver(accept).url, types: [type] }
    const created = await call(owner, 'POST', path, body)
    expect(created.status).toBe(status)
    if (status !== 201) {
      expect(created.body.detail[0]).toMatchObject({ loc: ['body', 'types', 0] })
      const any = await newWebhook(owner, path, body.url)
      expect((await call(owner, 'PATCH', any, { types: [type] })).status).toBe(422)
    }
  })

  test('keys of the organization are reported to it, personal keys are not', async () => {
    const owner = await newVerifiedUser(server)
    const org = await newOrg(owner)
    const receiver = newReceiver(accept)
    await newWebhook(owner, `/api/orgs/${org}/webhooks`, receiver.url)
    const keys = '/api/auth/api-keys'
    const personal = await call(owner, 'POST', keys, { name: 'mine' })
    const { body: key } = await call(owner, 'POST', keys, { name: 'robot', org_id: org })
    await call(owner, 'PATCH', `${keys}/${key.id}`, { name: 'android' })
    await call(owner, 'DELETE', `${keys}/${personal.body.id}`)
    await call(owner, 'DELETE', `${keys}/${key.id}`)
    await eventually(async () => receiver.received.length >= 3)
    expect(receiver.received.map(({ type, data }) => [type, data.name, data.org_id])).toEqual([
      ['key.created', 'robot', org],
      ['key.changed', 'android', org],
      ['key.revoked', 'android', org],
    ])
    expect(JSON.stringify(receiver.received)).not.toContain(key.key)
  })
})
