import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  bridgeMemories,
  listEngines,
  memoryStatistics,
  rememberBatch,
} from '../../shared/contract/index.ts'
import { newAdmin, setSettings } from '../admin/settings-support.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { newMailedUser, startMailbox } from '../harness/mail.ts'
import { hasPrograms } from '../harness/programs.ts'
import { proxyConfig, startProxy } from '../harness/proxy.ts'
import { newUser, request, startServer, type TestServer } from '../harness/server.ts'
import { SHARED, startMember } from './support.ts'

setDefaultTimeout(120_000)

const METRICS = { SVC_METRICS_TOKEN: 'a-metrics-token-of-32-characters' }

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
}, 120_000)
afterAll(() => database.drop())

const startRole = (role: string, env: Record<string, string> = {}): Promise<TestServer> =>
  startServer({ ...SHARED, SVC_ROLE: role, ...env }, database)

describe('a worker', () => {
  test('a worker serves health and metrics, with its role, and nothing else', async () => {
    await using worker = await startRole('worker', METRICS)
    const statusOf = async (path: string, token?: string) =>
      (await request(worker, 'GET', path, token ? { token } : {})).status
    for (const path of ['/api/health', '/api/ready']) expect(await statusOf(path)).toBe(200)
    const detail = await eventually(async () => {
      const { status, body } = await request(worker, 'GET', '/api/health/detail')
      return status === 200 && body
    })
    expect(detail).toMatchObject({ status: 'ok', role: 'worker' })
    const { text } = await request(worker, 'GET', '/metrics', { token: METRICS.SVC_METRICS_TOKEN })
    expect(text).toMatch(/^svc_build_info\{version="[^"]+",role="worker"\} 1$/m)
    for (const path of ['/', '/app', '/api/docs', '/api/me', '/api/auth/me', '/api/mcp'])
      expect([path, await statusOf(path)]).toEqual([path, 404])
    const { status, body } = await request(worker, 'POST', '/api/remember', { body: {} })
    expect([status, body]).toEqual([404, { detail: 'Not Found' }])
  })
})

test('a worker warns of a missing mail server, unless a setting names one', async () => {
  const settings = { SVC_SMTP_URL: 'smtp://127.0.0.1:1025' }
  const warnings = async () => {
    await using worker = await startRole('worker')
    return worker.log.filter((line) => line.includes('set SVC_SMTP_URL to send them')).length
  }
  expect(await warnings()).toBe(1)
  {
    await using web = await startRole('web')
    const admin = await newAdmin(web)
    expect((await setSettings(web, admin, settings)).status).toBe(200)
    expect(await warnings()).toBe(0)
    await setSettings(web, admin, { SVC_SMTP_URL: null })
  }
})

describe('a web process', () => {
  test('a web process leaves emails, engines and scores to the worker, also of a time without one', async () => {
    await using mailbox = await startMailbox()
    const mail = { SVC_SMTP_URL: mailbox.url }
    await using web = await startRole('web', mail)
    const { client, email } = await newUser(web)
    await runSql(database, `update users set email_verified = true where email = '${email}'`)
    const memories = ['Rye rises.', 'Salt slows yeast.', 'Steam crisps crust.'].map((content) => ({
      content,
      thread: 'baking',
    }))
    await client.call(rememberBatch, { body: { memories } })
    const pendingOf = async () => {
      const { engines } = await client.call(memoryStatistics)
      return engines.reduce((sum, { pending }) => sum + pending, 0)
    }
    const waiting = async (queue: string) => {
      const rows = await runSql(database, `select from jobs.job where name = '${queue}'`)
      return rows.length
    }
    await eventually(async () => (await waiting('memory-engines')) > 0)
    expect(await pendingOf()).toBeGreaterThan(0)
    expect(mailbox.mails).toEqual([])

    await using worker = await startRole('worker', mail)
    expect(worker.claimLink).toBeUndefined()
    await eventually(async () => (await pendingOf()) === 0)
    await eventually(async () => (await waiting('memory-engines')) === 0)
    await eventually(async () => (await client.call(bridgeMemories, { query: {} })).total === 1)
    // The first email was queued without a worker, and the second one with it.
    await mailbox.next(email, 'Confirm')
    await newMailedUser(web, mailbox)
  })

  test('an engine is switched off and on in a web process for all processes', async () => {
    await using mailbox = await startMailbox()
    const mail = { SVC_SMTP_URL: mailbox.url }
    await using web = await startRole('web', mail)
    await using worker = await startRole('worker', mail)
    expect(worker.log.join()).not.toContain('"level":"error"')
    const admin = await newMailedUser(web, mailbox)
    await runSql(database, `update users set is_admin = true where id = '${admin.id}'`)
    const setEnabled = (enabled: boolean) =>
      request(web, 'POST', '/api/admin/cognitive_engines/graph/state', {
        token: admin.accessToken,
        body: { enabled, reason: 'A test.' },
      })
    const graph = async () => {
      const { engines } = await admin.client.call(listEngines)
      return engines.find(({ engine }) => engine === 'graph')
    }
    expect((await setEnabled(false)).status).toBe(200)
    await admin.client.call(rememberBatch, {
      body: { memories: [{ content: 'Salt slows yeast.' }] },
    })
    const pendingOf = async () => {
      const { engines } = await admin.client.call(memoryStatistics)
      return Object.fromEntries(engines.map(({ engine, pending }) => [engine, pending]))
    }
    await eventually(async () => (await pendingOf()).extraction === 0)
    expect(await graph()).toMatchObject({ enabled: false, pending: 1 })
    await setEnabled(true)
    await eventually(async () => (await pendingOf()).graph === 0)
  })
})

test.if(hasPrograms('nginx'))(
  'nginx, configured as in the guide, sends every request to the web process that is left',
  async () => {
    const first = await startRole('web')
    await using second = await startRole('web')
    const hostOf = ({ url }: TestServer) => new URL(url).host
    await using proxy = await startProxy('nginx', async (port) =>
      (await proxyConfig('scaling.md', 'nginx', port))
        .replace('10.0.0.1:3000', hostOf(first))
        .replace('10.0.0.2:3000', hostOf(second)),
    )
    const { key } = await newUser(proxy)
    await runSql(database, 'update users set email_verified = true')
    const write = async (content: string) =>
      (await request(proxy, 'POST', '/api/remember', { token: key, body: { content } })).status
    const isRemember = (line: string) => line.includes('"route":"/api/remember"')
    while (!first.log.some(isRemember)) expect(await write('Of both processes.')).toBe(201)
    await first.stop()
    for (let i = 0; i < 10; i++)
      expect(await write(`Note ${i} of the process that is left.`)).toBe(201)
  },
)

test('a stopping server is not ready, but answers and closes connections until it has drained', async () => {
  await using server = await startMember('web', {
    ...database.env,
    ...SHARED,
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    // The test ends before.
    SVC_DRAIN_SECONDS: '300',
  })
  const { key } = await newUser(server)
  const remember = (content: string) =>
    request(server, 'POST', '/api/remember', { token: key, body: { content } })
  const before = await remember('It was written before.')
  expect([before.status, before.headers.get('connection')]).toEqual([201, null])

  server.signal('SIGTERM')
  const ready = await eventually(async () => {
    const answer = await request(server, 'GET', '/api/ready')
    return answer.status === 503 && answer
  })
  expect(ready.body).toEqual({ detail: 'Not ready: the server is stopping' })
  expect((await request(server, 'GET', '/api/health')).status).toBe(200)
  const during = await remember('It was written during the drain.')
  expect([during.status, during.headers.get('connection')]).toEqual([201, 'close'])
  // A second signal, a second after the first, does not wait for the drain.
  const again = setInterval(() => server.signal('SIGTERM'), 200)
  expect(await server.ended().finally(() => clearInterval(again))).toBe(0)
})
