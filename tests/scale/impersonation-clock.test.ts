import { expect, setDefaultTimeout, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { createDatabase } from '../harness/database.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request } from '../harness/server.ts'
import { SHARED, startMember } from './support.ts'

setDefaultTimeout(120_000)

const SKEWED_CLOCK = fileURLToPath(new URL('skewed-clock.ts', import.meta.url))

test('an impersonation on a server whose clock is half an hour late has its minutes', async () => {
  await using opened = new AsyncDisposableStack()
  const database = await createDatabase()
  opened.defer(database.drop)
  const env = { ...SHARED, ...database.env, TEST_CLOCK_SKEW: '-1800' }
  const server = opened.use(await startMember('all', env, ['--preload', SKEWED_CLOCK]))
  const [admin, user] = [await newUser(server), await newUser(server)]
  await runSql(
    database,
    `update users set is_admin = true, email_verified = true where id = '${admin.id}'`,
  )
  const path = `/api/admin/users/${user.id}/impersonate`
  const { body } = await request(server, 'POST', path, {
    token: admin.accessToken,
    body: { reason: 'Ticket 4711', minutes: 5 },
  })
  const me = await request(server, 'GET', '/api/me', { token: body.access_token })
  expect([me.status, me.body.impersonation?.expires_at]).toEqual([200, body.expires_at])
})
