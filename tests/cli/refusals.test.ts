import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { newMachine } from './svc.ts'

const UPGRADE = 'https://svc.example.com/pricing'

/** Runs svc against a server with a fixed response. ADDRESS replaces its origin in stderr. */
const runAgainst = async (args: string[], answer: () => Response) => {
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  const machine = newMachine(server.url.origin)
  const result = await machine.svc(args, { env: { SVC_API_KEY: 'svc_x' }, stdin: 'svc_x' })
  const stderr = result.stderr.replaceAll(server.url.origin, 'ADDRESS')
  return { ...result, stderr, machine }
}

/** The exit code and the lines of stderr of `svc recall` for a response. */
const recallFailure = async (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) => {
  const result = await runAgainst(['recall', 'tea'], () =>
    Response.json(body, { status, headers: { 'x-request-id': 'r-1', ...headers } }),
  )
  expect(result.stdout).toBe('')
  return [result.code, ...result.stderr.trimEnd().split('\n')]
}

test.each<[string, number, unknown, string, string]>([
  [
    'an exceeded quota',
    429,
    {
      detail: {
        error: 'quota_exceeded',
        message: 'The messages of this month are used up.',
        upgrade_url: UPGRADE,
      },
    },
    'error: The messages of this month are used up (429)',
    `Compare the tiers: ${UPGRADE}`,
  ],
  [
    'a tier that is too low',
    403,
    {
      detail: {
        error: 'tier_insufficient',
        current_tier: 'amnesiac',
        required_tier: 'awakened',
        upgrade_url: UPGRADE,
      },
    },
    'error: This requires the tier awakened; the account has amnesiac (403)',
    `Compare the tiers: ${UPGRADE}`,
  ],
  [
    'a feature of a higher tier',
    403,
    {
      detail: {
        error: 'feature_gate_denied',
        feature: 'webhooks',
        current_tier: 'amnesiac',
        recommended_tier: 'awakened',
        upgrade_url: UPGRADE,
      },
    },
    'error: The tier amnesiac does not include webhooks; awakened does (403)',
    `Compare the tiers: ${UPGRADE}`,
  ],
  [
    'an unverified email address',
    403,
    {
      detail: {
        error: 'email_not_verified',
        message: 'Verify your email address first. To get a link, run: svc verify --resend',
      },
    },
    'error: Verify your email address first (403)',
    'To get a link, open ADDRESS/app/settings/email, or run: svc verify --resend',
  ],
  [
    'a feature that is turned off',
    404,
    { detail: 'The operator of this server has turned off the feature people (SVC_FEATURES)' },
    'error: The operator of this server has turned off the feature people (SVC_FEATURES) (404)',
    'Ask the operator, or name another server with --url.',
  ],
  [
    'a rate limit without detail',
    429,
    { error: 'rate_limited', retry_after: 7, method: 'POST' },
    'error: Too many requests: wait 7 seconds before the next one (429)',
    'Wait 7 seconds and run it again.',
  ],
  [
    'a body that is too large',
    413,
    { detail: 'Body too large' },
    'error: Body too large (413)',
    'Send less data.',
  ],
  [
    'a server error',
    500,
    { detail: 'Internal server error', path: '/api/recall' },
    'error: Internal server error (500)',
    'Run it again later, or run: svc doctor. The server logged it as request r-1.',
  ],
])('%s prints the error and a hint', async (_, status, body, message, next) => {
  expect(await recallFailure(status, body)).toEqual([1, message, next])
})

test('the hint contains the Retry-After of the server', async () => {
  const body = { detail: 'Too many requests. Please try again later.' }
  const [, , next] = await recallFailure(429, body, { 'retry-after': '12' })
  expect(next).toBe('Wait 12 seconds and run it again.')
})

test.each([
  ['memories show 01900000-0000-7000-8000-000000000000', 'To list IDs, run: svc memories list'],
  ['show 01900000-0000-7000-8000-000000000000', 'To list IDs, run: svc list'],
  ['reflexes show Heat', 'To list IDs, run: svc reflexes list'],
  ['admin users show ben', 'To list IDs, run: svc admin users list'],
  ['memories restore 01900000-0000-7000-8000-000000000000', 'Run: svc memories list --deleted'],
  ['talk Hello', 'Check the arguments. --help describes them.'],
])('svc %s names the command that lists what does not exist', async (words, hint) => {
  const result = await runAgainst(words.split(' '), () =>
    Response.json({ detail: 'It is not there' }, { status: 404 }),
  )
  expect([result.code, result.stderr]).toEqual([1, expect.stringContaining(`${hint}\n`)])
})

test('control characters of a server error are removed', async () => {
  const message = await recallFailure(400, { detail: 'bad\x1b[2J \x1b]0;title\x07\nerror: forged' })
  expect(message).toEqual([
    1,
    'error: bad  error: forged (400)',
    'Correct it and run the command again. --help lists the options.',
  ])
})

const NAME_SVC = 'Set the address of the svc server with --url, or run: svc doctor'

test.each<[string, number, Record<string, string>, string, string]>([
  [
    'a proxy without a running svc',
    502,
    { 'content-type': 'text/html' },
    'error: A proxy or another service responded at ADDRESS, not svc: HTTP 502',
    'Run it again later, or run: svc doctor',
  ],
  [
    'a page that does not exist',
    404,
    {},
    'error: A proxy or another service responded at ADDRESS, not svc: HTTP 404',
    NAME_SVC,
  ],
  [
    'an address that has moved',
    301,
    { location: 'https://svc.example.com/' },
    'error: Moved to https://svc.example.com/ (301)',
    'The server redirects to another address: check --url.',
  ],
])('%s prints the error of a foreign service', async (_, status, headers, message, next) => {
  const result = await runAgainst(
    ['recall', 'tea'],
    () => new Response('<h1>No</h1>', { status, headers }),
  )
  expect([result.code, result.stderr]).toEqual([1, `${message}\n${next}\n`])
})

test.each([
  [['whoami']],
  [['recall', 'tea']],
  [['remember', 'tea']],
  [['memories', 'list']],
  [['sessions', 'list']],
  [['chat', 'tea']],
  [['talk', 'tea']],
  [['export']],
  [['import', '-']],
  [['login', '--with-token']],
])('svc %p detects a JSON server that is not svc, and stores nothing', async (args) => {
  for (const body of [{ status: 'UP' }, null]) {
    const result = await runAgainst(args, () => Response.json(body))
    expect([result.code, result.stdout]).toEqual([1, ''])
    expect(result.stderr).toEndWith(`error: The service at ADDRESS is not svc.\n${NAME_SVC}\n`)
    expect(existsSync(result.machine.credentialsFile)).toBe(false)
  }
})

test('an incomplete answer prints its text and an error', async () => {
  const events = [
    ['start', { session_id: 'x', message_id: 'y', provider: 'local', model: null }],
    ['delta', { text: 'Half of' }],
  ].map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  for (const command of ['chat', 'talk']) {
    const result = await runAgainst(
      [command, 'tea'],
      () => new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } }),
    )
    expect([result.code, result.stdout]).toEqual([1, 'Half of\n'])
    expect(result.stderr).toContain(
      'error: The answer was interrupted: the server closed the stream\n',
    )
  }
})
