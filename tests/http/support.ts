import { expect } from 'bun:test'
import postgres from 'postgres'
import { openEmbedded } from '../../server/platform/db/embedded.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'

/** Any instant as svc writes it, and any id. */
export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** Tokens name their issuer, so a server that is to accept them after a restart keeps its name. */
export const BASE_URL = 'http://svc.test'

type Row = Record<string, unknown>

/**
 * Runs statements on a database; an embedded one only while no server has it.
 * @returns the rows of the last.
 */
export const runSql = async ({ env }: TestDatabase, ...statements: string[]): Promise<Row[]> => {
  const runOn = async (query: (statement: string) => Promise<Row[]>) => {
    let rows: Row[] = []
    for (const statement of statements) rows = await query(statement)
    return rows
  }
  if (env.SVC_DATABASE_URL) {
    const sql = postgres(env.SVC_DATABASE_URL, { max: 1, onnotice: () => {} })
    return runOn(async (statement) => [...(await sql.unsafe(statement))]).finally(() => sql.end())
  }
  const database = await openEmbedded(env.SVC_DATA_DIR)
  return runOn((statement) => database.query(statement, [])).finally(database.close)
}

/** Signs up somebody new and opens the link that is mailed to them; on a server without SMTP. */
export const newVerifiedUser = async (server: TestServer): Promise<TestUser> => {
  const user = await newUser(server)
  const mail = await server.noticed(new RegExp(`^Mail to ${user.email} [^]*/verify\\?token=`))
  const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
  const { status } = await request(server, 'POST', '/api/auth/verify-email', { body: { token } })
  if (status !== 200) throw new Error(`the address was not verified: ${status}`)
  return user
}

/**
 * A server that a test may stop, change the data of, and start again on the same data.
 * `current` is the one that runs now.
 */
export const startRestartable = async (
  env: Record<string, string> = {},
  options: Parameters<typeof startServer>[2] = {},
) => {
  const database = await createDatabase()
  const boot = () => startServer({ SVC_BASE_URL: BASE_URL, ...env }, database, options)
  let current: TestServer = await boot()
  return {
    get current() {
      return current
    },
    database,
    async restart(...statements: string[]) {
      await current.stop()
      if (statements.length) await runSql(database, ...statements)
      current = await boot()
    },
    async [Symbol.asyncDispose]() {
      await current.stop()
      await database.drop()
    },
  }
}
