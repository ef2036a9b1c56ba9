import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { type ModelServer, startModelServer } from '../harness/model-server.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request } from '../harness/server.ts'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Attribute[]
  status: { code?: number }
  links?: { traceId: string; spanId: string }[]
}

interface LogRecord {
  traceId?: string
  severityText: string
  body: { stringValue: string }
  attributes: Attribute[]
}

setDefaultTimeout(120_000)
let database: TestDatabase
let models: ModelServer
beforeAll(async () => {
  database = await createDatabase()
  models = await startModelServer()
})
afterAll(async () => {
  await models?.[Symbol.asyncDispose]()
  await database?.drop()
})

/** A collector of OpenTelemetry that keeps the spans and log records that it receives. */
const startCollector = () => {
  const spans: Span[] = []
  const records: LogRecord[] = []
  let waiting: (() => void)[] = []
  const collector = Bun.serve({
    port: 0,
    async fetch(received) {
      const { resourceSpans = [], resourceLogs = [] } = (await received.json()) as {
        resourceSpans?: { scopeSpans: { spans: Span[] }[] }[]
        resourceLogs?: { scopeLogs: { logRecords: LogRecord[] }[] }[]
      }
      spans.push(
        ...resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)),
      )
      records.push(
        ...resourceLogs.flatMap((each) => each.scopeLogs.flatMap((scope) => scope.logRecords)),
      )
      for (const check of waiting.splice(0)) check()
      return Response.json({})
    },
  })
  /** Resolves with the first value that is not undefined. */
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return {
    url: collector.url.origin,
    spans,
    records,
    until,
    [Symbol.asyncDispose]: () => {
      waiting = []
      return collector.stop(true)
    },
  }
}

const startTraced = (collectorUrl: string, variables: Record<string, string> = {}) =>
  spawnServer({
    ...database.env,
    SVC_OPENAI_BASE_URL: models.url,
    SVC_CHAT_MODEL: 'test-model',
    OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_BLRP_SCHEDULE_DELAY: '50',
    ...variables,
  })

const attributeOf = ({ attributes }: Pick<Span, 'attributes'>, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('a chat request over a trusted proxy is one trace: recall, statements and the model, with its log lines', async () => {
  await using collector = startCollector()
  await using server = startTraced(collector.url, { SVC_TRUSTED_PROXIES: '127.0.0.1' })
  const url = await server.url
  const user = await newUser({ url })
  await request({ url }, 'POST', '/api/remember', {
    token: user.key,
    body: { content: 'My secret project is called Bluebird.' },
  })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const sent = await request({ url }, 'POST', '/api/talk', {
    token: user.key,
    body: { agent_slug: 'helper', message: 'What is my project called?', task: 'names' },
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  })
  expect(sent.status).toBe(200)

  const root = await collector.until(() =>
    collector.spans.find(({ name }) => name === 'POST /api/talk'),
  )
  expect([root.traceId, root.parentSpanId]).toEqual([traceId, 'b7ad6b7169203331'])
  expect(attributeOf(root, 'http.response.status_code')).toBe(200)
  const inTrace = () => collector.spans.filter((span) => span.traceId === traceId)
  const model = await collector.until(() =>
    inTrace().find(({ name }) => name === 'chat test-model'),
  )
  expect(Number(attributeOf(model, 'gen_ai.usage.output_tokens'))).toBeGreaterThan(0)
  const search = await collector.until(() => inTrace().find(({ name }) => name === 'recall search'))
  expect(inTrace().map(({ parentSpanId }) => parentSpanId)).toContain(search.spanId)
  const statements = inTrace().filter(
    (span) => attributeOf(span, 'db.system.name') === 'postgresql',
  )
  expect(statements.map(({ name }) => name)).toContain('INSERT')
  for (const statement of statements)
    expect(attributeOf(statement, 'db.query.text')).not.toContain('Bluebird')

  const line = await collector.until(() =>
    collector.records.find((record) => attributeOf(record, 'route') === '/api/talk'),
  )
  expect([line.traceId, line.severityText, line.body.stringValue]).toEqual([
    traceId,
    'INFO',
    'request',
  ])
  expect(JSON.stringify([collector.spans, collector.records])).not.toContain('Bluebird')
  expect(JSON.stringify([collector.spans, collector.records])).not.toContain(user.key)
})

test('the traceparent of a client is linked, and does not decide about sampling', async () => {
  await using collector = startCollector()
  await using server = startTraced(collector.url)
  const url = await server.url
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const send = (path: string, flags: string) =>
    request({ url }, 'GET', path, {
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-${flags}` },
    })
  // The flag 00 means that the client does not sample the trace.
  await send('/api/health', '00')
  await send('/api/ready', '01')
  for (const path of ['/api/health', '/api/ready']) {
    const { links, ...span } = await collector.until(() =>
      collector.spans.find(({ name }) => name === `GET ${path}`),
    )
    expect(span.traceId).not.toBe(traceId)
    expect(span.parentSpanId).toBeUndefined()
    expect(links).toMatchObject([{ traceId, spanId: 'b7ad6b7169203331' }])
  }
  // Its background work also has spans.
  server.child.kill('SIGTERM')
  await server.result()
  await using sampling = startTraced(collector.url, {
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  const samplingUrl = await sampling.url
  const before = collector.spans.length
  await request({ url: samplingUrl }, 'GET', '/api/health', {
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  })
  sampling.child.kill('SIGTERM')
  // A stop exports the remaining spans.
  expect((await sampling.result()).code).toBe(0)
  expect(collector.spans).toHaveLength(before)
})

test('a failed request ends its span with an error', async () => {
  await using collector = startCollector()
  await using server = startTraced(collector.url)
  const url = await server.url
  expect((await request({ url }, 'GET', '/api/me')).status).toBe(401)
  const refused = await collector.until(() =>
    collector.spans.find(({ name }) => name === 'GET /api/me'),
  )
  expect([attributeOf(refused, 'http.response.status_code'), refused.status.code]).toEqual([401, 0])
})

test('a collector that does not answer does not delay requests or the stop', async () => {
  await using server = startTraced('http://127.0.0.1:1')
  const url = await server.url
  expect((await request({ url }, 'GET', '/api/health')).status).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.result()).code).toBe(0)
})
