import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMailbox } from '../harness/mail.ts'
import { fails, says, startModelServer } from '../harness/model-server.ts'
import { startGithub } from '../harness/oauth-provider.ts'
import { startServer, type TestUser, useServer } from '../harness/server.ts'
import { startTranscriptionServer } from '../harness/transcription-server.ts'
import { newAdmin, readSettings, testSettings } from './settings-support.ts'

const SECRET = 'a-secret-that-is-never-shown-4711'
/** Nothing listens there. */
const CLOSED = '127.0.0.1:1'
const server = useServer()
let admin: TestUser

beforeAll(async () => {
  admin = await newAdmin(server.current)
})

/** The results of a test, which never has the secret. */
const tryGroup = async (group: string, values: Record<string, string | null> = {}) => {
  const { status, body, text } = await testSettings(server.current, admin, group, values)
  expect([status, text]).toEqual([200, expect.not.stringContaining(SECRET)])
  expect(server.current.log.join('')).not.toContain(SECRET)
  return body.tests
}

/** A server that accepts connections and stays silent. */
const startSilent = async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { port, [Symbol.dispose]: () => void silent.close() }
}

describe('mail', () => {
  test('an email is sent to the admin, and nothing is stored', async () => {
    await using mailbox = await startMailbox()
    const values = { SVC_SMTP_URL: mailbox.url, SVC_MAIL_FROM: 'Box <box@example.com>' }
    expect(await tryGroup('mail', values)).toEqual([
      {
        target: `127.0.0.1:${mailbox.port}`,
        ok: true,
        message: `The mail server accepted an email to ${admin.email}.`,
      },
    ])
    const mail = await mailbox.next(admin.email)
    expect([mail.from, mail.subject]).toEqual(['box@example.com', 'Test of the mail server of svc'])
    const { SVC_SMTP_URL } = await readSettings(server.current, admin)
    expect(SVC_SMTP_URL).toMatchObject({ source: 'default', version: 0 })
  })

  test('a wrong password is named without its value', async () => {
    await using mailbox = await startMailbox(0, {
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error(`535 ${SECRET} is wrong`)),
    })
    const url = `smtp://box:${SECRET}@127.0.0.1:${mailbox.port}`
    expect(await tryGroup('mail', { SVC_SMTP_URL: url })).toEqual([
      {
        target: `127.0.0.1:${mailbox.port}`,
        ok: false,
        message: 'The mail server refused the user name or the password (reply 535).',
      },
    ])
  })

  test('a refused recipient, a closed port and no mail server are named', async () => {
    await using mailbox = await startMailbox(0, {
      onRcptTo: (_address, _session, done) => done(new Error('unknown here')),
    })
    expect((await tryGroup('mail', { SVC_SMTP_URL: mailbox.url }))[0].message).toBe(
      'The mail server refused the sender or the recipient (reply 550).',
    )
    expect((await tryGroup('mail', { SVC_SMTP_URL: `smtp://${CLOSED}` }))[0].message).toBe(
      'The mail server cannot be reached.',
    )
    expect((await tryGroup('mail'))[0]).toMatchObject({ ok: false, target: 'mail' })
  })

  test('a silent mail server ends the test at its time limit', async () => {
    using silent = await startSilent()
    const url = `smtp://127.0.0.1:${silent.port}`
    expect((await tryGroup('mail', { SVC_SMTP_URL: url }))[0].message).toBe(
      'The mail server did not answer in time.',
    )
  })
})

describe('models', () => {
  test('each provider answers, or says why not', async () => {
    await using models = await startModelServer()
    models.always(says('Yes.'))
    const openai = {
      SVC_OPENAI_BASE_URL: models.url,
      SVC_OPENAI_API_KEY: SECRET,
      SVC_CHAT_MODEL: 'a-model',
    }
    expect(await tryGroup('models', { ...openai, SVC_OLLAMA_URL: `http://${CLOSED}` })).toEqual([
      { target: 'openai', ok: true, message: 'The model a-model answered.' },
      {
        target: 'ollama',
        ok: false,
        message: expect.stringMatching(/^The provider cannot be reached/),
      },
    ])
    expect(models.calls.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`)
    for (const [status, message] of [
      [401, 'The provider refused the API key (401).'],
      [404, 'The provider knows neither the model a-model nor the URL (404).'],
      [402, 'The account at the provider has no credit (402).'],
    ] as const) {
      models.always(fails(status, {}, `no ${SECRET}`))
      expect(await tryGroup('models', openai)).toEqual([{ target: 'openai', ok: false, message }])
    }
    expect((await tryGroup('models'))[0].message).toBe('No provider of models is set.')
  })

  test('Anthropic lists its models with the key', async () => {
    const seen: string[] = []
    const anthropic = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        const key = request.headers.get('x-api-key') ?? ''
        seen.push(`${new URL(request.url).pathname} ${key}`)
        return key === SECRET ? Response.json({ data: [] }) : new Response('no', { status: 401 })
      },
    })
    const url = { SVC_ANTHROPIC_BASE_URL: `http://127.0.0.1:${anthropic.port}` }
    expect(await tryGroup('models', { ...url, SVC_ANTHROPIC_API_KEY: SECRET })).toEqual([
      { target: 'anthropic', ok: true, message: 'The provider listed its models.' },
    ])
    expect(await tryGroup('models', { ...url, SVC_ANTHROPIC_API_KEY: 'another' })).toEqual([
      { target: 'anthropic', ok: false, message: 'The provider refused the API key (401).' },
    ])
    expect(seen).toEqual([`/v1/models ${SECRET}`, '/v1/models another'])
    await anthropic.stop(true)
  })
})

test('a transcription endpoint transcribes silence, or says why not', async () => {
  await using endpoint = startTranscriptionServer()
  const values = { SVC_TRANSCRIBE_URL: endpoint.url, SVC_TRANSCRIBE_API_KEY: SECRET }
  expect(await tryGroup('transcription', values)).toMatchObject([{ ok: true }])
  endpoint.answer = () => new Response(SECRET, { status: 401 })
  expect((await tryGroup('transcription', values))[0].message).toBe(
    'The endpoint refused the API key (401).',
  )
  expect((await tryGroup('transcription'))[0].ok).toBe(false)
})

test('sign-in providers check the client id and the secret', async () => {
  await using github = startGithub()
  const refusing = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => Response.json({ error: 'incorrect_client_credentials' }),
  })
  const openId = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }): Response {
      const { origin, pathname } = new URL(url)
      return pathname === '/token'
        ? Response.json({ error: 'invalid_client' }, { status: 401 })
        : Response.json({ issuer: origin, token_endpoint: `${origin}/token` })
    },
  })
  const issuer = `http://127.0.0.1:${openId.port}`
  const { SVC_OAUTH_GITHUB_TOKEN_URL = '' } = github.env
  await using configured = await startServer({
    SVC_OAUTH_GOOGLE_ISSUER: issuer,
    SVC_OAUTH_GITHUB_TOKEN_URL,
    SVC_OAUTH_TWITTER_TOKEN_URL: `http://127.0.0.1:${refusing.port}`,
  })
  const owner = await newAdmin(configured)
  const pair = (name: string, secret: string) => ({
    [`SVC_OAUTH_${name}_ID`]: 'svc-under-test',
    [`SVC_OAUTH_${name}_SECRET`]: secret,
  })
  const { body } = await testSettings(configured, owner, 'sign_in', {
    ...pair('GOOGLE', SECRET),
    ...pair('GITHUB', SECRET),
    ...pair('TWITTER', SECRET),
  })
  expect(body.tests).toEqual([
    { target: 'google', ok: false, message: 'The provider refused the client id or the secret.' },
    { target: 'github', ok: true, message: 'The provider accepted the client id and the secret.' },
    { target: 'twitter', ok: false, message: 'The provider refused the client id or the secret.' },
  ])
  await Promise.all([refusing.stop(true), openId.stop(true)])
  expect((await tryGroup('sign_in'))[0].message).toBe('No sign-in provider is set.')
})

test('the directory of the backups is probed, and the probe is deleted', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-backups-'))
  const directory = join(parent, 'new')
  expect(await tryGroup('backup', { SVC_BACKUP_DIR: directory })).toEqual([
    { target: directory, ok: true, message: 'Files can be written.' },
  ])
  expect(readdirSync(directory)).toEqual([])
  const blocked = '/proc/backups'
  expect(await tryGroup('backup', { SVC_BACKUP_DIR: blocked })).toEqual([
    { target: blocked, ok: false, message: expect.stringMatching(/^Files cannot be written: /) },
  ])
})

test('wrong values are refused before anything is tested', async () => {
  const { status, body } = await testSettings(server.current, admin, 'mail', {
    SVC_SMTP_URL: 'mail.example.com',
  })
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'values', 0, 'value']])
})
