import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { startDatabaseLink } from '../harness/link.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request } from '../harness/server.ts'

setDefaultTimeout(120_000)

const END_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

/** A database whose connections can be cut in both ways, and an svc pool connected to it. */
const cuttable = async () => {
  const database = await createDatabase()
  const link = await startDatabaseLink(database.env.SVC_DATABASE_URL)
  return {
    env: { ...database.env, SVC_DATABASE_URL: link.url },
    /** Cuts as an administrator, a restart or a failover does. */
    ended: () => runSql(database, END_CONNECTIONS),
    reset: async () => link.reset(),
    /** Ends all connections and refuses new ones until `comeBack`. */
    leave() {
      link.reset()
      link.cut()
    },
    comeBack: () => link.open(),
    sql: (text: string) => runSql(database, text),
    async [Symbol.asyncDispose]() {
      link[Symbol.dispose]()
      await database.drop()
    },
  }
}

type Cut = (it: Awaited<ReturnType<typeof cuttable>>) => Promise<unknown>

const cuts: Record<string, Cut> = {
  'ended by PostgreSQL': (it) => it.ended(),
  'reset by the network': (it) => it.reset(),
}

for (const [how, cut] of Object.entries(cuts)) {
  test(`connections ${how} fail only the queries in progress, and the server recovers`, async () => {
    await using it = await cuttable()
    await using server = spawnServer(it.env)
    const url = await server.url
    const { key } = await newUser({ url })
    const remember = (content: string) =>
      request({ url }, 'POST', '/api/remember', { token: key, body: { content } })

    const acknowledged: string[] = []
    const statuses = new Set<number>()
    let cutting = true
    const writer = async (name: number) => {
      for (let i = 0; cutting; i++) {
        const content = `memory ${name}-${i}`
        const { status } = await remember(content)
        statuses.add(status)
        if (status === 201) acknowledged.push(content)
        await request({ url }, 'POST', '/api/recall', { token: key, body: { query: 'memory' } })
      }
    }
    const writers = Array.from({ length: 12 }, (_, name) => writer(name))
    for (let i = 0; i < 5; i++) {
      const before = acknowledged.length
      await cut(it)
      // Each cut happens while the server works.
      await eventually(() => acknowledged.length >= before + 20)
    }
    cutting = false
    await Promise.all(writers)

    expect([...statuses].filter((status) => ![201, 503].includes(status))).toEqual([])
    const after = Array.from({ length: 30 }, (_, i) => remember(`after ${i}`))
    for (const { status } of await Promise.all(after)) expect(status).toBe(201)
    const rows = await it.sql('select content_text from memories')
    const there = new Set(rows.map((row) => row.content_text))
    expect(acknowledged.filter((content) => !there.has(content))).toEqual([])
    // Background jobs continue too.
    const { email } = await newUser({ url })
    const outbox = join(it.env.SVC_DATA_DIR, 'outbox')
    // A draft has another ending until it is complete.
    const names = () => readdirSync(outbox).filter((name) => name.endsWith('.eml'))
    const mails = () => names().map((name) => readFileSync(join(outbox, name), 'utf8'))
    await eventually(() => mails().some((mail) => mail.includes(`To: ${email}`)))
    expect(server.child.exitCode).toBeNull()
  })

  test(`a transaction whose connection is ${how} writes nothing`, async () => {
    await using it = await cuttable()
    const database = await openPostgres(it.env.SVC_DATABASE_URL)
    try {
      await it.sql('create table marks (transaction int, n int)')
      for (let round = 0; round < 5; round++) {
        const started = Promise.withResolvers<void>()
        const cutDone = Promise.withResolvers<void>()
        let waiting = 5
        const transactions = Array.from({ length: 5 }, (_, i) =>
          database.transaction(async (query) => {
            const mark = (n: number) =>
              query('insert into marks values ($1, $2)', [round * 10 + i, n])
            await mark(1)
            if (--waiting === 0) started.resolve()
            await cutDone.promise
            // By now the pool has reconnected: none of these may reach the new connection.
            await Promise.allSettled([mark(2), mark(3)])
            await mark(4)
          }),
        )
        const results = Promise.allSettled(transactions)
        await started.promise
        const busy = Promise.allSettled(
          Array.from({ length: 20 }, () => database.query('select pg_sleep(0.01)', [])),
        )
        await cut(it)
        await busy
        const answers = () => database.query('select 1', []).then(Boolean, () => false)
        await eventually(answers)
        cutDone.resolve()
        for (const { status } of await results) expect(status).toBe('rejected')
      }
      expect(await it.sql('select * from marks')).toEqual([])
      const ones = Array.from({ length: 40 }, () => database.query('select 1 as one', []))
      for (const rows of await Promise.all(ones)) expect(rows).toEqual([{ one: 1 }])
    } finally {
      await database.close()
    }
  })
}

test('a script whose connection is cut, or that fails in a transaction, leaves other connections intact', async () => {
  await using it = await cuttable()
  const database = await openPostgres(it.env.SVC_DATABASE_URL)
  try {
    const scripts = [
      'begin; select pg_terminate_backend(pg_backend_pid()); commit',
      'begin; select 1 / 0; commit',
    ]
    for (const script of scripts)
      await Promise.all(
        Array.from({ length: 5 }, () => expect(database.script(script)).rejects.toThrow()),
      )
    const ones = Array.from({ length: 20 }, () => database.query('select 1 as one', []))
    for (const rows of await Promise.all(ones)) expect(rows).toEqual([{ one: 1 }])
  } finally {
    await database.close()
  }
})

test('every statement and script settles while the database is down, and the pool recovers', async () => {
  await using it = await cuttable()
  const database = await openPostgres(it.env.SVC_DATABASE_URL)
  const begin = () =>
    Array.from({ length: 30 }, (_, i) =>
      i % 3 ? database.script('select 1 as one') : database.query('select 1 as one', []),
    )
  try {
    for (let round = 0; round < 3; round++) {
      const running = begin()
      it.leave()
      const results = [Promise.allSettled(running)]
      // Each batch meets connections that are being opened and refused.
      for (let batch = 0; batch < 5; batch++) {
        results.push(Promise.allSettled(begin()))
        await Promise.race(results)
      }
      it.comeBack()
      const settled = (await Promise.all(results)).flat()
      expect(settled.some(({ status }) => status === 'rejected')).toBe(true)
    }
    for (const rows of await Promise.all(begin())) expect(rows).toEqual([{ one: 1 }])
  } finally {
    await database.close()
  }
})
