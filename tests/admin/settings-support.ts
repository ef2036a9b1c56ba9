import postgres from 'postgres'
import type { ServerSetting } from '../../shared/contract/server-settings.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request, type TestServer, type TestUser } from '../harness/server.ts'

export const SETTINGS = '/api/admin/settings'

/** Signs up an admin with a verified address. */
export const newAdmin = async (server: TestServer): Promise<TestUser> => {
  const admin = await newUser(server)
  await runSql(
    server.database,
    `update users set is_admin = true, email_verified = true where id = '${admin.id}'`,
  )
  return admin
}

const WAITING = `select from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`

/** The answer to a request of an admin who loses the role while the request waits for an advisory lock. */
export const revokedMeanwhile = async <T>(
  { database }: TestServer,
  { id }: Pick<TestUser, 'id'>,
  lockClass: string,
  send: () => Promise<T>,
): Promise<T> => {
  const sql = postgres(database.env.SVC_DATABASE_URL, { max: 1 })
  try {
    const { answer } = await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${lockClass}, 0))`
      const answer = send()
      await eventually(async () => (await runSql(database, WAITING)).length > 0)
      await runSql(database, `update users set is_admin = false where id = '${id}'`)
      return { answer }
    })
    return await answer
  } finally {
    await sql.end()
  }
}

type Admin = Pick<TestUser, 'accessToken'>

export const readSettings = async (
  server: Pick<TestServer, 'url'>,
  { accessToken: token }: Admin,
): Promise<Record<string, ServerSetting>> => {
  const { status, text, body } = await request(server, 'GET', SETTINGS, { token })
  if (status !== 200) throw new Error(`the settings were not listed: ${status} ${text}`)
  return Object.fromEntries(body.settings.map((each: ServerSetting) => [each.name, each]))
}

/** Changes settings, with their current versions. */
export const setSettings = async (
  server: Pick<TestServer, 'url'>,
  admin: Admin,
  values: Record<string, string | null>,
) => {
  const settings = await readSettings(server, admin)
  const changes = Object.entries(values).map(([name, value]) => ({
    name,
    value,
    version: settings[name]?.version ?? 0,
  }))
  const { accessToken: token } = admin
  return request(server, 'PATCH', SETTINGS, { token, body: { changes } })
}

export const testSettings = (
  server: Pick<TestServer, 'url'>,
  { accessToken: token }: Admin,
  group: string,
  values: Record<string, string | null> = {},
) =>
  request(server, 'POST', `${SETTINGS}/test`, {
    token,
    body: {
      group,
      values: Object.entries(values).map(([name, value]) => ({ name, value })),
    },
  })
