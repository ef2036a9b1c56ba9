import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { chat, memoryStatistics, recall, remember } from '../../shared/contract/index.ts'
import { newAdmin, setSettings } from '../admin/settings-support.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startPgBouncer } from '../harness/pgbouncer.ts'
import { hasPrograms } from '../harness/programs.ts'
import { type Answer, newUser, request, startServer, type TestServer } from '../harness/server.ts'
import { exportOf, importFile, linesOf } from '../memory/transfer-support.ts'
import { follow } from '../system/activity-stream.ts'
import { admin, adminJson, at, runSql, scratch, untilProcessed } from '../system/support.ts'

setDefaultTimeout(120_000)

const MESSAGE = { message: 'Where is the violin?' }
const DEVICE = { device_name: 'Boiler' }

describe.if(hasPrograms('pgbouncer'))('PgBouncer in transaction mode, as in the guide,', () => {
  let database: TestDatabase
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>
  let servers: TestServer[]
  beforeAll(async () => {
    database = await createDatabase({ isEmpty: true })
    bouncer = await startPgBouncer(database)
    const env = { SVC_BASE_URL: 'http://svc.test' }
    const start = () => startServer(env, { ...database, env: bouncer.env })
    // Both migrate the empty database.
    servers = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await bouncer[Symbol.asyncDispose]()
    await database.drop()
  })
  const serverOf = (n: number) => servers[n % servers.length] as TestServer

  test('PgBouncer answers statements with and without parameters that are sent at once', async () => {
    const connected = await openPostgres(bouncer.url)
    try {
      const { background, bulk } = connected
      for (const { query } of [connected, background, bulk]) {
        const rows = await Promise.all(
          Array.from({ length: 200 }, (_, n) =>
            n % 2 ? query('select $1::int as n', [n]) : query(`select ${n} as n`, []),
          ),
        )
        expect(rows.flat()).toEqual(Array.from({ length: 200 }, (_, n) => ({ n })))
      }
    } finally {
      await connected.close()
    }
  })

  test('a stream of activity has the events of both servers, without notifications', async () => {
    const user = await newUser(serverOf(0))
    await using stream = await follow(user, serverOf(1), '0')
    for (const n of [0, 1])
      await at(user, serverOf(n).url).client.call(remember, { body: { content: `Note ${n}.` } })
    await eventually(() => stream.events.length === 2)
  })

  test('a setting that one server changes is used by the other one', async () => {
    const owner = await newAdmin(serverOf(0))
    const offered = async () =>
      (await request(serverOf(1), 'GET', '/api/auth/oauth/providers')).body.providers
    expect(await offered()).toEqual([])
    const values = { SVC_OAUTH_GITHUB_ID: 'an-id', SVC_OAUTH_GITHUB_SECRET: 'a-secret' }
    expect((await setSettings(serverOf(0), owner, values)).status).toBe(200)
    await eventually(async () => (await offered()).length === 1)
  })

  test('PgBouncer serves writes, recall, import, export, chat, jobs and engines', async () => {
    // The email is sent by a job.
    const user = await newVerifiedUser(serverOf(0))
    const other = at(user, serverOf(1).url)
    await user.client.call(remember, { body: { content: 'The violin is in the attic.' } })
    const lines = linesOf(
      Array.from({ length: 300 }, (_, i) => ({ content: `Anna painted lantern number ${i}.` })),
    )
    expect(await importFile(serverOf(1), user, lines)).toMatchObject({ status: 200 })
    await untilProcessed(user)
    const question = { body: { query: 'Where is the violin?' } }
    const { memories } = await other.client.call(recall, question)
    expect(memories[0]?.content_text).toBe('The violin is in the attic.')
    expect(await exportOf(serverOf(0), user)).toHaveLength(301)
    const { message } = await other.client.call(chat, { body: { message: 'Where is the violin?' } })
    expect(message.content).toContain('attic')
    const { memories: counts } = await user.client.call(memoryStatistics)
    expect(counts.total).toBeGreaterThan(300)
  })

  test('connections through PgBouncer have the settings of svc, and no lock remains on them', async () => {
    const settings = `select current_setting('jit') as jit, current_setting('plan_cache_mode') as mode`
    const rows = await Promise.all(Array.from({ length: 5 }, () => runSql(bouncer.url, settings)))
    for (const [row] of rows) expect(row).toEqual({ jit: 'off', mode: 'force_generic_plan' })
    const lasting = `select pid from pg_locks join pg_stat_activity a using (pid)
      where locktype = 'advisory' and a.datname = current_database() and a.state = 'idle'`
    expect(await runSql(database.env.SVC_DATABASE_URL, lasting)).toEqual([])
  })

  test('PgBouncer serves 30 users at once over 5 connections', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const { key } = await newUser(serverOf(n))
        const send = (path: string, body: object, to: number) =>
          request(serverOf(to), 'POST', path, { token: key, body })
        const results: number[] = []
        for (let i = 0; i < 5; i++) {
          const content = `My locker number ${i} has the code ${n}-${i}.`
          results.push((await send('/api/remember', { content }, n)).status)
          const found = await send('/api/recall', { query: `code of locker number ${i}` }, n + 1)
          const texts = found.body.memories.map(
            (each: { content_text: string }) => each.content_text,
          )
          results.push(texts.includes(content) ? found.status : 0)
        }
        return results
      }),
    )
    expect(new Set(statuses.flat())).toEqual(new Set([201, 200]))
  })

  test('PgBouncer may restart: requests during it get 201 or a 503 with Retry-After, and the servers recover', async () => {
    const user = await newVerifiedUser(serverOf(0))
    const acknowledged: string[] = []
    const refused: Answer[] = []
    let isFailed = Promise.withResolvers<void>()
    let isOver = false
    const writer = async (name: number) => {
      for (let i = 0; !isOver; i++) {
        const content = `note ${name}-${i}`
        const answer = await request(serverOf(name), 'POST', '/api/remember', {
          token: user.key,
          body: { content },
        })
        if (answer.status === 201) acknowledged.push(content)
        else {
          refused.push(answer)
          isFailed.resolve()
        }
      }
    }
    /** Reads through drizzle, sign-ups and streams take other ways to the database. */
    const others = [
      () => request(serverOf(0), 'GET', '/api/reflexes', { token: user.key }),
      () => request(serverOf(1), 'GET', '/api/me', { token: user.accessToken }),
      () => request(serverOf(0), 'POST', '/api/recall', { token: user.key, body: { query: 'n' } }),
      () => request(serverOf(1), 'POST', '/api/chat/stream', { token: user.key, body: MESSAGE }),
      () => request(serverOf(0), 'POST', '/api/senses/devices', { token: user.key, body: DEVICE }),
    ]
    const other = async (send: () => Promise<Answer>) => {
      while (!isOver) {
        const answer = await send()
        if (answer.status >= 500) refused.push(answer)
        if (answer.text.includes('Internal')) refused.push(answer)
      }
    }
    const load = Promise.all([
      ...Array.from({ length: 10 }, (_, name) => writer(name)),
      ...others.map(other),
    ])
    for (let round = 0; round < 2; round++) {
      isFailed = Promise.withResolvers()
      await bouncer.restart(() => isFailed.promise)
      const before = acknowledged.length
      await eventually(() => acknowledged.length >= before + 20)
    }
    isOver = true
    await load
    for (const { status, headers, text } of refused)
      expect([status, headers.get('retry-after'), text]).toEqual([
        503,
        '1',
        JSON.stringify({ detail: 'The database is not available; try again' }),
      ])
    const stored = new Set(
      (await exportOf(serverOf(1), user)).map(({ content_text }) => content_text),
    )
    expect(acknowledged.filter((content) => !stored.has(content))).toEqual([])
    await untilProcessed(user)
    // Jobs run again.
    await newVerifiedUser(serverOf(0))
  })

  test('writes that begin while PgBouncer is away succeed if it returns soon', async () => {
    const user = await newVerifiedUser(serverOf(0))
    const write = async (n: number) => {
      const body = { content: `A note without PgBouncer: ${n}` }
      return (await request(serverOf(n), 'POST', '/api/remember', { token: user.key, body })).status
    }
    let statuses: Promise<number[]> | undefined
    await bouncer.restart(async () => {
      statuses = Promise.all(Array.from({ length: 10 }, (_, n) => write(n)))
      // Connections are refused meanwhile.
      await Promise.race([statuses, Bun.sleep(300)])
    })
    expect(new Set(await statuses)).toEqual(new Set([201]))
  })

  test('PgBouncer serves svc admin backup and check; restore and move name the other URL', async () => {
    const archive = join(scratch(), 'backup.zip')
    await adminJson(bouncer.env, 'backup', archive)
    const { memories } = await adminJson(bouncer.env, 'check')
    expect(memories).toEqual([])
    for (const args of [
      ['restore', archive, '--force'],
      ['move', '--from', bouncer.url, '--to', 'embedded'],
    ]) {
      const { code, stderr } = await admin(bouncer.env, ...args)
      expect([code, stderr]).toEqual([1, expect.stringContaining('connection pooler')])
    }
  })
})
