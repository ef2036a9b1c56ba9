import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import {
  capture,
  forgetMatching,
  listMemories,
  listProactiveIntents,
  listUpcomingReminders,
  recall,
  remember,
  rememberBatch,
  switchEngine,
  updateMemory,
} from '../../shared/contract/index.ts'
import { factsOf } from '../harness/facts.ts'
import { newVerifiedUser, startRestartable } from '../harness/http.ts'
import { newUser, request, useServer } from '../harness/server.ts'
import { exportOf, importFile, linesOf } from './transfer-support.ts'

const HOME = 'Asia/Kolkata'
const AWAY = 'America/New_York'
/** A Friday, in the morning of both time zones. */
const occurred_at = '2026-03-06T13:00:00Z'
const NINE_AT_HOME = '2026-03-07T03:30:00.000Z'
const NINE_AWAY = '2026-03-07T14:00:00.000Z'

/** A user with two devices, in two time zones. */
const traveller = (url: string, key: string) => (timezone: string) =>
  createClient({ baseUrl: url, credential: key, timezone })
type Devices = ReturnType<typeof traveller>

const text = 'Remind me tomorrow at 9 to call Ada.'
const memory = { content: text, occurred_at }

/** How a text comes into memory, or is changed there by the device that is away. */
const ways: [name: string, write: (on: Devices) => Promise<string | undefined>, due: string][] = [
  [
    'a memory',
    async (on) => (await on(HOME).call(remember, { body: memory })).memory_id,
    NINE_AT_HOME,
  ],
  [
    'a memory of a batch',
    async (on) =>
      (await on(HOME).call(rememberBatch, { body: { memories: [memory] } })).memories[0]?.memory_id,
    NINE_AT_HOME,
  ],
  [
    'a captured message',
    async (on) => {
      const message = { turn: '1', role: 'user' as const, ...memory }
      const body = { client: 'codex', channel: 'hook' as const, session: 's1', messages: [message] }
      return (await on(HOME).call(capture, { body })).memories[0]?.memory_id
    },
    NINE_AT_HOME,
  ],
  [
    'a memory whose tags are changed elsewhere',
    async (on) => {
      const { memory_id } = await on(HOME).call(remember, { body: memory })
      await on(AWAY).call(updateMemory, { params: { memory_id }, body: { tags: ['calls'] } })
      return memory_id
    },
    NINE_AT_HOME,
  ],
  [
    'a memory whose author is removed elsewhere, which reads it again',
    async (on) => {
      const { memory_id } = await on(HOME).call(remember, { body: { ...memory, author: 'me' } })
      await on(AWAY).call(updateMemory, { params: { memory_id }, body: { author: null } })
      return memory_id
    },
    NINE_AT_HOME,
  ],
  [
    'a memory whose unchanged content is sent again elsewhere',
    async (on) => {
      const { memory_id } = await on(HOME).call(remember, { body: memory })
      await on(AWAY).call(updateMemory, { params: { memory_id }, body: { content: text } })
      return memory_id
    },
    NINE_AT_HOME,
  ],
  [
    'a memory that is remembered again elsewhere',
    async (on) => {
      const { memory_id } = await on(HOME).call(remember, { body: memory })
      await on(AWAY).call(remember, { body: memory })
      return memory_id
    },
    NINE_AT_HOME,
  ],
  [
    'new content that is written elsewhere',
    async (on) => {
      const { memory_id } = await on(HOME).call(remember, {
        body: { ...memory, content: 'Later.' },
      })
      await on(AWAY).call(updateMemory, { params: { memory_id }, body: { content: text } })
      return memory_id
    },
    NINE_AWAY,
  ],
]

describe('dates in a text are read in the time zone of the request that wrote it', () => {
  let server: Awaited<ReturnType<typeof startRestartable>>
  let keys: string[]
  const extraction = (enabled: boolean) =>
    createClient({ baseUrl: server.current.url, credential: keys[0] ?? '' }).call(switchEngine, {
      params: { engine: 'extraction' },
      body: { enabled, reason: 'a test' },
    })
  const ids: (string | undefined)[] = []

  // All is written while no engine runs, which then read it after a request from elsewhere.
  beforeAll(async () => {
    server = await startRestartable()
    keys = []
    for (const _ of ways) keys.push((await newVerifiedUser(server.current)).key)
    await server.restart('update users set is_admin = true')
    await extraction(false)
    for (const [index, [, write]] of ways.entries()) {
      const on = traveller(server.current.url, keys[index] ?? '')
      ids.push(await write(on))
      await on(AWAY).call(listProactiveIntents, { query: {} })
    }
    await extraction(true)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  for (const [index, [name, , due]] of ways.entries())
    test(`${name}, read by an engine after a request from elsewhere`, async () => {
      const client = traveller(server.current.url, keys[index] ?? '')(AWAY)
      const facts = await factsOf(client, ids[index] ?? '')
      expect(facts.map(({ value, due_at }) => [value, due_at])).toEqual([['call Ada', due]])
    })
})

const server = useServer()

describe('a reminder stays at its hour where it was written', () => {
  for (const content of [
    'Remind me every day at 9:00 to take the pill.',
    'Remind me every weekday at 9:00 to stretch.',
    'Remind me every Monday at 9:00 to swim.',
    'Remind me every month at 9:00 to pay the rent.',
    'Erinnere mich jeden Tag um 9 Uhr an die Tablette.',
    'Erinnere mich jeden Montag um 9 Uhr ans Schwimmen.',
    'Recuérdame todos los días a las 9:00 tomar la pastilla.',
    'Recuérdame cada lunes a las 9:00 nadar.',
    'Rappelle-moi chaque jour à 9:00 de prendre le cachet.',
    'Rappelle-moi chaque lundi à 9h00 de nager.',
  ])
    test(`after a request from elsewhere: ${content}`, async () => {
      const { key } = await newVerifiedUser(server.current)
      const on = traveller(server.current.url, key)
      const { memory_id } = await on(HOME).call(remember, { body: { content } })
      await factsOf(on(AWAY), memory_id)
      for (const zone of [AWAY, 'Pacific/Auckland', HOME]) {
        const reminders = await on(zone).call(listUpcomingReminders, { query: {} })
        expect(reminders.map(({ due_at }) => due_at)).toEqual([
          expect.stringContaining('T03:30:00.000Z'),
        ])
      }
    })
})

test('an import keeps the time zone of the export', async () => {
  const [one, other] = [
    await newVerifiedUser(server.current),
    await newVerifiedUser(server.current),
  ]
  const on = traveller(server.current.url, one.key)
  await on(HOME).call(remember, { body: memory })
  await on(AWAY).call(listProactiveIntents, { query: {} })
  const exported = await exportOf(server.current, one)
  expect(exported).toMatchObject([{ timezone: HOME }])
  await traveller(server.current.url, other.key)(AWAY).call(listProactiveIntents, { query: {} })
  await importFile(server.current, other, linesOf(exported))
  const [imported] = await exportOf(server.current, other)
  expect(imported?.timezone).toBe(HOME)
  const facts = await factsOf(
    traveller(server.current.url, other.key)(AWAY),
    imported?.memory_id ?? '',
  )
  expect(facts.map(({ due_at }) => due_at)).toEqual([NINE_AT_HOME])
})

describe('the year of an event is stored as it was sent, or refused', () => {
  for (const [occurred_at, stored] of [
    ['0000-01-01', undefined],
    ['0001-01-01', undefined],
    ['0050-06-01T12:00:00Z', undefined],
    ['0099-12-31', undefined],
    ['0100-01-01T00:00:00+01:00', undefined],
    ['-0044-03-15', undefined],
    ['+010000-01-01', undefined],
    ['12026-01-01', undefined],
    ['9999-12-31T23:59:59-01:00', undefined],
    ['infinity', undefined],
    ['0100-01-01', '0100-01-01T00:00:00.000Z'],
    ['0476-09-04T12:00:00Z', '0476-09-04T12:00:00.000Z'],
    ['1950-06-01', '1950-06-01T00:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
  ] as const)
    test(`${occurred_at} is ${stored ?? 'refused with its field'}`, async () => {
      const { key } = await newUser(server.current)
      const { status, body } = await request(server.current, 'POST', '/api/remember', {
        token: key,
        body: { content: 'An event.', occurred_at },
      })
      if (stored) expect([status, body.occurred_at]).toEqual([201, stored])
      else
        expect([status, body.detail]).toEqual([
          422,
          [expect.objectContaining({ loc: ['body', 'occurred_at'] })],
        ])
    })
})

describe('a date without a time', () => {
  const places = useServer()
  /** Each is the local day 20 November, or not; the first is a day without an hour. */
  const events: Record<string, [occurred_at: string, isThatDay: boolean][]> = {
    'America/New_York': [
      ['2026-11-20', true],
      ['2026-11-20T04:59:59Z', false],
      ['2026-11-20T05:00:00Z', true],
      ['2026-11-21T04:59:59Z', true],
      ['2026-11-21T05:00:00Z', false],
      ['2026-11-21', false],
      ['2026-11-19', false],
    ],
    'Asia/Kolkata': [
      ['2026-11-20', true],
      ['2026-11-19T18:29:59Z', false],
      ['2026-11-19T18:30:00Z', true],
      ['2026-11-20T18:29:59Z', true],
      ['2026-11-20T18:30:00Z', false],
      ['2026-11-21', false],
    ],
    'Pacific/Kiritimati': [
      ['2026-11-20', true],
      ['2026-11-19T09:59:59Z', false],
      ['2026-11-19T10:00:00Z', true],
      ['2026-11-20T10:00:00Z', false],
    ],
    UTC: [
      ['2026-11-20', true],
      ['2026-11-19T23:59:59.999Z', false],
      ['2026-11-20T23:59:59Z', true],
      ['2026-11-21T00:00:00Z', false],
    ],
  }
  type Search = (
    on: ReturnType<Devices>,
    filter: { since: string; until: string },
  ) => Promise<{ memories: { content_text: string }[] } | { count: number }>
  const searches: [string, Search][] = [
    [
      'recall',
      (on, body) => on.call(recall, { body: { query: 'standup notes', limit: 50, ...body } }),
    ],
    ['the list', (on, query) => on.call(listMemories, { query })],
    ['forget', (on, body) => on.call(forgetMatching, { body: { ...body, dry_run: true } })],
  ]
  const offsets: Record<string, string> = {
    'America/New_York': '-05:00',
    'Asia/Kolkata': '+05:30',
    'Pacific/Kiritimati': '+14:00',
    UTC: 'Z',
  }

  for (const [zone, rows] of Object.entries(events))
    for (const [name, search] of searches)
      test(`since and until of ${name} are days of ${zone}`, async () => {
        const { key } = await newUser(places.current)
        const on = traveller(places.current.url, key)(zone)
        for (const [index, [at]] of rows.entries())
          await on.call(remember, { body: { content: `standup notes ${index}`, occurred_at: at } })
        const expected = rows.flatMap(([, isThatDay], index) =>
          isThatDay ? [`standup notes ${index}`] : [],
        )
        const midnight = `T00:00:00${offsets[zone]}`
        for (const end of ['', midnight]) {
          const filter = { since: `2026-11-20${end}`, until: `2026-11-21${end}` }
          // The third search of an owner uses the index in memory.
          for (let count = 0; count < 5; count++) {
            const found = await search(on, filter)
            if ('memories' in found)
              expect(found.memories.map((each) => each.content_text).sort()).toEqual(expected)
            else expect(found.count).toBe(expected.length)
          }
        }
      })

  test('as_of is the start of the day in the time zone of the request', async () => {
    const { key } = await newUser(places.current)
    const write = traveller(places.current.url, key)('UTC')
    const { memory_id: supersedes } = await write.call(remember, {
      body: { content: 'The office is in Porto.', occurred_at: '2026-11-19T20:00:00Z' },
    })
    await write.call(remember, {
      body: { content: 'The office is in Faro.', occurred_at: '2026-11-20T02:00:00Z', supersedes },
    })
    for (const [zone, expected] of [
      ['Asia/Kolkata', []],
      ['UTC', ['The office is in Porto.']],
      ['America/New_York', ['The office is in Faro.']],
    ] as const) {
      const on = traveller(places.current.url, key)(zone)
      const body = { query: 'Where is the office?', as_of: '2026-11-20' }
      const { memories } = await on.call(recall, { body })
      expect([zone, memories.map((each) => each.content_text)]).toEqual([zone, [...expected]])
    }
  })
})
