import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { claimAdmin } from '../admin/support.ts'
import { extraction } from '../conversation/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type ModelServer, says, stalls, startModelServer } from '../harness/model-server.ts'
import { request, startServer, type TestServer, type TestUser } from '../harness/server.ts'

const TOKEN = 'a-metrics-token-of-32-characters'

let models: ModelServer
let server: TestServer
let user: TestUser

setDefaultTimeout(120_000)
beforeAll(async () => {
  models = await startModelServer(0, extraction)
  server = await startServer({
    SVC_METRICS_TOKEN: TOKEN,
    SVC_OPENAI_BASE_URL: `${models.url}`,
    SVC_CHAT_MODEL: 'm',
  })
  user = await newVerifiedUser(server)
  await claimAdmin(server, user)
})
afterAll(async () => {
  await server?.stop()
  await models?.[Symbol.asyncDispose]()
})

const call = (method: string, path: string, body?: unknown) =>
  request(server, method, path, { token: user.accessToken, ...(body !== undefined && { body }) })

/** The series of a scrape, such as `svc_jobs{queue="mail",state="active"}`, and their values. */
const scrape = async (): Promise<Map<string, number>> => {
  const { status, headers, text } = await request(server, 'GET', '/metrics', { token: TOKEN })
  expect([status, headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => [
        line.slice(0, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' ') + 1)),
      ]),
  )
}

const requests = (method: string, route: string, status: number) =>
  `svc_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`

test('without SVC_METRICS_TOKEN there is no /metrics', async () => {
  await using plain = await startServer()
  expect((await request(plain, 'GET', '/metrics', { token: TOKEN })).status).toBe(404)
})

test('/metrics refuses a request without the token, with another one and with an API key', async () => {
  for (const token of [undefined, `${TOKEN}x`, user.key]) {
    const { status, headers, body } = await request(
      server,
      'GET',
      '/metrics',
      token ? { token } : {},
    )
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"'])
    expect(body).toEqual({ detail: 'The bearer token is not SVC_METRICS_TOKEN' })
  }
})

test('/metrics accepts the authentication scheme in lower and upper case', async () => {
  for (const scheme of ['bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${TOKEN}` }
    expect((await request(server, 'GET', '/metrics', { headers })).status).toBe(200)
  }
})

test('requests are counted by method, pattern of the path and status', async () => {
  const before = await scrape()
  const { body } = await call('POST', '/api/remember', {
    content: 'The boiler is serviced in May.',
  })
  await call('GET', `/api/memories/${body.memory_id}`)
  await call('GET', `/api/memories/${body.memory_id}`)
  await call('GET', `/api/memories/${crypto.randomUUID()}`)
  await call('GET', '/api/no-such-path')
  const last = requests('GET', 'unknown', 404)
  // A request is counted after its response has been sent.
  const after = await eventually(async () => {
    const series = await scrape()
    return (series.get(last) ?? 0) > (before.get(last) ?? 0) && series
  })
  const added = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0)
  expect({
    remembered: added(requests('POST', '/api/remember', 201)),
    read: added(requests('GET', '/api/memories/:memory_id', 200)),
    missing: added(requests('GET', '/api/memories/:memory_id', 404)),
    unknown: added(last),
    written: added('svc_memories_written_total'),
  }).toEqual({ remembered: 1, read: 2, missing: 1, unknown: 1, written: 1 })
  for (const series of after.keys()) expect(series).not.toContain(body.memory_id)
})

test('a recall is measured by part', async () => {
  await call('POST', '/api/recall', { query: 'When is the boiler serviced?' })
  const series = await scrape()
  for (const part of ['question', 'vectors', 'search'])
    expect(series.get(`svc_recall_duration_seconds_count{part="${part}"}`)).toBeGreaterThan(0)
})

test('an answer of a model is measured with its tokens, and an open stream while it is open', async () => {
  // The response begins with the first token.
  models.next(stalls('In'))
  const aborted = new AbortController()
  const stream = await fetch(new URL('/api/chat/stream', server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Are you there?' }),
    signal: aborted.signal,
  })
  const { disconnected } = await models.nextCall()
  expect([stream.status, (await scrape()).get('svc_http_open_streams')]).toEqual([200, 1])
  aborted.abort()
  await disconnected

  models.next(says('In May.'))
  expect((await call('POST', '/api/chat', { message: 'When is it serviced?' })).status).toBe(200)
  const series = await scrape()
  expect(
    series.get('svc_model_duration_seconds_count{provider="openai",outcome="answered"}'),
  ).toBeGreaterThan(0)
  expect(
    series.get('svc_model_tokens_total{provider="openai",direction="output"}'),
  ).toBeGreaterThan(0)
  expect(series.get('svc_model_breaker_open{provider="openai"}')).toBe(0)
})

test('the tasks of a disabled engine are pending, with their age', async () => {
  const set = (enabled: boolean) =>
    call('POST', '/api/admin/cognitive_engines/consolidation/state', { enabled, reason: 'A test' })
  await set(false)
  await call('POST', '/api/remember', { content: 'The kettle is new.' })
  const series = await scrape()
  expect(series.get('svc_engine_pending_tasks{engine="consolidation"}')).toBeGreaterThan(0)
  expect(
    series.get('svc_engine_oldest_task_age_seconds{engine="consolidation"}'),
  ).toBeGreaterThanOrEqual(0)
  await set(true)
})

test('the database, its connections, the jobs and the process are measured', async () => {
  const series = await scrape()
  expect(series.get('svc_database_up')).toBe(1)
  expect(series.get('svc_database_connections{pool="svc",state="active"}')).toBeGreaterThan(0)
  expect(series.get('svc_jobs{queue="mail",state="failed"}')).toBe(0)
  expect(series.get('svc_outbound_emails{state="queued"}')).toBe(0)
  expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  expect(series.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
})

test('scrapes at the same time have all series', async () => {
  const ofDatabase = (series: Map<string, number>) =>
    [...series.keys()].filter((name) =>
      /^svc_(jobs|outbound_emails|database_connections)/.test(name),
    )
  const expected = ofDatabase(await scrape()).filter((name) => !name.includes('connections'))
  expect(expected.length).toBeGreaterThan(5)
  for (const series of await Promise.all(Array.from({ length: 12 }, scrape)))
    expect(ofDatabase(series)).toEqual(
      expect.arrayContaining([...expected, 'svc_database_connections{pool="svc",state="active"}']),
    )
})

test('the dashboard and the alerts use only series that a scrape has', async () => {
  const names = new Set([...(await scrape()).keys()].map((series) => series.replace(/\{.*/, '')))
  for (const file of ['alerts.yaml', 'grafana-dashboard.json']) {
    const text = await readFile(new URL(`../../deploy/prometheus/${file}`, import.meta.url), 'utf8')
    const used = [...text.matchAll(/\b(?:svc|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name)
    expect(used.length).toBeGreaterThan(5)
    for (const name of used) expect([...names]).toContain(name)
  }
})
