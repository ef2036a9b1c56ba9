import { expect, test } from 'bun:test'
import { newMachine } from './svc.ts'

const UPGRADE = 'https://svc.example.com/pricing'

/** What `svc recall` says when it is answered this. */
const saidOf = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json(body, { status, headers: { 'x-request-id': 'r-1', ...headers } }),
  })
  const ended = await newMachine(server.url.origin).svc(['recall', 'tea'], {
    env: { SVC_API_KEY: 'svc_x' },
  })
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
