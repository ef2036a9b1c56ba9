import { expect, setDefaultTimeout, test } from 'bun:test'
import { startRecorder } from '../clients/recording-proxy.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { says, startModelServer } from '../harness/model-server.ts'
import { startGoogle } from '../harness/oauth-provider.ts'
import { spawnServer } from '../harness/process.ts'
import { PASSWORD, request } from '../harness/server.ts'

setDefaultTimeout(120_000)

test('a server sends no request to this machine through the proxies of its environment', async () => {
  await using proxy = await startRecorder()
  await using model = await startModelServer(0)
  await using google = await startGoogle()
  const database = await createDatabase()
  try {
    await using server = spawnServer({
      ...database.env,
      ...proxy.env,
      ...google.env,
      SVC_OPENAI_BASE_URL: model.url,
      SVC_CHAT_MODEL: 'a-model',
    })
    const at = { url: await server.url }
    const password = PASSWORD
    const email = 'ada@example.com'
    const account = { email, password, confirm_password: password }
    const signedUp = await request(at, 'POST', '/api/auth/signup', { body: account })
    const bearer = signedUp.body.access_token
    const token = await eventually(() => /\/verify\?token=([\w-]+)/.exec(server.output())?.[1])
    await request(at, 'POST', '/api/auth/verify-email', { body: { token } })

    model.next(says('Green tea.'))
    const body = { message: 'What does Ada drink?' }
    const chat = await request(at, 'POST', '/api/chat', { token: bearer, body })
    expect(chat.body.message?.content ?? chat).toBe('Green tea.')
    const provider = await request(at, 'GET', '/api/auth/oauth/google/authorize')
    expect(provider.body.authorize_url ?? provider).toStartWith(
      google.env.SVC_OAUTH_GOOGLE_ISSUER ?? '',
    )
    // Pages and webhooks are fetched from public addresses only.
    const page = await request(at, 'POST', '/api/url', {
      token: bearer,
      body: { url: model.url },
    })
    expect(page.status).toBe(400)
    expect(proxy.seen).toEqual([])
  } finally {
    await database.dropDatabase()
  }
})
