import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sealedColumns } from '../../server/features.ts'
import { rotateSecret } from '../../server/operations.ts'
import { signInAt } from '../account/openid-support.ts'
import { setSettings } from '../admin/settings-support.ts'
import { eventually } from '../harness/eventually.ts'
import { startScriptedOpenId } from '../harness/scripted-openid.ts'
import { newUser, request } from '../harness/server.ts'
import { findSealed, placesOf, sealAgain } from './sealed-texts.ts'
import { runSql, startedPlace, withServer } from './support.ts'

setDefaultTimeout(120_000)

const OLD = 'the first secret of a deployment, 48 characters.'
const NEW = 'another secret of a deployment, with characters.'

const SEALED = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort()

/** A place whose server signs users in by a provider. */
const newPlace = async () => {
  const provider = await startScriptedOpenId()
  provider.script.claims = { sub: 'ada', email: 'ada@example.com', email_verified: true }
  const place = { ...(await startedPlace()), ...provider.env('MAIN') }
  return { place, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() }
}

/** Has the server encrypt a text of each kind. */
const populate = async (url: string, databaseUrl: string): Promise<void> => {
  const user = await newUser({ url })
  await runSql(
    databaseUrl,
    `update users set is_admin = true, email_verified = true, tier = 'awakened' where id = '${user.id}'`,
  )
  const post = async (path: string, body: object = {}) => {
    const { accessToken: token } = user
    const { status, text } = await request({ url }, 'POST', path, { token, body })
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
  }
  await post('/api/auth/mfa/setup')
  await post('/api/reflexes', {
    name: 'Hook',
    trigger: { type: 'signal' },
    action: { type: 'webhook', url: 'https://1.1.1.1/' },
  })
  await post('/api/admin/webhooks', { url: 'https://1.1.1.1/' })
  await setSettings({ url }, user, { SVC_MAIL_FROM: 'box@example.com' })
  await signInAt({ url }, 'main', '')
}

test('a start, and each hour after it, encrypts with the new secret what the previous one encrypted', async () => {
  await using opened = await newPlace()
  const { place } = opened
  const database = place.SVC_DATABASE_URL
  await withServer({ ...place, SVC_AUTH_SECRET: OLD }, (url) => populate(url, database))
  expect(placesOf(await findSealed(database, OLD))).toEqual(SEALED)
  const both = { SVC_AUTH_SECRET: NEW, SVC_AUTH_SECRET_PREVIOUS: OLD }
  await withServer({ ...place, ...both }, async () => {
    expect(await findSealed(database, OLD)).toEqual([])
    expect(placesOf(await findSealed(database, NEW))).toEqual(SEALED)
    await sealAgain(database, NEW, OLD)
    expect(placesOf(await findSealed(database, OLD))).toEqual(SEALED)
    // The job of each hour.
    await runSql(database, `insert into jobs.job (name, data) values ('retention', '{}')`)
    await eventually(async () => (await findSealed(database, OLD)).length === 0)
    expect(placesOf(await findSealed(database, NEW))).toEqual(SEALED)
  })
})

test('svc admin rotate-secret encrypts again what the secret encrypted that it drops', async () => {
  await using opened = await newPlace()
  const { place } = opened
  const database = place.SVC_DATABASE_URL
  const current = () =>
    readFileSync(join(place.SVC_DATA_DIR, 'auth-secret'), 'utf8').split('\n')[0] ?? ''
  await withServer(place, (url) => populate(url, database))
  const first = current()
  await rotateSecret(place, { dropsPrevious: false })
  await withServer(place, async () => {})
  const second = current()

  await sealAgain(database, second, first)
  await rotateSecret(place, { dropsPrevious: false })
  expect(await findSealed(database, first)).toEqual([])
  expect(placesOf(await findSealed(database, second))).toEqual(SEALED)
  await withServer(place, async () => {})

  await sealAgain(database, current(), second)
  expect(await rotateSecret(place, { dropsPrevious: true })).toBe(true)
  expect(await findSealed(database, second)).toEqual([])
  expect(placesOf(await findSealed(database, current()))).toEqual(SEALED)
})
