import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../clients/npm/index.ts'
import { hasPrograms } from '../harness/programs.ts'
import { call } from './python-call.ts'
import {
  events,
  hangsUp,
  isSilent,
  type Reply,
  says,
  saysText,
  startScripted,
  starts,
} from './scripted-server.ts'

setDefaultTimeout(120_000)

/** A call of each client. */
interface Call {
  npm: (svc: ReturnType<typeof createClient>) => Promise<unknown>
  python: string
  success: unknown
}

const readAll = async (stream: Promise<AsyncIterable<unknown>>): Promise<void> => {
  for await (const _ of await stream);
}

const CALLS = {
  read: {
    npm: ({ methods }) => methods.me({}),
    python: 'svc.account.me()',
    success: says(200, { id: 'a', email: 'ada@example.com' }),
  },
  remember: {
    npm: ({ methods }) => methods.remember({ content: 'a' }),
    python: 'svc.memories.remember(content="a")',
    success: says(201, { memory_id: 'a', content_text: 'a' }),
  },
  supersede: {
    npm: ({ methods }) => methods.remember({ content: 'a', supersedes: 'b' }),
    python: 'svc.memories.remember(content="a", supersedes="b")',
    success: says(201, { memory_id: 'a', content_text: 'a' }),
  },
  write: {
    npm: ({ methods }) => methods.createKey({ name: 'a' }),
    python: 'svc.api_keys.create_key(name="a")',
    success: says(201, { id: 'a', name: 'a', key: 'svc_a' }),
  },
  stream: {
    npm: ({ methods }) => readAll(methods.chatStream({ message: 'Hi' })),
    python: 'list(svc.conversations.chat_stream(message="Hi"))',
    success: starts('text/event-stream', events(['done', {}]), 'complete'),
  },
  get: {
    npm: ({ methods }) => methods.getMemory({ memory_id: 'm' }),
    python: 'svc.memories.get_memory("m")',
    success: says(200, { memory_id: 'm', content_text: 'a' }),
  },
  missing: {
    npm: ({ methods }) => methods.getMemory({ memory_id: null as unknown as string }),
    python: 'svc.memories.get_memory(None)',
    success: says(200, {}),
  },
} satisfies Record<string, Call>

const limited = (wait?: string, status = 429): Reply =>
  says(status, { detail: 'Too many requests' }, wait === undefined ? {} : { 'retry-after': wait })
const QUOTA = { error: 'quota_exceeded', message: 'Used up', current_tier: 'amnesiac' }
const failing = (status: number): Reply => says(status, { detail: 'Internal server error' })
const cut = starts('application/json', '{"id', 'cut', { 'content-length': '100' })
const DELTA = events(['delta', { text: 'Tea' }])

/** The class of the error, or `success`, and the number of requests. */
type Outcome = readonly [result: string, requests: number]

/** The rows of the table in docs/reference/clients.md. The first reply fails once, or each time. */
const ROWS: [
  failure: string,
  call: keyof typeof CALLS,
  reply: Reply,
  times: 'once' | 'always',
  npm: Outcome,
  python: Outcome,
][] = [
  [
    '429 with `Retry-After`, any call',
    'write',
    limited('0'),
    'once',
    ['success', 2],
    ['success', 2],
  ],
  [
    '429 with `Retry-After` of over 30 s',
    'read',
    limited('31'),
    'always',
    ['ApiFailure', 1],
    ['RateLimited', 1],
  ],
  ['429 without `Retry-After`', 'read', limited(), 'always', ['ApiFailure', 1], ['RateLimited', 1]],
  [
    '429 of a quota',
    'remember',
    says(429, { detail: QUOTA }),
    'always',
    ['ApiFailure', 1],
    ['QuotaExceeded', 1],
  ],
  ['503 once, a read', 'read', failing(503), 'once', ['success', 2], ['success', 2]],
  ['503 always, a read', 'read', failing(503), 'always', ['ApiFailure', 3], ['Unavailable', 3]],
  [
    '503 with `Retry-After`, a read',
    'read',
    limited('0', 503),
    'once',
    ['success', 2],
    ['success', 2],
  ],
  ['503, `remember`', 'remember', failing(503), 'always', ['ApiFailure', 3], ['Unavailable', 3]],
  [
    '503, `remember` with `supersedes`',
    'supersede',
    failing(503),
    'always',
    ['ApiFailure', 1],
    ['Unavailable', 1],
  ],
  ['503, another write', 'write', failing(503), 'always', ['ApiFailure', 1], ['Unavailable', 1]],
  [
    '500, 502 or 504, a read',
    'read',
    failing(502),
    'always',
    ['ApiFailure', 3],
    ['ServerError', 3],
  ],
  [
    '500, 502 or 504, a write',
    'write',
    failing(500),
    'always',
    ['ApiFailure', 1],
    ['ServerError', 1],
  ],
  [
    'no connection to the response, a read',
    'read',
    hangsUp,
    'always',
    ['Unreachable', 3],
    ['Unreachable', 3],
  ],
  [
    'no connection to the response, a write',
    'write',
    hangsUp,
    'always',
    ['Unreachable', 1],
    ['Unreachable', 1],
  ],
  ['a response that is cut off, a read', 'read', cut, 'always', ['CutOff', 3], ['Unreachable', 3]],
  [
    'a response that is cut off, a write',
    'write',
    cut,
    'always',
    ['CutOff', 1],
    ['Unreachable', 1],
  ],
  [
    'a stream that is cut off',
    'stream',
    starts('text/event-stream', DELTA, 'cut'),
    'always',
    ['CutOff', 1],
    ['StreamCut', 1],
  ],
  [
    'a stream without its last event',
    'stream',
    starts('text/event-stream', DELTA, 'complete'),
    'always',
    ['CutOff', 1],
    ['StreamCut', 1],
  ],
  [
    'a stream with an error',
    'stream',
    starts('text/event-stream', events(['error', { detail: 'No' }]), 'complete'),
    'always',
    ['StreamFailed', 1],
    ['StreamFailed', 1],
  ],
  [
    'a stream that falls silent',
    'stream',
    starts('text/event-stream', DELTA, 'silent'),
    'always',
    ['TimedOut', 1],
    ['StreamCut', 1],
  ],
  ['no response in time, a read', 'read', isSilent, 'always', ['TimedOut', 1], ['Unreachable', 3]],
  [
    'no response in time, a write',
    'write',
    isSilent,
    'always',
    ['TimedOut', 1],
    ['Unreachable', 1],
  ],
  [
    'an id that does not exist',
    'get',
    says(404, { detail: 'Memory not found' }),
    'always',
    ['ApiFailure', 1],
    ['NotFound', 1],
  ],
  [
    'an id that is not valid',
    'get',
    says(422, { detail: [] }),
    'always',
    ['ApiFailure', 1],
    ['InvalidInput', 1],
  ],
  [
    'an id that is `null` or `None`, empty or a relative path',
    'missing',
    says(200, {}),
    'always',
    ['TypeError', 0],
    ['ValueError', 0],
  ],
  [
    'a missing or ended credential',
    'read',
    says(401, { detail: 'Token expired' }),
    'always',
    ['ApiFailure', 1],
    ['Unauthorized', 1],
  ],
  [
    'another service',
    'read',
    saysText(200, '<html></html>'),
    'always',
    ['NotSvc', 1],
    ['NotSvc', 1],
  ],
]

const cellOf = ([result, requests]: Outcome): string =>
  `${result === 'success' ? result : `\`${result}\``}, ${requests} ${requests === 1 ? 'request' : 'requests'}`

test('docs/reference/clients.md has these rows, and no others', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/reference/clients.md'), 'utf8')
  const [, table = ''] = /^\| failure \|[^\n]*\n\|[-| ]*\n((?:\|[^\n]*\n)*)/m.exec(page) ?? []
  const rows = ROWS.map(
    ([failure, , , , npm, python]) => `| ${failure} | ${cellOf(npm)} | ${cellOf(python)} |`,
  )
  expect(table.trimEnd().split('\n')).toEqual(rows)
})

/** The replies of a row: the failure once before the success, or each time. */
const repliesOf = (name: keyof typeof CALLS, reply: Reply, times: 'once' | 'always') =>
  times === 'once' ? [reply, CALLS[name].success] : [reply]

describe('svc-client', () => {
  for (const [failure, name, reply, times, [result, requests]] of ROWS)
    test(`${failure}: ${result} after ${requests} requests`, async () => {
      await using server = await startScripted(...repliesOf(name, reply, times))
      const svc = createClient({
        baseUrl: server.url,
        apiKey: 'svc_key',
        timeoutMs: 1_000,
        silenceMs: 300,
      })
      const outcome = await CALLS[name].npm(svc).then(
        () => 'success',
        (error: Error) => error.name,
      )
      expect([outcome, server.received.length]).toEqual([result, requests])
    })
})

describe.skipIf(!hasPrograms('python3'))('svc-client for Python', () => {
  for (const [failure, name, reply, times, , [result, requests]] of ROWS)
    test(`${failure}: ${result} after ${requests} requests`, async () => {
      const outcome = await call(CALLS[name].python, repliesOf(name, reply, times), {
        timeout: 0.5,
      })
      expect([outcome.error ?? 'success', outcome.received.length]).toEqual([result, requests])
    })
})
