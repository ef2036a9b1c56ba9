import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { newMachine } from './svc.ts'

const UPGRADE = 'https://svc.example.com/pricing'

/** Runs svc where this is all that is answered; ADDRESS stands for where. */
const answered = async (args: string[], answer: () => Response) => {
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  const machine = newMachine(server.url.origin)
  const ended = await machine.svc(args, { env: { SVC_API_KEY: 'svc_x' }, stdin: 'svc_x' })
  const stderr = ended.stderr.replaceAll(server.url.origin, 'ADDRESS')
  return { ...ended, stderr, machine }
}

/** What `svc recall` says when it is answered this. */
const saidOf = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const ended = await answered(['recall', 'tea'], () =>
    Response.json(body, { status, headers: { 'x-request-id': 'r-1', ...headers } }),
  )
  expect(ended.stdout).toBe('')
  return [ended.code, ...ended.stderr.trimEnd().split('\n')]
}

test.each<[string, number, unknown, string, string]>([
  [
    'a quota that is used up',
    429,
    {
      detail: {
        error: 'quota_exceeded',
        message: 'The messages of this month are used up.',
        upgrade_url: UPGRADE,
      },
    },
    'error: The messages of this month are used up (429)',
    `See what other tiers open: ${UPGRADE}`,
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
    'error: This takes the tier awakened, and the account has amnesiac (403)',
    `See what other tiers open: ${UPGRADE}`,
  ],
  [
    'a feature of another tier',
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
    'error: The tier amnesiac does not open webhooks; awakened does (403)',
    `See what other tiers open: ${UPGRADE}`,
  ],
  [
    'an address that is not verified',
    403,
    { detail: { error: 'email_not_verified', message: 'Verify your email address first' } },
    'error: Verify your email address first (403)',
    'Open the link in that mail, and run it again. A server without mail writes it into its log.',
  ],
  [
    'a limit without detail',
    429,
    { error: 'rate_limited', retry_after: 7, method: 'POST' },
    'error: Too many requests: wait 7 seconds before the next (429)',
    'Wait 7 seconds and run it again.',
  ],
  [
    'what is too large',
    413,
    { detail: 'Body too large' },
    'error: Body too large (413)',
    'Send less at once.',
  ],
  [
    'an error of the server',
    500,
    { detail: 'Internal server error', path: '/api/recall' },
    'error: Internal server error (500)',
    "Run it again later, or run: svc doctor. The server's log has it under request r-1.",
  ],
])('%s is told with what to do', async (_, status, body, message, next) => {
  expect(await saidOf(status, body)).toEqual([1, message, next])
})

test('how long to wait is said where the server says it', async () => {
  const body = { detail: 'Too many requests. Please try again later.' }
  const [, , next] = await saidOf(429, body, { 'retry-after': '12' })
  expect(next).toBe('Wait 12 seconds and run it again.')
})

test('what a server says does not command the terminal', async () => {
  const said = await saidOf(400, { detail: 'bad\x1b[2J \x1b]0;title\x07\nerror: forged' })
  expect(said).toEqual([
    1,
    'error: bad  error: forged (400)',
    'Mend the named field and run it again; --help says what it takes.',
  ])
})

const NAME_SVC = 'Name the address of svc with --url, or run: svc doctor'

test.each<[string, number, Record<string, string>, string, string]>([
  [
    'a proxy whose svc is down',
    502,
    { 'content-type': 'text/html' },
    'error: ADDRESS answered HTTP 502',
    'Run it again later, or run: svc doctor',
  ],
  ['a page that is not there', 404, {}, 'error: ADDRESS answered HTTP 404', NAME_SVC],
  [
    'an address that has moved',
    301,
    { location: 'https://svc.example.com/' },
    'error: Moved to https://svc.example.com/ (301)',
    'The server sends elsewhere: check --url.',
  ],
])('%s is told as what it is', async (_, status, headers, message, next) => {
  const ended = await answered(
    ['recall', 'tea'],
    () => new Response('<h1>No</h1>', { status, headers }),
  )
  expect([ended.code, ended.stderr]).toEqual([1, `${message}\n${next}\n`])
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
])('svc %p does not take another JSON server for svc, and keeps nothing of it', async (args) => {
  for (const body of [{ status: 'UP' }, null]) {
    const ended = await answered(args, () => Response.json(body))
    expect([ended.code, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toEndWith(`error: What answers at ADDRESS is not svc.\n${NAME_SVC}\n`)
    expect(existsSync(ended.machine.credentialsFile)).toBe(false)
  }
})

test('an answer that ends before it is done is told, with what was said', async () => {
  const events = [
    ['start', { session_id: 'x', message_id: 'y', provider: 'local', model: null }],
    ['delta', { text: 'Half of' }],
  ].map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  for (const command of ['chat', 'talk']) {
    const ended = await answered(
      [command, 'tea'],
      () => new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } }),
    )
    expect([ended.code, ended.stdout]).toEqual([1, 'Half of\n'])
    expect(ended.stderr).toContain('error: The answer broke off: the server ended it\n')
  }
})
