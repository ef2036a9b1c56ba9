import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createDatabase } from '../harness/database.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, PASSWORD, request } from '../harness/server.ts'
import {
  admin,
  adminJson,
  embeddedPlace,
  type Place,
  scratch,
  startedPlace,
  withServer,
} from './support.ts'

setDefaultTimeout(120_000)

const OLD = 'the first secret of a deployment, 48 characters.'
const NEW = 'another secret of a deployment, with characters.'

const withSecret = (place: Place, secret: string): Place => ({ ...place, SVC_AUTH_SECRET: secret })

/** The message of a server that does not start. */
const refusal = async (place: Place): Promise<string> => {
  await using server = spawnServer({ ...place })
  const { code, stderr } = await server.result()
  expect(code).toBe(1)
  return stderr
}

const REFUSED = /is not the secret of this database.*svc admin accept-secret/

test('a process with another secret than the database was used with does not start, and the first one does', async () => {
  const place = await startedPlace()
  await withServer(withSecret(place, OLD), async () => {})
  expect(await refusal(withSecret(place, NEW))).toMatch(REFUSED)
  // The server generates a secret of its own.
  expect(await refusal(place)).toMatch(/auth-secret is not the secret of this database/)
  await withServer(withSecret(place, OLD), async () => {})
})

test('one of two processes with different secrets that start on an empty database together starts', async () => {
  const database = await createDatabase({ isEmpty: true })
  try {
    await using one = spawnServer({ ...withSecret(database.env, OLD) })
    await using other = spawnServer({ ...withSecret(database.env, NEW) })
    const outcome = (server: typeof one) =>
      server.url.then(
        () => 'started',
        (error: Error) => error.message,
      )
    const outcomes = await Promise.all([outcome(one), outcome(other)])
    expect(outcomes.toSorted((a, b) => b.localeCompare(a))).toEqual([
      expect.stringMatching(REFUSED),
      'started',
    ])
  } finally {
    await database.drop()
  }
})

test('svc admin accept-secret replaces the secret while svc is stopped; passwords stay valid', async () => {
  const place = embeddedPlace()
  const [before, after] = [withSecret(place, OLD), withSecret(place, NEW)]
  const user = await withServer(before, async (url) => {
    const { code, stderr } = await admin(after, 'accept-secret')
    expect([code, stderr]).toEqual([1, expect.stringContaining('stop it')])
    return newUser({ url })
  })
  expect(await adminJson(after, 'accept-secret')).toEqual({ accepted: true })
  expect(await adminJson(after, 'accept-secret')).toEqual({ accepted: false })
  expect(await refusal(before)).toMatch(REFUSED)
  await withServer(after, async (url) => {
    const me = await request({ url }, 'GET', '/api/me', { token: user.accessToken })
    expect(me.status).toBe(401)
    const body = { email: user.email, password: PASSWORD }
    expect((await request({ url }, 'POST', '/api/auth/signin', { body })).status).toBe(200)
    expect((await request({ url }, 'GET', '/api/me', { token: user.key })).status).toBe(200)
  })
})

test('svc admin backup refuses a secret that is not that of the database', async () => {
  const place = await startedPlace()
  await withServer(withSecret(place, OLD), async () => {})
  const { code, stderr } = await admin(
    withSecret(place, NEW),
    'backup',
    join(scratch(), 'b.tar.zst'),
  )
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not that of the database')])
})
