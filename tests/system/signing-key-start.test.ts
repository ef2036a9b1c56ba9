import { expect, setDefaultTimeout, test } from 'bun:test'
import { decodeProtectedHeader } from 'jose'
import postgres from 'postgres'
import { eventually } from '../harness/eventually.ts'
import { newUser, request } from '../harness/server.ts'
import { sealAgain } from './sealed-texts.ts'
import { runSql, startedPlace, withServer } from './support.ts'

setDefaultTimeout(120_000)

const OLD = 'the first secret of a deployment, 48 characters.'
const NEW = 'another secret of a deployment, with characters.'

test('two servers that start together create one signing key', async () => {
  const place = { ...(await startedPlace()), SVC_AUTH_SECRET: NEW }
  await runSql(place.SVC_DATABASE_URL, 'delete from signing_keys')
  const sql = postgres(place.SVC_DATABASE_URL, { max: 2 })
  const waiting = () => sql`
    select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
      and query like '%locks signing_keys%'`
  const running = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('signing_keys', 0))`
    const started = [0, 1].map(() => withServer(place, async () => {}))
    await eventually(async () => (await waiting()).length === started.length)
    return { ended: Promise.all(started) }
  })
  await running.ended
  expect(await sql`select kid from signing_keys`).toHaveLength(1)
  await sql.end()
})

test('a start ends a signing key that no secret of the server decrypts, and its tokens', async () => {
  const place = { ...(await startedPlace()), SVC_BASE_URL: 'http://svc.test' }
  const database = place.SVC_DATABASE_URL
  const keysOf = async (url: string): Promise<string[]> =>
    (await request({ url }, 'GET', '/.well-known/jwks.json')).body.keys.map(
      ({ kid }: { kid: string }) => kid,
    )
  const meOf = async (url: string, token: string) =>
    (await request({ url }, 'GET', '/api/me', { token })).status
  const lost = await withServer({ ...place, SVC_AUTH_SECRET: OLD }, async (url) => {
    const { accessToken } = await newUser({ url })
    return accessToken
  })
  const both = { SVC_AUTH_SECRET: NEW, SVC_AUTH_SECRET_PREVIOUS: OLD }
  await withServer({ ...place, ...both }, async (url) => expect(await meOf(url, lost)).toBe(200))
  // As in a backup that was made before the key was encrypted again.
  await sealAgain(database, NEW, OLD)
  await withServer({ ...place, SVC_AUTH_SECRET: NEW }, async (url) => {
    const { accessToken } = await newUser({ url })
    expect(await keysOf(url)).toEqual([decodeProtectedHeader(accessToken).kid ?? ''])
    expect([await meOf(url, lost), await meOf(url, accessToken)]).toEqual([401, 200])
  })
})
