import { expect } from 'bun:test'
import postgres from 'postgres'
import { createDatabase, type TestDatabase } from './database.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from './server.ts'

/** Any instant in svc's format, and any id. */
export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)

/** Tokens name their issuer, so a server that must accept them after a restart keeps its address. */
export const BASE_URL = 'http://svc.test'

type Row = Record<string, unknown>

/** Runs statements on a database. @returns the rows of the last one. */
export const runSql = async ({ env }: TestDatabase, ...statements: string[]): Promise<Row[]> => {
  const sql = postgres(env.SVC_DATABASE_URL, { max: 1, onnotice: () => {} })
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = [...(await sql.unsafe(statement))]
    return rows
  } finally {
    await sql.end()
  }
}

/** Signs up a new user and opens the emailed link; on a server without SMTP. */
export const newVerifiedUser = async (server: TestServer, email?: string): Promise<TestUser> => {
  const user = await newUser(server, email)
  const mail = await server.noticed(new RegExp(`^Mail to ${user.email} [^]*/verify\\?token=`))
  const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
  const { status } = await request(server, 'POST', '/api/auth/verify-email', { body: { token } })
  if (status !== 200) throw new Error(`the address was not verified: ${status}`)
  return user
}

/**
 * A server that a test can stop, whose data it can change, and that it can start again.
 * `current` is the running server.
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
    /** Changes the data while the server runs, for example to let time pass. */
    change: (...statements: string[]) => runSql(database, ...statements),
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
