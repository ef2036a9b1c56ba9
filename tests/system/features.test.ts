import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../server/config/config.ts'
import { allFeatures } from '../../server/features.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { OPTIONAL_FEATURES, type OptionalFeatureName } from '../../shared/features.ts'
import { runOn } from '../harness/cluster.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  useSharedServer,
} from '../harness/server.ts'
import { startWeb } from '../harness/web.ts'

const rowsOf = (option: OptionalFeatureName): readonly Endpoint[] =>
  allFeatures.find((feature) => feature.option === option)?.rows ?? []

const call = (server: TestServer, { method, path }: Pick<Endpoint, 'method' | 'path'>) =>
  request(server, method, path.replace(/\{\w+\}/g, crypto.randomUUID()))

/** The detail of each row, or none where the feature answers. */
const refusals = async (server: TestServer, option: OptionalFeatureName): Promise<unknown[]> => {
  const answers = await Promise.all(rowsOf(option).map((row) => call(server, row)))
  return [...new Set(answers.map(({ body }) => (body as { detail?: unknown } | undefined)?.detail))]
}

const turnedOff = (option: OptionalFeatureName) =>
  `The operator of this server has turned off the feature ${option} (SVC_FEATURES)`

const describedPaths = async (server: TestServer): Promise<string[]> =>
  Object.keys((await request(server, 'GET', '/api/docs/json')).body.paths)

test('each optional feature has one value, and at least one endpoint', () => {
  const options = allFeatures.flatMap(({ option }) => option ?? [])
  expect(options.toSorted()).toEqual([...OPTIONAL_FEATURES].toSorted())
  for (const option of OPTIONAL_FEATURES) expect(rowsOf(option).length).toBeGreaterThan(0)
})

describe('SVC_FEATURES', () => {
  const off = (value: string): string[] =>
    [...readConfig({ SVC_FEATURES: value }).featuresOff].toSorted()
  const others = (...on: OptionalFeatureName[]) =>
    OPTIONAL_FEATURES.filter((name) => !on.includes(name)).toSorted()

  const cases: [value: string, off: string[]][] = [
    ['all', []],
    ['all,-scim', ['scim']],
    ['-scim', ['scim']],
    ['-scim, -proxy', ['proxy', 'scim']],
    ['scim', others('scim')],
    ['scim,webhooks', others('scim', 'webhooks')],
    ['scim,-scim', [...OPTIONAL_FEATURES].toSorted()],
    ['-all,all', []],
  ]
  for (const [value, expected] of cases)
    test(`"${value}" turns off ${expected.join(', ') || 'nothing'}`, () => {
      expect(off(value)).toEqual(expected)
    })

  for (const value of ['memory', 'scims', '--scim', 'all,', 'none', '-'])
    test(`"${value}" is refused with the names`, () => {
      expect(() => off(value)).toThrow(
        /SVC_FEATURES must be all, or a list of automation, billing, openid/,
      )
    })
})

describe('a server without a feature', () => {
  for (const option of OPTIONAL_FEATURES)
    test(`${option}: its endpoints say so, and are not described; the others are as before`, async () => {
      const server = await startServer({ SVC_FEATURES: `-${option}` })
      try {
        expect(await refusals(server, option)).toEqual([turnedOff(option)])
        for (const other of OPTIONAL_FEATURES.filter((name) => name !== option))
          expect(await refusals(server, other)).not.toContain(turnedOff(other))
        const described = await describedPaths(server)
        for (const { path } of rowsOf(option)) expect(described).not.toContain(path)
        // A server that still warms up answers 503, with the report in the details.
        const { body } = await request(server, 'GET', '/api/health/detail')
        expect((body.detail ?? body).features).toEqual(
          Object.fromEntries(OPTIONAL_FEATURES.map((name) => [name, name !== option])),
        )
      } finally {
        await server.stop()
      }
    })
})

describe('with all features', () => {
  const server = useSharedServer()

  test('none is off, and each of its endpoints is described', async () => {
    const described = await describedPaths(server.current)
    for (const option of OPTIONAL_FEATURES) {
      expect(await refusals(server.current, option)).not.toContain(turnedOff(option))
      for (const { path } of rowsOf(option)) expect(described).toContain(path)
    }
  })
})

test('an organization ends with its webhooks also while they are turned off', async () => {
  await using web = await startWeb()
  const database = await createDatabase()
  const first = await startServer({}, database, { fetching: web.fetching })
  const owner = await newUser(first)
  const token = owner.accessToken
  const org = (await request(first, 'POST', '/api/orgs', { token, body: { name: 'Boats' } })).body
  const path = `/api/orgs/${org.id}/webhooks`
  const created = await request(first, 'POST', path, {
    token,
    body: {
      url: `http://${web.site(() => new Response(null))}/hook`,
      types: ['member.joined'],
    },
  })
  expect(created.status).toBe(201)
  await first.stop()

  const second = await startServer({ SVC_FEATURES: '-webhooks' }, database)
  const signedIn = await request(second, 'POST', '/api/auth/signin', {
    body: { email: owner.email, password: PASSWORD },
  })
  const deleted = await request(second, 'DELETE', `/api/orgs/${org.id}`, {
    token: signedIn.body.access_token,
  })
  expect(deleted.status).toBe(204)
  await second.stop()
  const left = await runOn(database.env.SVC_DATABASE_URL, 'select 1 from event_webhooks')
  expect(left.length).toBe(0)
  await database.drop()
})

test('the policies of an organization hold also while they are turned off', async () => {
  const database = await createDatabase()
  const first = await startServer({}, database)
  const owner = await newUser(first)
  const token = owner.accessToken
  const org = (await request(first, 'POST', '/api/orgs', { token, body: { name: 'Boats' } })).body
  const changed = await request(first, 'PATCH', `/api/orgs/${org.id}/policies`, {
    token,
    body: { key_scopes: ['memory:read'] },
  })
  expect(changed.status).toBe(200)
  await first.stop()

  const second = await startServer({ SVC_FEATURES: '-policies' }, database)
  const written = await request(second, 'POST', '/api/remember', {
    token: owner.key,
    headers: { 'x-org-id': org.id },
    body: { content: 'The boat is called Albatross.' },
  })
  expect([written.status, written.body.detail.error]).toEqual([403, 'org_policy'])
  await second.stop()
  await database.drop()
})

test('events that occur while webhooks are turned off are sent when they are on again', async () => {
  await using web = await startWeb()
  const received: string[] = []
  const url = `http://${web.site(async (sent) => {
    received.push(((await sent.json()) as { type: string }).type)
    return new Response(null, { status: 204 })
  })}/hook`
  const database = await createDatabase()
  const start = (env: Record<string, string>) =>
    startServer(env, database, { fetching: web.fetching })
  const signIn = async (server: TestServer, email: string): Promise<string> =>
    (await request(server, 'POST', '/api/auth/signin', { body: { email, password: PASSWORD } }))
      .body.access_token

  const first = await start({})
  const { accessToken: token, email } = await newUser(first)
  const org = (await request(first, 'POST', '/api/orgs', { token, body: { name: 'Boats' } })).body
  const types = ['organization.updated']
  await request(first, 'POST', `/api/orgs/${org.id}/webhooks`, { token, body: { url, types } })
  await first.stop()

  const second = await start({ SVC_FEATURES: '-webhooks' })
  const renamed = await request(second, 'PATCH', `/api/orgs/${org.id}`, {
    token: await signIn(second, email),
    body: { name: 'Ships' },
  })
  expect(renamed.status).toBe(200)
  await second.stop()
  expect(received).toEqual([])

  const third = await start({})
  await eventually(() => received.length > 0)
  await third.stop()
  expect(received).toEqual(types)
  await database.drop()
})

test('memories that are written while automation is turned off fire nothing later', async () => {
  const database = await createDatabase()
  const signIn = async (server: TestServer, email: string): Promise<string> =>
    (await request(server, 'POST', '/api/auth/signin', { body: { email, password: PASSWORD } }))
      .body.access_token
  const remember = (server: TestServer, token: string, content: string) =>
    request(server, 'POST', '/api/remember', { token, body: { content } })
  const first = await startServer({}, database)
  const { accessToken: token, email } = await newVerifiedUser(first)
  const reflex = await request(first, 'POST', '/api/reflexes', {
    token,
    body: {
      name: 'Boats',
      trigger: { type: 'memory' },
      action: { type: 'notify', channel: 'inbox', text: '{{content_text}}' },
    },
  })
  expect(reflex.status).toBe(201)
  await first.stop()

  const second = await startServer({ SVC_FEATURES: '-automation' }, database)
  const other = await signIn(second, email)
  expect((await remember(second, other, 'A boat is bought.')).status).toBe(201)
  await second.stop()

  const third = await startServer({}, database)
  const again = await signIn(third, email)
  await remember(third, again, 'A boat is sold.')
  const path = `/api/reflexes/${reflex.body.reflex_id}/firings`
  const texts = async (): Promise<string[]> => {
    const { body } = await request(third, 'GET', path, { token: again })
    return JSON.stringify(body).match(/A boat is (?:bought|sold)\./g) ?? []
  }
  await eventually(async () => (await texts()).includes('A boat is sold.'))
  expect(await texts()).not.toContain('A boat is bought.')
  await third.stop()
  await database.drop()
})
