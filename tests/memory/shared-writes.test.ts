import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { createOrg, remember } from '../../shared/contract/index.ts'
import type { Remembered } from '../../shared/contract/memories.ts'
import { createDatabase, isCluster } from '../harness/database.ts'
import { runSql } from '../harness/http.ts'
import { allMemories } from '../harness/memories.ts'
import { newUser, request, startServer, type TestUser, useServer } from '../harness/server.ts'
import { expectConsistent } from './consistency.ts'

setDefaultTimeout(120_000)

const suite = useServer()

const range = (length: number) => Array.from({ length }, (_, i) => i + 1)

const newUsers = (count: number): Promise<TestUser[]> =>
  Promise.all(range(count).map(() => newUser(suite.current)))

const write = ({ client }: TestUser, content: string, thread?: string): Promise<Remembered> =>
  client.call(remember, { body: { content, ...(thread && { thread }) } })

const positionsOf = (memories: { position: number | null }[]): number[] =>
  memories.flatMap(({ position }) => position ?? []).toSorted((a, b) => a - b)

/** The statement that a deletion begins with. */
const lockOf = (id: string) => `select pg_advisory_xact_lock(hashtextextended('${id}', 0))`

/** Holds locks in a transaction of its own. */
const holding = async (statement: string) => {
  const sql = postgres(suite.current.database.env.SVC_DATABASE_URL, { max: 1, onnotice: () => {} })
  const connection = await sql.reserve()
  await connection.unsafe('begin')
  await connection.unsafe(statement)
  return {
    async [Symbol.asyncDispose]() {
      await connection.unsafe('rollback')
      connection.release()
      await sql.end()
    },
  }
}

describe('writes of several owners that arrive together', () => {
  test('each has its own memory, and threads have no gaps', async () => {
    const users = await newUsers(6)
    const [first] = users as [TestUser]
    const { id: orgId } = await first.client.call(createOrg, { body: { name: 'Kiln' } })
    const ownWrites = users.flatMap((user, number) =>
      range(20).map((i) => write(user, `Note ${i} of ${number}`, i % 2 ? 'notes' : undefined)),
    )
    const orgWrites = range(20).map((i) =>
      request(suite.current, 'POST', '/api/remember', {
        token: first.key,
        headers: { 'x-org-id': orgId },
        body: { content: `Note ${i} of 0`, thread: 'notes' },
      }),
    )
    const [own, ofOrg] = await Promise.all([Promise.all(ownWrites), Promise.all(orgWrites)])
    const contents = users.flatMap((_, number) => range(20).map((i) => `Note ${i} of ${number}`))
    expect(own.map(({ content_text }) => content_text)).toEqual(contents)
    expect(own.filter(({ deduplicated }) => deduplicated)).toEqual([])
    expect(new Set(ofOrg.map(({ body }) => body.org_id))).toEqual(new Set([orgId]))
    expect(positionsOf(ofOrg.map(({ body }) => body))).toEqual(range(20))
    for (const user of users) {
      const memories = await allMemories(user.client)
      expect(memories).toHaveLength(20)
      expect(positionsOf(memories)).toEqual(range(10))
    }
    await expectConsistent(suite.current)
    const [transactions] = await runSql(
      suite.current.database,
      'select count(distinct xmin::text)::int as count from memories',
    )
    if (!isCluster) expect(transactions?.count).toBeLessThan(100)
  })

  test('the same content is stored once for each owner', async () => {
    const users = await newUsers(3)
    const burst = users.flatMap((user) => range(10).map(() => write(user, 'The kiln is hot.')))
    const stored = await Promise.all(burst)
    for (const number of [0, 1, 2]) {
      const own = stored.slice(10 * number, 10 * number + 10)
      expect(new Set(own.map(({ memory_id }) => memory_id)).size).toBe(1)
      expect(own.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1)
    }
    expect(new Set(stored.map(({ memory_id }) => memory_id)).size).toBe(3)
    await expectConsistent(suite.current)
  })

  test('one that the database refuses fails alone', async () => {
    const database = await createDatabase()
    const server = await startServer({}, database)
    try {
      const users = await Promise.all(range(5).map(() => newUser(server)))
      await runSql(
        database,
        `alter table memories add constraint no_poison check (content_text not like '%poison%')`,
      )
      const bodies = range(30).map((i) => (i === 17 ? 'A poison.' : `Harmless ${i}.`))
      const answers = await Promise.all(
        bodies.map((content, i) =>
          request(server, 'POST', '/api/remember', {
            token: users[i % users.length]?.key ?? '',
            body: { content },
          }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(
        bodies.map((content) => (content === 'A poison.' ? 500 : 201)),
      )
      expect(answers.filter(({ body }) => body.deduplicated)).toEqual([])
    } finally {
      await server.stop()
      await database.drop()
    }
  })

  test.each([
    ['who is being deleted', lockOf],
    [
      'whose statistics another transaction has locked',
      (id: string) => `select from memory_stats where owner_id = '${id}' for update`,
    ],
  ])('none waits for an owner %s', async (_, lock) => {
    const users = await newUsers(4)
    const [locked, ...others] = users as [TestUser, ...TestUser[]]
    await write(locked, 'Early')
    let isAnswered = false
    let late: Promise<void>
    {
      await using _other = await holding(lock(locked.id))
      // The first one goes at once, and the others share the next statement.
      const [first, ...rest] = others.map((user) => write(user, 'Before'))
      late = write(locked, 'Late').then(() => {
        isAnswered = true
      })
      await Promise.all([first, ...rest, ...others.map((user) => write(user, 'Beside'))])
      expect(isAnswered).toBe(false)
    }
    await late
    expect(await allMemories(locked.client)).toHaveLength(2)
  })

  test('two processes keep the order of a thread and store each content once', async () => {
    const { database } = suite.current
    await using other = await startServer({}, database)
    const user = await newUser(suite.current)
    const bursts = range(30).flatMap((i) =>
      [suite.current, other].flatMap((server, process) =>
        [
          { content: `Turn ${i} of process ${process}`, thread: 'talk' },
          { content: `Note ${i} of both` },
        ].map((body) => request(server, 'POST', '/api/remember', { token: user.key, body })),
      ),
    )
    const answers = await Promise.all(bursts)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const memories = await allMemories(user.client)
    expect(memories).toHaveLength(90)
    expect(positionsOf(memories)).toEqual(range(60))
    expect(answers.filter(({ body }) => !body.deduplicated)).toHaveLength(90)
    await expectConsistent(suite.current)
  })
})
