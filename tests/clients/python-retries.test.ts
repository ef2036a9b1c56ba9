import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { quietPort } from '../harness/ports.ts'
import { hasPrograms } from '../harness/programs.ts'
import { pythonResult } from './python.ts'
import { CHAT, call, ME } from './python-call.ts'
import { hangsUp, isSilent, type Reply, says, starts } from './scripted-server.ts'

setDefaultTimeout(120_000)

const hasPython = hasPrograms('python3')

describe.skipIf(!hasPython)('a retry of the Python client', () => {
  const ok = says(200, { memories: [], count: 0, message: {} })
  const limited = (headers: Record<string, string>, status = 429) =>
    says(status, { detail: 'Too many requests' }, headers)
  /** A server whose clock is years behind that of this machine. */
  const DATE = 'Tue, 01 Feb 2000 12:00:00 GMT'
  const LATER = 'Tue, 01 Feb 2000 12:00:07 GMT'

  const refused: [name: string, reply: Reply, wait: number][] = [
    ['429 with seconds', limited({ 'retry-after': '3' }), 3],
    [
      '429 with a date, by the clock of the server',
      limited({ 'retry-after': LATER, date: DATE }),
      7,
    ],
  ]
  for (const [name, reply, wait] of refused)
    test(`a retry of a refused message waits as long as the server asks: ${name}`, async () => {
      const outcome = await call(CHAT, [reply, ok])
      expect(outcome.result.message).toEqual({})
      expect(outcome.received).toHaveLength(2)
      expect(outcome.waits).toHaveLength(1)
      expect(outcome.waits[0]).toBeGreaterThanOrEqual(wait)
      expect(outcome.waits[0]).toBeLessThanOrEqual(wait + 0.5)
    })

  const MEMORY = { error: 'quota_exceeded', message: 'Used up', current_tier: 'amnesiac' }
  const final: [name: string, reply: Reply, expected: object][] = [
    [
      'a wait beyond max_wait',
      limited({ 'retry-after': '3600' }),
      {
        error: 'RateLimited',
        retry_after: 3600,
        fix: 'Wait 3600 seconds before the next request.',
      },
    ],
    [
      'the sign-in limiter',
      says(429, { detail: 'Too many requests. Please try again later.' }),
      { error: 'RateLimited', reason: 'auth_rate_limited', retry_after: 60 },
    ],
    [
      'the limiter of pages',
      says(
        429,
        { error: 'rate_limited', retry_after: 90, method: 'POST' },
        { 'retry-after': '90' },
      ),
      { error: 'RateLimited', reason: 'rate_limited', retry_after: 90 },
    ],
    [
      'a quota',
      says(429, { detail: { ...MEMORY, upgrade_url: 'https://svc.example.com/pricing' } }),
      {
        error: 'QuotaExceeded',
        reason: 'quota_exceeded',
        fix: 'Compare the tiers: https://svc.example.com/pricing',
      },
    ],
    [
      'an unverified address',
      says(403, { detail: { error: 'email_not_verified', message: 'Verify your address' } }),
      { error: 'Forbidden', reason: 'email_not_verified' },
    ],
    ['a malformed wait', limited({ 'retry-after': 'soon' }), { retry_after: null }],
  ]
  for (const [name, reply, expected] of final)
    test(`a refusal is not repeated: ${name}`, async () => {
      const outcome = await call('svc.memories.recall(query="a")', [reply])
      expect(outcome).toMatchObject({ ...expected, waits: [] })
      expect(outcome.received).toHaveLength(1)
    })

  const repeated: [name: string, expression: string, reply: Reply, requests: number][] = [
    ['a lost read', 'svc.account.me()', hangsUp, 3],
    ['a failed read', 'svc.account.me()', says(500, { detail: 'Internal server error' }), 3],
    ['a lost question', 'svc.memories.recall(query="a")', hangsUp, 3],
    ['a lost memory, which is stored once', 'svc.memories.remember(content="a")', hangsUp, 3],
    [
      'a lost memory that supersedes another',
      'svc.memories.remember(content="a", supersedes="m")',
      hangsUp,
      1,
    ],
    [
      'a failed memory that supersedes another',
      'svc.memories.remember(content="a", supersedes="m")',
      says(503, { detail: 'Busy' }),
      1,
    ],
    [
      'a lost memory that supersedes none',
      'svc.memories.remember(content="a", supersedes=None)',
      hangsUp,
      3,
    ],
    [
      'a lost batch with a memory that supersedes another',
      'svc.memories.remember_batch(memories=[{"content": "a"}, {"content": "b", "supersedes": "m"}])',
      hangsUp,
      1,
    ],
    [
      'a lost batch',
      'svc.memories.remember_batch(memories=({"content": "a", "supersedes": None},))',
      hangsUp,
      3,
    ],
    ['a lost setting', 'svc.profile.set_preference("k", value="on")', hangsUp, 3],
    ['a lost chat message', CHAT, hangsUp, 1],
    ['a chat message without a database', CHAT, limited({ 'retry-after': '1' }, 503), 1],
    ['a failed chat message', CHAT, says(500, { detail: 'Internal server error' }), 1],
    ['a lost pin, which toggles', 'svc.chat_sessions.pin_chat_session("s")', hangsUp, 1],
    ['a lost change', 'svc.memories.update_memory("m", content="a")', hangsUp, 1],
    ['a lost upload', 'svc.files.upload_file(b"a")', hangsUp, 1],
  ]
  for (const [name, expression, reply, requests] of repeated)
    test(`${name} is sent ${requests === 1 ? 'once' : 'again'}`, async () => {
      const outcome = await call(expression, [reply])
      expect(outcome.error).toMatch(reply === hangsUp ? 'Unreachable' : /ServerError|Unavailable/)
      expect(outcome.received).toHaveLength(requests)
      expect(outcome.waits).toHaveLength(requests - 1)
      for (const [i, wait] of outcome.waits.entries())
        expect(wait).toBeLessThanOrEqual(0.5 * 2 ** i)
    })

  test('a deletion whose response was lost succeeds when the object is gone', async () => {
    const missing = says(404, { detail: 'Memory not found' })
    const remove = 'svc.memories.delete_memory("m")'
    expect(await call(remove, [hangsUp, missing])).toMatchObject({ result: null })
    expect(await call(remove, [missing])).toMatchObject({ error: 'NotFound' })
    const outcome = await call(remove, [limited({ 'retry-after': '1' }), missing])
    expect(outcome).toMatchObject({ error: 'NotFound', reason: 'memory_not_found' })
  })

  test('a read whose response was cut off is sent again', async () => {
    const cut = starts('application/json', '{"id', 'cut', { 'content-length': '100' })
    const outcome = await call('svc.account.me()', [cut, says(200, ME)])
    expect(outcome.result).toEqual(ME)
    expect(await call(CHAT, [cut])).toMatchObject({ error: 'Unreachable', is_sent: true })
  })

  test('a chat message that never reached a server is sent again', async () => {
    const base_url = `http://127.0.0.1:${await quietPort()}`
    const outcome = await pythonResult('faults.py', { args: [CHAT, JSON.stringify({ base_url })] })
    expect(outcome).toMatchObject({ error: 'Unreachable', is_sent: false })
    expect(outcome.waits).toHaveLength(2)
  })

  test('a silent server is Unreachable after the timeout', async () => {
    const outcome = await call(CHAT, [isSilent], { timeout: 0.2 })
    expect(outcome).toMatchObject({ error: 'Unreachable', is_sent: true })
    expect(outcome.message).toEndWith('in 0.2 s')
    expect(outcome.received).toHaveLength(1)
  })

  test('an idle connection that the server closed is not used again', async () => {
    const closes: Reply = (response, received) => {
      says(200, ME)(response, received)
      response.on('finish', () => response.socket?.destroy())
    }
    const outcome = await call(
      '(svc.account.me(), svc_client.selectors.select.select([svc._pool._idle[0][1].sock], [], []) and svc.conversations.chat(message="a"))',
      [closes, ok],
    )
    expect(outcome.result[1].message).toEqual({})
    expect(outcome).toMatchObject({ connections: 2, waits: [] })
  })
})
