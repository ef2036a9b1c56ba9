import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { budgets } from '../../server/platform/budgets.ts'
import { limitPool } from '../../server/platform/db/limited-pool.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { runRequest } from '../../server/platform/request-scope.ts'
import { listMemories, me, recall, remember } from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { BASE_URL } from '../harness/http.ts'
import { startPgBouncer } from '../harness/pgbouncer.ts'
import { hasPrograms } from '../harness/programs.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'

setDefaultTimeout(120_000)

const REQUESTS = 12
/** Not those of background work. */
const BLOCKED = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and application_name = 'svc'`

/** A session beside the server that holds locks, so that statements of the server last until it ends. */
const openBlocker = async (url: string) => {
  const session = postgres(url, { max: 1, onnotice: () => {} })
  const observer = postgres(url, { max: 1, onnotice: () => {} })
  return {
    block: async (statement: string) => {
      await session.unsafe('begin')
      await session.unsafe(statement)
    },
    release: () => session.unsafe('rollback'),
    /** Waits until as many statements are blocked; none: until all have ended. */
    untilBlocked: async (isEnough: (count: number) => boolean) => {
      await eventually(async () => isEnough((await observer.unsafe(BLOCKED)).length))
    },
    cancelBlocked: () => observer.unsafe(`select pg_cancel_backend(pid) from (${BLOCKED}) blocked`),
    async [Symbol.asyncDispose]() {
      await Promise.all([session.end(), observer.end()])
    },
  }
}

const ROWS_OF = (user: TestUser) =>
  `select from memory_stats where owner_id = '${user.id}' for update`
const MEMORIES = 'lock table memories in access exclusive mode'

const connections = {
  'PostgreSQL itself': { isAvailable: true, isPooled: false },
  'a PgBouncer before it': { isAvailable: hasPrograms('pgbouncer'), isPooled: true },
}

for (const [name, { isAvailable, isPooled }] of Object.entries(connections))
  describe.if(isAvailable)(`with ${name},`, () => {
    let database: TestDatabase
    let bouncer: Awaited<ReturnType<typeof startPgBouncer>> | undefined
    let server: TestServer
    const urlOfServer = () => bouncer?.url ?? database.env.SVC_DATABASE_URL
    beforeAll(async () => {
      database = await createDatabase()
      bouncer = isPooled ? await startPgBouncer(database) : undefined
      const env = bouncer?.env ?? database.env
      server = await startServer({ SVC_BASE_URL: BASE_URL }, { ...database, env })
    })
    afterAll(async () => {
      await server.stop()
      await bouncer?.[Symbol.asyncDispose]()
      await database.drop()
    })
    const newBlocker = () => openBlocker(database.env.SVC_DATABASE_URL)

    test('slow writes of one account leave connections for the requests of another', async () => {
      const [slow, other] = [await newUser(server), await newUser(server)]
      for (const { client } of [slow, other])
        await client.call(remember, { body: { content: 'The violin is in the attic.' } })
      await using blocker = await newBlocker()
      await blocker.block(ROWS_OF(slow))
      const writes = Array.from({ length: REQUESTS }, (_, n) =>
        request(server, 'POST', '/api/remember', {
          token: slow.key,
          body: { content: `No. ${n}` },
        }),
      )
      await blocker.untilBlocked((count) => count >= 3)

      await other.client.call(me)
      const found = await other.client.call(recall, { body: { query: 'Where is the violin?' } })
      expect(found.count).toBe(1)
      await other.client.call(remember, { body: { content: 'The heron is by the lake.' } })

      await blocker.release()
      const statuses = (await Promise.all(writes)).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([201]))
    })

    test.each([
      ['a list', 'GET', listMemories.path, undefined],
      ['a recall', 'POST', recall.path, { query: 'Where is the violin?' }],
      ['an export', 'GET', '/api/memories/export', undefined],
    ])('the statements of %s end when its clients disconnect', async (_, method, path, body) => {
      const { key, client } = await newUser(server)
      await client.call(remember, { body: { content: 'The violin is in the attic.' } })
      await using blocker = await newBlocker()
      await blocker.block(MEMORIES)
      const leaving = new AbortController()
      const sent = Array.from({ length: REQUESTS }, () =>
        fetch(new URL(path, server.url), {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
          signal: leaving.signal,
        }).catch(() => undefined),
      )
      await blocker.untilBlocked((count) => count > 0)
      leaving.abort()
      await Promise.all(sent)
      await blocker.untilBlocked((count) => count === 0)
      await client.call(me)
    })

    test('a write goes on to its end when its client disconnects', async () => {
      const { key, client, ...user } = await newUser(server)
      await client.call(remember, { body: { content: 'The first one.' } })
      await using blocker = await newBlocker()
      await blocker.block(ROWS_OF({ key, client, ...user }))
      const leaving = new AbortController()
      const sent = fetch(new URL(remember.path, server.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'The second one.' }),
        signal: leaving.signal,
      }).catch(() => undefined)
      await blocker.untilBlocked((count) => count > 0)
      leaving.abort()
      await sent
      await blocker.release()
      await eventually(async () => (await client.call(listMemories)).memories.length >= 2)
    })

    test('a statement that PostgreSQL ends gets a 503 with Retry-After', async () => {
      const { key, client } = await newUser(server)
      await client.call(remember, { body: { content: 'The violin is in the attic.' } })
      await using blocker = await newBlocker()
      await blocker.block(MEMORIES)
      const answers = Promise.all([
        request(server, 'GET', listMemories.path, { token: key }),
        request(server, 'POST', remember.path, { token: key, body: { content: 'Another one.' } }),
      ])
      await blocker.untilBlocked((count) => count >= 2)
      await blocker.cancelBlocked()
      for (const { status, headers, body } of await answers)
        expect([status, headers.get('retry-after'), body]).toEqual([
          503,
          '1',
          { detail: 'The database took too long; try again' },
        ])
    })

    test('each pool has a limit for its statements, also within transactions', async () => {
      const opened = await openPostgres(urlOfServer())
      const { requestStatement, bulkStatement, backgroundStatement } = budgets
      const pools = { main: opened, bulk: opened.bulk, background: opened.background }
      const limits = {
        main: requestStatement,
        bulk: bulkStatement,
        background: backgroundStatement,
      }
      const setting = `select setting::int as ms from pg_settings where name = 'statement_timeout'`
      try {
        for (const [pool, { query, transaction }] of Object.entries(pools)) {
          const { ms } = limits[pool as keyof typeof limits]
          expect(await transaction((within) => within(setting, []))).toEqual([{ ms }])
          // A pooler has one setting for all pools: the longest.
          const single = isPooled ? backgroundStatement.ms : ms
          expect(await query(setting, [])).toEqual([{ ms: single }])
        }
      } finally {
        await opened.close()
      }
    })

    test('a statement of a request ends at the limit', async () => {
      const client = postgres(urlOfServer(), {
        max: 1,
        prepare: false,
        ...(!isPooled && { connection: { statement_timeout: 100 } }),
      })
      limitPool(client, { connections: 1, statementMs: 100, waitMs: 100, isPooled })
      const { signal } = new AbortController()
      const scope = { client: { signal }, isRead: false, account: 'a' }
      try {
        const sleep = () => client.unsafe('select pg_sleep(60)').catch((error: unknown) => error)
        // query_canceled
        expect(await runRequest(scope, sleep)).toMatchObject({ code: '57014' })
        const next = () => client.unsafe('select 1 as one')
        expect((await runRequest(scope, next))[0]?.one).toBe(1)
      } finally {
        await client.end()
      }
    })
  })
