import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { BASE_URL, runSql, startRestartable } from '../harness/http.ts'
import { type Mailbox, startMailbox } from '../harness/mail.ts'
import { type ModelServer, says, startModelServer } from '../harness/model-server.ts'
import {
  newUser,
  request,
  startServer,
  type TestServer,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'
import { startTranscriptionServer } from '../harness/transcription-server.ts'
import {
  newAdmin,
  readSettings,
  revokedMeanwhile,
  SETTINGS,
  setSettings,
} from './settings-support.ts'
import { importUsers, ndjson } from './user-import-support.ts'

const SECRET = 'a-secret-that-is-never-shown-4711'
const server = useServer()
let admin: TestUser
let mailbox: Mailbox
let models: ModelServer

beforeAll(async () => {
  admin = await newAdmin(server.current)
  mailbox = await startMailbox()
  models = await startModelServer()
})
afterAll(async () => {
  await mailbox?.[Symbol.asyncDispose]()
  await models?.[Symbol.asyncDispose]()
})

const ollamaUrl = () => models.url.replace(/\/v1$/, '')

const ask = async (at: Pick<TestServer, 'url'>, user: Pick<TestUser, 'accessToken'>) => {
  const { body } = await request(at, 'POST', '/api/chat', {
    token: user.accessToken,
    body: { message: 'Are you there?' },
  })
  return body
}

const auditOf = async (at: TestServer) =>
  (
    await request(at, 'GET', '/api/admin/audit?action=setting', { token: admin.accessToken })
  ).body.entries.map(({ subject, details }: { subject: string; details: unknown }) => [
    subject,
    details,
  ])

describe('a change takes effect without a restart', () => {
  test('emails go to the mail server that was set, and to files when it is removed', async () => {
    const set = await setSettings(server.current, admin, {
      SVC_SMTP_URL: mailbox.url,
      SVC_MAIL_FROM: 'Box <box@example.com>',
    })
    expect(set.status).toBe(200)
    const user = await newUser(server.current)
    const mail = await mailbox.next(user.email)
    expect([mail.from, mail.headers.get('from')]).toEqual([
      'box@example.com',
      'Box <box@example.com>',
    ])
    const status = await request(server.current, 'GET', '/api/auth/verification', {
      token: user.accessToken,
    })
    expect(status.text).toContain('"mail"')

    await setSettings(server.current, admin, { SVC_SMTP_URL: null, SVC_MAIL_FROM: null })
    const other = await newUser(server.current)
    await server.current.noticed(new RegExp(`^Mail to ${other.email}`))
  })

  test('chats are answered by the model that was set, and without one when it is removed', async () => {
    models.always(says('From the model.'))
    await setSettings(server.current, admin, {
      SVC_OLLAMA_URL: ollamaUrl(),
      SVC_OLLAMA_MODEL: 'a-model',
    })
    expect((await ask(server.current, admin)).message).toMatchObject({ provider: 'ollama' })
    const detail = await request(server.current, 'GET', '/api/health/detail')
    expect(Object.keys(detail.body.parts)).toContain('models.ollama')
    await setSettings(server.current, admin, { SVC_OLLAMA_URL: null, SVC_OLLAMA_MODEL: null })
    expect((await ask(server.current, admin)).message).toMatchObject({ provider: 'local' })
  })

  test('voice messages are transcribed by the endpoint that was set', async () => {
    await using endpoint = startTranscriptionServer()
    const send = () => {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(100)], { type: 'audio/wav' }), 'a.wav')
      return fetch(new URL('/api/transcribe', server.current.url), {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${admin.accessToken}` },
      })
    }
    expect((await send()).status).toBe(503)
    await setSettings(server.current, admin, {
      SVC_TRANSCRIBE_URL: endpoint.url,
      SVC_TRANSCRIBE_API_KEY: SECRET,
    })
    expect((await send()).status).toBe(200)
    expect(endpoint.requests.at(-1)?.authorization).toBe(`Bearer ${SECRET}`)
    await setSettings(server.current, admin, {
      SVC_TRANSCRIBE_URL: null,
      SVC_TRANSCRIBE_API_KEY: null,
    })
    expect((await send()).status).toBe(503)
  })

  test('the sign-in page offers the providers that were set', async () => {
    const offered = async () =>
      (await request(server.current, 'GET', '/api/auth/oauth/providers')).body.providers
    expect(await offered()).toEqual([])
    await setSettings(server.current, admin, {
      SVC_OAUTH_GITHUB_ID: 'an-id',
      SVC_OAUTH_GITHUB_SECRET: SECRET,
    })
    expect(await offered()).toEqual([{ name: 'github', label: 'GitHub' }])
    const page = await request(server.current, 'GET', '/api/auth/app')
    expect(page.text).toContain('GitHub')
    await setSettings(server.current, admin, {
      SVC_OAUTH_GITHUB_ID: null,
      SVC_OAUTH_GITHUB_SECRET: null,
    })
    expect(await offered()).toEqual([])
  })

  test('new accounts get the tier, and memories are redacted, as set', async () => {
    await setSettings(server.current, admin, {
      SVC_DEFAULT_TIER: 'conscious',
      SVC_REDACT: 'on',
      SVC_ACTIVITY_DAYS: '0',
    })
    const user = await newUser(server.current)
    const me = await request(server.current, 'GET', '/api/me', { token: user.key })
    expect(me.body.tier).toBe('conscious')
    const email = uniqueEmail()
    await importUsers(server.current, admin, ndjson([{ email, email_verified: true }]))
    const list = await request(server.current, 'GET', `/api/admin/users?q=${email}`, {
      token: admin.accessToken,
    })
    expect(list.body.users).toMatchObject([{ email, tier: 'conscious' }])
    const token = `ghp_${'a1B2'.repeat(9)}`
    const memory = await request(server.current, 'POST', '/api/remember', {
      token: user.key,
      body: { content: `The token is ${token}.` },
    })
    expect(memory.body.content_text).not.toContain(token)
    await setSettings(server.current, admin, {
      SVC_DEFAULT_TIER: null,
      SVC_REDACT: null,
      SVC_ACTIVITY_DAYS: null,
    })
    const later = await newUser(server.current)
    const meLater = await request(server.current, 'GET', '/api/me', { token: later.key })
    expect(meLater.body.tier).toBe('amnesiac')
  })

  test('the log has the level that was set', async () => {
    await setSettings(server.current, admin, { SVC_LOG_LEVEL: 'error' })
    const lines = server.current.log.length
    await request(server.current, 'GET', '/api/health')
    expect(server.current.log.length).toBe(lines)
    await setSettings(server.current, admin, { SVC_LOG_LEVEL: 'debug' })
    await request(server.current, 'GET', '/api/health')
    expect(server.current.log.length).toBeGreaterThan(lines)
  })
})

describe('several processes', () => {
  test('another process of the server uses a change, and a restart keeps it', async () => {
    await using first = await startRestartable()
    const owner = await newAdmin(first.current)
    {
      await using second = await startServer({ SVC_BASE_URL: BASE_URL }, first.database)
      await setSettings(first.current, owner, {
        SVC_OLLAMA_URL: ollamaUrl(),
        SVC_CHAT_MODEL: 'a-model',
      })
      models.always(says('From the model.'))
      const providers = async () => (await ask(second, owner)).message.provider
      expect(await eventually(async () => (await providers()) === 'ollama')).toBe(true)
      await setSettings(second, owner, { SVC_MAIL_FROM: 'second@example.com' })
      await eventually(
        async () =>
          (await readSettings(first.current, owner)).SVC_MAIL_FROM?.value === 'second@example.com',
      )
    }
    await first.restart()
    const settings = await readSettings(first.current, owner)
    expect(settings.SVC_OLLAMA_URL).toMatchObject({
      source: 'stored',
      value: ollamaUrl(),
      version: 1,
      changed_by: owner.email,
    })
    expect((await ask(first.current, owner)).message.provider).toBe('ollama')
  })

  test('a value that another secret encrypted is not used, and the list says so', async () => {
    await using first = await startRestartable({ SVC_AUTH_SECRET: 'a'.repeat(40) })
    const owner = await newAdmin(first.current)
    await setSettings(first.current, owner, { SVC_MAIL_FROM: 'first@example.com' })
    await first.current.stop()
    await runSql(first.database, 'delete from secret_fingerprints')
    await using other = await startServer({ SVC_AUTH_SECRET: 'b'.repeat(40) }, first.database)
    const another = await newAdmin(other)
    const { SVC_MAIL_FROM } = await readSettings(other, another)
    expect(SVC_MAIL_FROM).toMatchObject({ source: 'default', value: null, is_readable: false })
    expect((await setSettings(other, another, { SVC_MAIL_FROM: 'new@example.com' })).status).toBe(
      200,
    )
    expect((await readSettings(other, another)).SVC_MAIL_FROM).toMatchObject({ is_readable: true })
  })
})

describe('the environment', () => {
  test('the environment wins, is shown with its variable, and cannot be changed', async () => {
    await using fixed = await startServer({
      SVC_MAIL_FROM: 'fixed@example.com',
      SVC_OPENAI_API_KEY: SECRET,
      SVC_CHAT_MODEL: 'a-model',
    })
    const owner = await newAdmin(fixed)
    const settings = await readSettings(fixed, owner)
    expect(settings.SVC_MAIL_FROM).toMatchObject({
      source: 'environment',
      value: 'fixed@example.com',
    })
    expect(settings.SVC_OPENAI_API_KEY).toMatchObject({
      source: 'environment',
      value: null,
      hint: '4711',
    })
    const { status, body } = await setSettings(fixed, owner, { SVC_MAIL_FROM: 'a@example.com' })
    expect([status, body.detail]).toEqual([
      409,
      'SVC_MAIL_FROM is set in the environment of the server; change it there',
    ])
    const moved = await setSettings(fixed, owner, { SVC_OPENAI_BASE_URL: models.url })
    expect([moved.status, moved.body.detail[0].msg]).toEqual([
      422,
      'SVC_OPENAI_API_KEY is set in the environment, so set SVC_OPENAI_BASE_URL there, too',
    ])
  })
})

describe('wrong changes', () => {
  test.each([
    ['SVC_SMTP_URL', 'mail.example.com', 'a URL that starts with smtp:// or smtps://'],
    ['SVC_MAIL_FROM', 'no address', 'an address such as svc@example.com or svc <svc@example.com>'],
    ['SVC_MAIL_FROM', 'a@b.example\r\nBcc: c@d.example', 'one line of text'],
    ['SVC_OPENAI_BASE_URL', 'ftp://a.example', 'a URL that starts with http:// or https://'],
    ['SVC_ANTHROPIC_BASE_URL', 'a', 'a URL that starts with http:// or https://'],
    ['SVC_OLLAMA_URL', 'localhost:11434', 'a URL that starts with http:// or https://'],
    ['SVC_TRANSCRIBE_URL', '/v1', 'a URL that starts with http:// or https://'],
    ['SVC_CHAT_CONTEXT_TOKENS', '10', 'a whole number from 1024 to 10000000'],
    ['SVC_CHAT_FALLBACK', 'maybe', 'one of local, none'],
    ['SVC_DEFAULT_TIER', 'gold', 'one of amnesiac, awakened, conscious, payg'],
    ['SVC_ACTIVITY_DAYS', '-1', 'a whole number from 0 to 3650'],
    ['SVC_ACTIVITY_QUESTIONS', 'yes', 'one of on, off'],
    ['SVC_REDACT', 'all', 'one of off, hooks, on'],
    ['SVC_LOG_LEVEL', 'loud', 'one of trace, debug, info, warn, error, fatal, silent'],
    ['SVC_BACKUP_SCHEDULE', 'daily', 'a cron expression of five fields such as 0 3 * * *'],
    ['SVC_BACKUP_DIR', 'backups', 'an absolute path such as /var/backups/svc'],
    ['SVC_BACKUP_PASSPHRASE', 'eleven char', 'at least 12 characters long'],
    ['SVC_BACKUP_KEEP', '0', 'a whole number from 1 to 1000'],
    ['SVC_OAUTH_GITHUB_SECRET', 'a\u001b[2J', 'one line of text'],
  ])('%s=%p is refused with the reason', async (name, value, expected) => {
    const { status, body } = await setSettings(server.current, admin, { [name]: value })
    expect([status, body.detail]).toEqual([
      422,
      [
        {
          loc: ['body', 'changes', 0, 'value'],
          msg: `${name} must be ${expected}`,
          type: 'value_error',
        },
      ],
    ])
  })

  test.each([
    [
      { SVC_OPENAI_BASE_URL: 'http://127.0.0.1:1' },
      'SVC_OPENAI_* requires SVC_OPENAI_MODEL or SVC_CHAT_MODEL',
    ],
    [{ SVC_OAUTH_GOOGLE_ID: 'an-id' }, 'SVC_OAUTH_GOOGLE_ID requires SVC_OAUTH_GOOGLE_SECRET'],
    [{ SVC_TRANSCRIBE_MODEL: 'whisper' }, 'SVC_TRANSCRIBE_* requires SVC_TRANSCRIBE_URL'],
  ])('%p is refused, because another setting is missing', async (values, expected) => {
    const { status, body } = await setSettings(server.current, admin, values)
    expect([status, body.detail[0].msg]).toEqual([422, expected])
    for (const name of Object.keys(values))
      expect((await readSettings(server.current, admin))[name]?.version).toBe(0)
  })

  test('the later of two changes of the same version gets 409 and changes nothing', async () => {
    const { SVC_MAIL_FROM } = await readSettings(server.current, admin)
    const change = (value: string) =>
      request(server.current, 'PATCH', SETTINGS, {
        token: admin.accessToken,
        body: { changes: [{ name: 'SVC_MAIL_FROM', value, version: SVC_MAIL_FROM?.version }] },
      })
    const answers = await Promise.all([change('one@example.com'), change('two@example.com')])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 409])
    const winner = answers.find(({ status }) => status === 200)?.body.settings
    const value = (settings: { name: string; value: string }[]) =>
      settings.find(({ name }) => name === 'SVC_MAIL_FROM')?.value
    expect((await readSettings(server.current, admin)).SVC_MAIL_FROM?.value).toBe(
      value(winner) ?? null,
    )
    expect(answers.find(({ status }) => status === 409)?.body.detail).toBe(
      'SVC_MAIL_FROM was changed meanwhile; load the settings again',
    )
    await setSettings(server.current, admin, { SVC_MAIL_FROM: null })
  })

  test('a variable that cannot change while the server runs is unknown', async () => {
    for (const name of ['SVC_DATABASE_URL', 'SVC_ADMIN_EMAILS', 'SVC_AUTH_SECRET', '__proto__']) {
      const { status, body } = await setSettings(server.current, admin, { [name]: 'x' })
      expect([status, body.detail]).toEqual([
        404,
        `${name} is not a setting that can change while the server runs`,
      ])
    }
  })

  test('a setting may be in a request once', async () => {
    const change = { name: 'SVC_MAIL_FROM', value: 'a@example.com', version: 0 }
    const { status, body } = await request(server.current, 'PATCH', SETTINGS, {
      token: admin.accessToken,
      body: { changes: [change, change] },
    })
    expect([status, body.detail[0].msg]).toEqual([422, 'SVC_MAIL_FROM is in the request twice'])
  })
})

describe('who may change settings', () => {
  test('neither a user nor an API key of an admin changes or tests settings', async () => {
    const user = await newUser(server.current)
    const body = { changes: [{ name: 'SVC_MAIL_FROM', value: 'a@example.com', version: 0 }] }
    const send = (method: string, path: string, token: string, sent: unknown) =>
      request(server.current, method, path, { token, ...(sent !== undefined && { body: sent }) })
    for (const [method, path, sent] of [
      ['GET', SETTINGS, undefined],
      ['PATCH', SETTINGS, body],
      ['POST', `${SETTINGS}/test`, { group: 'mail' }],
    ] as const) {
      const asUser = await send(method, path, user.accessToken, sent)
      expect([asUser.status, asUser.body.detail]).toEqual([403, 'Admin access required'])
      expect((await send(method, path, '', sent)).status).toBe(401)
      if (method === 'GET') continue
      const byKey = await send(method, path, admin.key, sent)
      expect([byKey.status, byKey.body.detail]).toEqual([
        403,
        'An API key cannot manage the account; sign in instead',
      ])
    }
  })
})

test('a change of an admin who has lost the role meanwhile gets 403 and changes nothing', async () => {
  const other = await newAdmin(server.current)
  const { status, body } = await revokedMeanwhile(server.current, other, 'server_settings', () =>
    setSettings(server.current, other, { SVC_MAIL_FROM: 'late@example.com' }),
  )
  expect([status, body.detail]).toEqual([403, 'Admin access required'])
  expect((await readSettings(server.current, admin)).SVC_MAIL_FROM?.value).not.toBe(
    'late@example.com',
  )
})

describe('secrets', () => {
  test('secrets are in no answer, log line, audit event and row', async () => {
    const hidden = `smtp://box:${SECRET}@127.0.0.1:${mailbox.port}?pool=${SECRET}`
    const answers = [
      await setSettings(server.current, admin, {
        SVC_OPENROUTER_API_KEY: SECRET,
        SVC_SMTP_URL: hidden,
      }),
    ]
    const settings = await readSettings(server.current, admin)
    expect(settings.SVC_OPENROUTER_API_KEY).toMatchObject({
      source: 'stored',
      value: null,
      hint: '4711',
    })
    expect(settings.SVC_SMTP_URL?.value).toBe(`smtp://[hidden]@127.0.0.1:${mailbox.port}?[hidden]`)
    answers.push(
      await setSettings(server.current, admin, {
        SVC_SMTP_URL: settings.SVC_SMTP_URL?.value ?? '',
      }),
    )
    expect(answers.at(-1)?.body.detail[0].msg).toBe(
      'SVC_SMTP_URL must be the whole value, without [hidden]',
    )
    answers.push(
      await setSettings(server.current, admin, {
        SVC_OPENROUTER_API_KEY: null,
        SVC_SMTP_URL: null,
      }),
    )
    const audit = await auditOf(server.current)
    expect(audit).toContainEqual(['SVC_OPENROUTER_API_KEY', { from: 'default', to: 'a secret' }])
    const rows = await runSql(server.current.database, 'select * from server_settings')
    for (const text of [
      ...answers.map(({ text }) => text),
      ...[settings, audit, rows].map((each) => JSON.stringify(each)),
      ...server.current.log,
    ])
      expect(text).not.toContain(SECRET)
  })

  test('a passphrase has no hint', async () => {
    await setSettings(server.current, admin, { SVC_BACKUP_PASSPHRASE: 'several words of a person' })
    const { SVC_BACKUP_PASSPHRASE } = await readSettings(server.current, admin)
    expect(SVC_BACKUP_PASSPHRASE).toMatchObject({ source: 'stored', value: null, hint: null })
    await setSettings(server.current, admin, { SVC_BACKUP_PASSPHRASE: null })
  })

  test('a stored API key is not sent to another URL unless it is entered again', async () => {
    await setSettings(server.current, admin, {
      SVC_OPENAI_BASE_URL: models.url,
      SVC_OPENAI_API_KEY: SECRET,
      SVC_OPENAI_MODEL: 'a-model',
    })
    const moved = { SVC_OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
    const refused = await setSettings(server.current, admin, moved)
    expect([refused.status, refused.body.detail[0].msg]).toEqual([
      422,
      'SVC_OPENAI_API_KEY is sent to this URL; enter it again, or remove it',
    ])
    const tried = await request(server.current, 'POST', `${SETTINGS}/test`, {
      token: admin.accessToken,
      body: {
        group: 'models',
        values: [{ name: 'SVC_OPENAI_BASE_URL', value: moved.SVC_OPENAI_BASE_URL }],
      },
    })
    expect(tried.status).toBe(422)
    const entered = { ...moved, SVC_OPENAI_API_KEY: null }
    expect((await setSettings(server.current, admin, entered)).status).toBe(200)
    await setSettings(server.current, admin, {
      SVC_OPENAI_BASE_URL: null,
      SVC_OPENAI_MODEL: null,
    })
  })
})
