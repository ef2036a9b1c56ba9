import { expect, test } from 'bun:test'
import type { ConfiguredPart } from '../../shared/contract/operations.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request, startServer, type TestServer, useServer } from '../harness/server.ts'

const SECRET = 'a-secret-of-this-server'
const server = useServer()

const read = (at: TestServer, token: string) =>
  request(at, 'GET', '/api/admin/configuration', { token })

/** The providers of each part, or false for one that is not configured. */
const partsOf = async (at: TestServer) => {
  const admin = await newUser(at)
  await runSql(at.database, `update users set is_admin = true where id = '${admin.id}'`)
  const { status, body, text } = await read(at, admin.key)
  expect(status).toBe(200)
  expect(text).not.toContain(SECRET)
  return Object.fromEntries(
    body.parts.map(({ part, configured, providers }: ConfiguredPart) => [
      part,
      configured && providers,
    ]),
  )
}

/** Of a server with the variables of the tests only. */
const NOTHING = {
  mail: false,
  models: false,
  embedding: false,
  transcription: false,
  oauth: false,
  stripe: false,
  s3: false,
  postgres: [],
}

test('a server without variables has no optional parts', async () => {
  expect(await partsOf(server.current)).toEqual(NOTHING)
})

test('configured parts are listed with their providers and without values', async () => {
  await using configured = await startServer({
    SVC_SMTP_URL: `smtp://svc:${SECRET}@127.0.0.1:1`,
    SVC_OLLAMA_URL: 'http://127.0.0.1:1',
    SVC_OPENAI_API_KEY: SECRET,
    SVC_CHAT_MODEL: 'a-model',
    SVC_OAUTH_GITHUB_ID: SECRET,
    SVC_OAUTH_GITHUB_SECRET: SECRET,
    SVC_STRIPE_SECRET_KEY: SECRET,
    SVC_STRIPE_WEBHOOK_SECRET: SECRET,
  })
  expect(await partsOf(configured)).toEqual({
    ...NOTHING,
    mail: [],
    models: ['openai', 'ollama'],
    oauth: ['github'],
    stripe: [],
  })
})

test('the configuration is for admins only', async () => {
  const user = await newUser(server.current)
  const { status, body } = await read(server.current, user.key)
  expect([status, body.detail]).toEqual([403, 'Admin access required'])
})
