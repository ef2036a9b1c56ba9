import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { ISO, newVerifiedUser, UUID } from '../harness/http.ts'
import { request, type TestUser, useSharedServer } from '../harness/server.ts'
import {
  apiCaller,
  firingsOf,
  NOTIFY,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
} from './support.ts'

const server = useSharedServer()
let user: TestUser
let other: TestUser
beforeAll(async () => {
  user = await newVerifiedUser(server.current)
  other = await newVerifiedUser(server.current)
})
const current = () => server.current
const call = apiCaller(current, () => user)
const callOther = apiCaller(current, () => other)

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const NOT_FOUND = [404, { detail: 'Reflex not found' }]
const SIGNAL = { type: 'signal' }

const failures = (body: { detail: { loc: unknown[]; type: string }[] }) =>
  body.detail.map(({ loc, type }) => [loc.slice(1).join('.'), type])
const states = (firings: { state: string }[]) => firings.map(({ state }) => state)

/** A separate user, so that nothing else triggers their reflexes. */
const newPerson = async () => {
  const person = await newVerifiedUser(server.current)
  return { person, callApi: apiCaller(current, () => person) }
}

describe('reflexes', () => {
  test('a created reflex has the requested fields and defaults', async () => {
    const { status, body } = await call('POST', '/api/reflexes', {
      name: ' Too hot ',
      trigger: { type: 'signal', unknown: 1 },
      conditions: [{ op: 'gt', path: 'value.temperature', value: 30, unknown: 1 }],
      action: { type: 'remember', content: 'It was {{value.temperature}}.' },
      reflex_id: NO_ID,
    })
    expect([status, body]).toEqual([
      201,
      {
        reflex_id: UUID,
        name: 'Too hot',
        trigger: { type: 'signal' },
        conditions: [{ op: 'gt', path: 'value.temperature', value: 30 }],
        action: {
          type: 'remember',
          content: 'It was {{value.temperature}}.',
          memory_type: 'episodic',
          tags: [],
        },
        confirm: false,
        enabled: true,
        disabled_reason: null,
        skip_always: false,
        next_at: null,
        last_fired_at: null,
        created_at: ISO,
        updated_at: ISO,
        webhook_secret: null,
      },
    ])
    expect(body.reflex_id).not.toBe(NO_ID)
    const { webhook_secret: _, ...reflex } = body
    expect((await call('GET', `/api/reflexes/${body.reflex_id}`)).body).toEqual(reflex)
    expect((await call('GET', '/api/reflexes')).body).toContainEqual(reflex)
    expect(await firingsOf(call, body.reflex_id)).toEqual([])
  })

  test('an update changes only its fields', async () => {
    const created = await newReflex(call)
    const path = `/api/reflexes/${created.reflex_id}`
    for (const change of [
      {},
      { name: 'New' },
      { confirm: true },
      { enabled: false },
      { conditions: [{ op: 'exists', path: 'value' }] },
      { trigger: { type: 'memory', tags: ['x'] } },
      { action: { ...NOTIFY, text: 'Else' } },
      { skip_always: true },
    ]) {
      const before = (await call('GET', path)).body
      const { status, body } = await call('PATCH', path, change)
      expect([status, body]).toEqual([
        200,
        { ...before, ...change, updated_at: ISO, webhook_secret: null },
      ])
    }
  })

  test('deleting a reflex deletes its firings', async () => {
    const { reflex_id } = await newReflex(call)
    const deletion = await call('DELETE', `/api/reflexes/${reflex_id}`)
    expect([deletion.status, deletion.text]).toEqual([204, ''])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/firings'],
      ['DELETE', ''],
    ] as const) {
      const { status, body } = await call(method, `/api/reflexes/${reflex_id}${path}`)
      expect([status, body]).toEqual(NOT_FOUND)
    }
  })

  test('a reflex of another user is 404', async () => {
    const { reflex_id } = await newReflex(call, { enabled: false })
    for (const id of [reflex_id, NO_ID])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { enabled: true }],
        ['DELETE', ''],
        ['GET', '/firings'],
        ['POST', '/secret'],
      ] as const) {
        const answer = await callOther(method, `/api/reflexes/${id}${path}`, body)
        expect([answer.status, answer.body]).toEqual(NOT_FOUND)
      }
    expect((await call('GET', `/api/reflexes/${reflex_id}`)).body.enabled).toBe(false)
  })

  test('a user has at most a hundred reflexes, also with concurrent requests', async () => {
    const { callApi } = await newPerson()
    const creation = await Promise.all(
      Array.from({ length: 102 }, () =>
        callApi('POST', '/api/reflexes', { name: 'x', trigger: SIGNAL, action: NOTIFY }),
      ),
    )
    const refused = creation.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array(2).fill([409, { detail: 'There can be 100 reflexes at most' }]),
    )
  })

  const rejected: [string, object, string[][]][] = [
    [
      'no fields',
      {},
      [
        ['name', 'missing'],
        ['trigger', 'missing'],
        ['action', 'missing'],
      ],
    ],
    ['a trigger without a type', { trigger: {} }, [['trigger.type', 'missing']]],
    ['an unknown trigger', { trigger: { type: 'smell' } }, [['trigger.type', 'literal_error']]],
    ['a trigger that is not an object', { trigger: 'signal' }, [['trigger', 'dict_type']]],
    [
      'invalid trigger fields',
      { trigger: { type: 'signal', device_id: 'x', signal_type: 'smell' } },
      [
        ['trigger.device_id', 'uuid_parsing'],
        ['trigger.signal_type', 'literal_error'],
      ],
    ],
    [
      'an unknown device',
      { trigger: { type: 'signal', device_id: NO_ID } },
      [['trigger.device_id', 'value_error']],
    ],
    ['a schedule without a time', { trigger: { type: 'schedule' } }, [['trigger.at', 'missing']]],
    [
      'a time in the past',
      { trigger: { type: 'schedule', at: '2020-01-01' } },
      [['trigger.at', 'value_error']],
    ],
    [
      'an invalid cron expression',
      { trigger: { type: 'schedule', cron: 'soon' } },
      [['trigger.cron', 'value_error']],
    ],
    ...[
      '0 0 31 2 *',
      '0 0 30 2 *',
      '0 0 31 4,6,9,11 *',
      '61 * * * *',
      '0 24 * * *',
      '0 0 1 13 *',
    ].map((cron): [string, object, string[][]] => [
      `the impossible time ${cron}`,
      { trigger: { type: 'schedule', cron } },
      [['trigger.cron', 'value_error']],
    ]),
    [
      'an unknown time zone',
      { trigger: { type: 'schedule', cron: '@daily', timezone: 'Mars' } },
      [['trigger.timezone', 'value_error']],
    ],
    [
      'invalid conditions',
      { conditions: [{ op: 'like', path: '' }, {}, { op: 'in', path: 'a', value: 1 }] },
      [
        ['conditions.0.op', 'literal_error'],
        ['conditions.0.path', 'string_too_short'],
        ['conditions.1.op', 'missing'],
        ['conditions.1.path', 'missing'],
      ],
    ],
    [
      'values that the operators do not accept',
      {
        conditions: [
          { op: 'gt', path: 'a', value: 'x' },
          { op: 'in', path: 'a', value: 1 },
          { op: 'eq', path: 'a' },
        ],
      },
      [
        ['conditions.0.value', 'value_error'],
        ['conditions.1.value', 'list_type'],
        ['conditions.2.value', 'missing'],
      ],
    ],
    [
      'invalid paths',
      {
        conditions: ['value..a', 'value.', ' ', '/a~2'].map((path) => ({ op: 'exists', path })),
      },
      [0, 1, 2, 3].map((at) => [`conditions.${at}.path`, 'value_error']),
    ],
    ['an unknown action', { action: { type: 'explode' } }, [['action.type', 'literal_error']]],
    [
      'a notification without channel and text',
      { action: { type: 'notify' } },
      [
        ['action.channel', 'missing'],
        ['action.text', 'missing'],
      ],
    ],
    [
      'an unknown channel and an empty text',
      { action: { type: 'notify', channel: 'webhook', text: ' ' } },
      [
        ['action.channel', 'literal_error'],
        ['action.text', 'string_pattern_mismatch'],
      ],
    ],
    [
      'flags that are not booleans',
      { confirm: 'yes', enabled: 1 },
      [
        ['confirm', 'bool_type'],
        ['enabled', 'bool_type'],
      ],
    ],
  ]
  test.each([
    ['0 0 31 2 *', 'Input should name a day that one of its months has'],
    ['61 * * * *', 'Input has the value 61, which should be in the range 0-59'],
    ['0 0 1 13 *', 'Input has the value 13, which should be in the range 1-12'],
    ['0 0 1 1', 'Input should be a cron expression of five fields'],
    ['a b c d e', 'Input should be a cron expression of five fields'],
  ])('the schedule %s is refused with its reason', async (cron, msg) => {
    const trigger = { type: 'schedule', cron }
    const { status, body } = await call('POST', '/api/reflexes', {
      name: 'x',
      trigger,
      action: NOTIFY,
    })
    expect([status, body.detail[0].msg]).toEqual([422, msg])
  })

  for (const [what, input, expected] of rejected)
    test(`a reflex with ${what} is 422`, async () => {
      const definition = { name: 'x', trigger: SIGNAL, action: NOTIFY, ...input }
      const answer = await call('POST', '/api/reflexes', what === 'no fields' ? {} : definition)
      expect([answer.status, failures(answer.body)]).toEqual([422, expected])
      if (what === 'no fields') return
      const { reflex_id } = await newReflex(call, { enabled: false })
      const changed = await call('PATCH', `/api/reflexes/${reflex_id}`, input)
      expect([changed.status, failures(changed.body)]).toEqual([422, expected])
      await call('DELETE', `/api/reflexes/${reflex_id}`)
    })

  test('an invalid id is 422', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/firings'],
    ] as const) {
      const { status, body } = await call(
        method,
        `/api/reflexes/no-id${path}`,
        method === 'PATCH' ? {} : undefined,
      )
      expect([status, body.detail[0]]).toMatchObject([
        422,
        { loc: ['path', 'reflex_id'], type: 'uuid_parsing' },
      ])
    }
  })
})

describe('signal trigger', () => {
  test('a signal fires each matching reflex once and no other', async () => {
    const { callApi } = await newPerson()
    const [one, two] = [await newDevice(callApi, 'One'), await newDevice(callApi, 'Two')]
    const created = {
      any: await newReflex(callApi),
      ofOne: await newReflex(callApi, { trigger: { ...SIGNAL, device_id: one.toUpperCase() } }),
      ofTwo: await newReflex(callApi, { trigger: { ...SIGNAL, device_id: two } }),
      text: await newReflex(callApi, { trigger: { ...SIGNAL, signal_type: 'text' } }),
      high: await newReflex(callApi, { conditions: [{ op: 'gte', path: '/value', value: 5 }] }),
      off: await newReflex(callApi, { enabled: false }),
      memory: await newReflex(callApi, { trigger: { type: 'memory' } }),
    }
    const signal = await sendSignal(callApi, one, 4)
    await sendSignal(callApi, two, 5)
    const count = async (name: keyof typeof created, n: number) =>
      expect(await settledFirings(callApi, created[name].reflex_id, n)).toHaveLength(n)
    await count('any', 2)
    await count('ofOne', 1)
    await count('ofTwo', 1)
    await count('high', 1)
    for (const name of ['text', 'off', 'memory'] as const) await count(name, 0)

    const [, first] = await firingsOf(callApi, created.any.reflex_id)
    expect(first).toEqual({
      firing_id: UUID,
      reflex_id: created.any.reflex_id,
      state: 'done',
      event: {
        type: 'signal',
        signal_id: signal.signal_id,
        device_id: one,
        device_name: 'One',
        signal_type: 'number',
        value: 4,
        occurred_at: ISO,
      },
      error: null,
      attempts: 0,
      created_at: ISO,
      updated_at: ISO,
    })
    const path = `/api/reflexes/${created.any.reflex_id}`
    expect((await callApi('GET', path)).body.last_fired_at).toEqual(ISO)
    const [latest] = (await callApi('GET', `${path}/firings?limit=1`)).body
    expect((await callApi('GET', `${path}/firings?before=${latest.firing_id}`)).body).toEqual([
      first,
    ])
    const elsewhere = `/api/reflexes/${created.high.reflex_id}/firings?before=${latest.firing_id}`
    expect((await callApi('GET', elsewhere)).status).toBe(404)
    for (const query of ['limit=0', 'limit=101', 'before=x'])
      expect((await callApi('GET', `${path}/firings?${query}`)).status).toBe(422)
  })

  test('twenty concurrent copies of a signal fire once', async () => {
    const { callApi } = await newPerson()
    const device = await newDevice(callApi)
    const { reflex_id } = await newReflex(callApi)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sendSignal(callApi, device, 1, { occurred_at: '2026-05-01T10:00:00Z' }),
      ),
    )
    expect(states(await settledFirings(callApi, reflex_id))).toEqual(['done'])
  })

  /** More signals at once wait for the database longer than a request may on a busy machine. */
  const AT_ONCE = 13

  test('a reflex fires at most sixty times an hour, and the first excess event is recorded', async () => {
    const { callApi } = await newPerson()
    const device = await newDevice(callApi)
    const { reflex_id } = await newReflex(callApi)
    for (let sent = 0; sent < 65; sent += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => sendSignal(callApi, device, sent + n)),
      )
    const path = `/api/reflexes/${reflex_id}/firings?limit=100`
    const firings = await eventually(async () => {
      const { body } = await callApi('GET', path)
      return body.length === 61 && !states(body).includes('pending') && body
    })
    expect(states(firings).filter((state) => state === 'done')).toHaveLength(60)
    const limited = firings.find(({ state }: { state: string }) => state === 'limited')
    expect(limited.error).toContain('60 times within an hour')
  })
})

describe('memory trigger', () => {
  const remember = (callApi: typeof call, content: string, more: object = {}) =>
    callApi('POST', '/api/remember', { content, ...more })

  test('a new memory fires matching reflexes once, even if changed; older memories do not', async () => {
    const { callApi } = await newPerson()
    await remember(callApi, 'The tea was bought before.')
    const any = await newReflex(callApi, { trigger: { type: 'memory' } })
    const tea = await newReflex(callApi, {
      trigger: { type: 'memory', memory_type: 'preference', tags: ['Drink '], contains: 'TEA' },
      conditions: [{ op: 'contains', path: 'tags', value: 'hot' }],
    })
    const created = await remember(callApi, 'Ada likes tea.', {
      memory_type: 'preference',
      tags: ['drink', 'hot'],
    })
    await remember(callApi, 'Ada likes coffee.', {
      memory_type: 'preference',
      tags: ['drink', 'hot'],
    })
    const [firing] = await settledFirings(callApi, tea.reflex_id)
    expect(firing).toMatchObject({
      state: 'done',
      event: {
        type: 'memory',
        memory_id: created.body.memory_id,
        content_text: 'Ada likes tea.',
        memory_type: 'preference',
        tags: ['drink', 'hot'],
      },
    })
    expect(await settledFirings(callApi, any.reflex_id, 2)).toHaveLength(2)
    await callApi('PATCH', `/api/memories/${created.body.memory_id}`, { content: 'Ada loves tea.' })
    // A later memory is processed after the change.
    await remember(callApi, 'The last one.')
    await settledFirings(callApi, any.reflex_id, 3)
    expect(await firingsOf(callApi, any.reflex_id)).toHaveLength(3)
    expect(await firingsOf(callApi, tea.reflex_id)).toHaveLength(1)
  })

  test('a memory that is imported or written by a reflex fires nothing', async () => {
    const { callApi } = await newPerson()
    const device = await newDevice(callApi)
    const any = await newReflex(callApi, { trigger: { type: 'memory' } })
    const writer = await newReflex(callApi, {
      action: { type: 'remember', content: 'It was {{value}} degrees.', tags: ['sensed'] },
    })
    const line = {
      memory_id: crypto.randomUUID(),
      content_text: 'Brought along.',
      memory_type: 'semantic',
    }
    const imported = await callApi('POST', '/api/memories/import', `${JSON.stringify(line)}\n`)
    expect([imported.status, imported.body]).toMatchObject([200, { imported: 1 }])
    await sendSignal(callApi, device, 21)
    await settledFirings(callApi, writer.reflex_id)
    const { body } = await callApi('POST', '/api/recall', { query: 'degrees' })
    expect(body.memories).toMatchObject([
      { content_text: 'It was 21 degrees.', tags: ['sensed'], memory_type: 'episodic' },
    ])
    await remember(callApi, 'Said by hand.')
    const firings = await settledFirings(callApi, any.reflex_id)
    expect(
      firings.map(({ event }: { event: { content_text: string } }) => event.content_text),
    ).toEqual(['Said by hand.'])
  })
})

describe('message trigger', () => {
  test('messages in chat, in talk and from another user fire matching reflexes', async () => {
    const { callApi } = await newPerson()
    const any = await newReflex(callApi, { trigger: { type: 'message', contains: 'umbrella' } })
    const ofChat = await newReflex(callApi, { trigger: { type: 'message', source: 'chat' } })
    const chat = await callApi('POST', '/api/chat', { message: 'Where is my Umbrella?' })
    await callApi('POST', '/api/talk', { message: 'Take the umbrella.', agent_slug: 'scout' })
    const { username } = (await callApi('GET', '/api/profile')).body
    const thread = await callOther('POST', '/api/dm/threads', { username })
    await callOther('POST', `/api/dm/threads/${thread.body.thread_id}/messages`, {
      content: 'Your umbrella is here.',
    })
    const firings = await settledFirings(callApi, any.reflex_id, 3)
    expect(firings.map(({ event }: { event: object }) => event)).toMatchObject([
      {
        source: 'dm',
        content: 'Your umbrella is here.',
        thread_id: thread.body.thread_id,
        author_id: other.id,
      },
      { source: 'talk', content: 'Take the umbrella.', agent_slug: 'scout' },
      { source: 'chat', content: 'Where is my Umbrella?', session_id: chat.body.session_id },
    ])
    expect(await settledFirings(callApi, ofChat.reflex_id)).toHaveLength(1)
  })
})

describe('schedule trigger', () => {
  test('a time fires once, with the reflex as it is then', async () => {
    const { callApi } = await newPerson()
    // A busy machine has applied all changes by then.
    const at = new Date(Date.now() + 6_000).toISOString()
    const trigger = { type: 'schedule', at }
    const [created, off, moved, deleted] = await Promise.all(
      Array.from({ length: 4 }, () => newReflex(callApi, { trigger })),
    )
    expect(created).toMatchObject({ next_at: at, last_fired_at: null })
    const [disabled, later] = await Promise.all([
      callApi('PATCH', `/api/reflexes/${off.reflex_id}`, { enabled: false }),
      callApi('PATCH', `/api/reflexes/${moved.reflex_id}`, {
        trigger: { type: 'schedule', cron: '0 0 1 1 *', timezone: 'Europe/Berlin' },
      }),
      callApi('DELETE', `/api/reflexes/${deleted.reflex_id}`),
    ])
    expect(disabled.body.next_at).toBeNull()
    expect(later.body.next_at).toMatch(/-12-31T23:00:00\.000Z$/)
    const firings = await settledFirings(callApi, created.reflex_id)
    expect(firings).toMatchObject([{ state: 'done', event: { type: 'schedule', due_at: at } }])
    expect(Date.parse(firings[0].created_at)).toBeGreaterThanOrEqual(Date.parse(at))
    expect((await callApi('GET', `/api/reflexes/${created.reflex_id}`)).body).toMatchObject({
      next_at: null,
      enabled: true,
    })
    for (const { reflex_id } of [off, moved])
      expect(await firingsOf(callApi, reflex_id)).toEqual([])
    // Sending an unchanged time that has passed is not a change.
    const same = await callApi('PATCH', `/api/reflexes/${created.reflex_id}`, {
      trigger,
      name: 'Past',
    })
    expect([same.status, same.body.next_at]).toEqual([200, null])
  })
})

test('a schedule uses the time zone of its creation, unless it names another', async () => {
  const { person, callApi } = await newPerson()
  const moveTo = (timezone: string) =>
    request(server.current, 'GET', '/api/me', {
      token: person.key,
      headers: { 'x-timezone': timezone },
    })
  const cron = '0 9 1 7 *'
  const day = /^\d{4}-07-01T/
  await moveTo('Asia/Tokyo')
  const created = await newReflex(callApi, { trigger: { type: 'schedule', cron } })
  expect(created.trigger).toEqual({ type: 'schedule', cron, timezone: 'Asia/Tokyo' })
  expect(created.next_at.replace(day, '')).toBe('00:00:00.000Z')
  const named = { type: 'schedule', cron, timezone: 'America/Lima' }
  const other = await newReflex(callApi, { trigger: named })
  expect([other.trigger, other.next_at.replace(day, '')]).toEqual([named, '14:00:00.000Z'])
  const path = `/api/reflexes/${created.reflex_id}`
  // A later time zone of the user changes nothing until the schedule is set again.
  await moveTo('Europe/Berlin')
  expect((await callApi('PATCH', path, { name: 'Nine' })).body.next_at).toBe(created.next_at)
  const { body } = await callApi('PATCH', path, { trigger: { type: 'schedule', cron } })
  expect([body.trigger.timezone, body.next_at.replace(day, '')]).toEqual([
    'Europe/Berlin',
    '07:00:00.000Z',
  ])
})

test('a time without an offset is local to its time zone', async () => {
  const { callApi } = await newPerson()
  const day = `${new Date().getUTCFullYear() + 1}-07-01`
  const times: [object, string][] = [
    [{ at: `${day}T09:00`, timezone: 'Europe/Berlin' }, 'T07:00:00.000Z'],
    [{ at: `${day}T09:00Z`, timezone: 'Europe/Berlin' }, 'T09:00:00.000Z'],
    [{ at: `${day}T09:00:00-04:00`, timezone: 'Europe/Berlin' }, 'T13:00:00.000Z'],
    [{ at: `${day}T09:00` }, 'T09:00:00.000Z'],
  ]
  for (const [when, next] of times) {
    const { next_at } = await newReflex(callApi, { trigger: { type: 'schedule', ...when } })
    expect(next_at).toBe(`${day}${next}`)
  }
})

describe('notifications', () => {
  test('a chat notification is unread in the session of the reflex, or in a new one if that is deleted', async () => {
    const { callApi } = await newPerson()
    const device = await newDevice(callApi)
    const { reflex_id } = await newReflex(callApi, {
      name: 'Visitors',
      action: { type: 'notify', channel: 'chat', text: 'There were {{value}}.' },
    })
    const sessions = async () => (await callApi('GET', '/api/sessions')).body
    await sendSignal(callApi, device, 1)
    await settledFirings(callApi, reflex_id)
    const [session] = await sessions()
    expect(session).toMatchObject({
      title: 'Visitors',
      initiated_by: 'reflex',
      unread: true,
      message_count: 1,
      last_message_preview: 'There were 1.',
    })
    await callApi('POST', `/api/sessions/${session.id}/read`)
    await sendSignal(callApi, device, 2)
    await settledFirings(callApi, reflex_id, 2)
    expect(await sessions()).toMatchObject([{ id: session.id, unread: true, message_count: 2 }])
    const { body } = await callApi('GET', `/api/sessions/${session.id}/messages`)
    expect(body).toMatchObject([
      { role: 'assistant', content: 'There were 1.' },
      { role: 'assistant', content: 'There were 2.' },
    ])
    await callApi('DELETE', `/api/sessions/${session.id}`)
    await sendSignal(callApi, device, 3)
    await settledFirings(callApi, reflex_id, 3)
    const [fresh] = await sessions()
    expect(fresh).toMatchObject({ message_count: 1, title: 'Visitors' })
    expect(fresh.id).not.toBe(session.id)
  })

  test('an inbox notification stays until it is dismissed', async () => {
    const { callApi } = await newPerson()
    const device = await newDevice(callApi)
    const { reflex_id } = await newReflex(callApi, {
      action: { ...NOTIFY, title: '{{device_name}}!', text: '{{value.none}}' },
    })
    await sendSignal(callApi, device, 1)
    await settledFirings(callApi, reflex_id)
    const intents = async () => (await callApi('GET', '/api/proactive/intents')).body
    const [intent] = await intents()
    expect(intent).toMatchObject({ kind: 'reminder', title: 'Greenhouse!', text: '…' })
    const feedback = { intent_id: intent.intent_id, feedback: 'dismiss' }
    expect((await callApi('POST', '/api/proactive/feedback', feedback)).status).toBe(200)
    expect(await intents()).toEqual([])
  })

  test('an email notification fails when the email quota is used up', async () => {
    const { callApi } = await newPerson()
    const device = await newDevice(callApi)
    const { reflex_id } = await newReflex(callApi, {
      action: { type: 'notify', channel: 'email', text: 'x' },
    })
    for (let n = 0; n < 21; n++) await sendSignal(callApi, device, n)
    const firings = await settledFirings(callApi, reflex_id, 21)
    expect(states(firings).filter((state) => state === 'done')).toHaveLength(20)
    const failed = firings.find(({ state }: { state: string }) => state === 'failed')
    expect(failed.error).toContain('20 emails')
  })
})

describe('a test of a reflex', () => {
  const evaluate = (callApi: typeof call, reflexId: string, event: unknown) =>
    callApi('POST', `/api/reflexes/${reflexId}/test`, { event })

  test('a test of a reflex reports each condition and the effect, and neither fires nor acts', async () => {
    const { callApi } = await newPerson()
    const { reflex_id } = await newReflex(callApi, {
      trigger: { type: 'signal', signal_type: 'number' },
      conditions: [
        { op: 'gt', path: 'value', value: 30 },
        { op: 'exists', path: 'room', value: true },
      ],
      action: { ...NOTIFY, text: 'It is {{value}} degrees' },
      enabled: false,
    })
    const hot = { type: 'signal', signal_type: 'number', value: 31, room: 'attic' }
    const answers = [hot, { ...hot, value: 30 }, { ...hot, type: 'memory' }]
    const tests = []
    for (const event of answers) tests.push((await evaluate(callApi, reflex_id, event)).body)
    expect(tests).toEqual([
      { fires: true, triggered: true, conditions: [true, true], preview: 'It is 31 degrees' },
      { fires: false, triggered: true, conditions: [false, true], preview: null },
      { fires: false, triggered: false, conditions: [true, true], preview: null },
    ])
    expect(await firingsOf(callApi, reflex_id)).toEqual([])
    expect((await callApi('GET', '/api/proactive/intents')).body).toEqual([])
    expect((await callApi('GET', `/api/reflexes/${reflex_id}`)).body.last_fired_at).toBeNull()
  })

  test('an event without a type and a reflex of another user are refused', async () => {
    const { reflex_id } = await newReflex(call)
    expect((await evaluate(call, reflex_id, { value: 1 })).status).toBe(422)
    const { status, body } = await evaluate(callOther, reflex_id, SIGNAL)
    expect([status, body]).toEqual(NOT_FOUND)
  })
})
