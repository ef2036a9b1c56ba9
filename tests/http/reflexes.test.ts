import { beforeAll, describe, expect, test } from 'bun:test'
import { request, type TestUser, useServer } from '../harness/server.ts'
import {
  eventually,
  firingsOf,
  NOTIFY,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
  speaker,
} from './automation-support.ts'
import { ISO, newVerifiedUser, UUID } from './support.ts'

const server = useServer()
let user: TestUser
let other: TestUser
beforeAll(async () => {
  user = await newVerifiedUser(server.current)
  other = await newVerifiedUser(server.current)
})
const current = () => server.current
const say = speaker(current, () => user)
const sayOther = speaker(current, () => other)

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const NOT_FOUND = [404, { detail: 'Reflex not found' }]
const SIGNAL = { type: 'signal' }

const failures = (body: { detail: { loc: unknown[]; type: string }[] }) =>
  body.detail.map(({ loc, type }) => [loc.slice(1).join('.'), type])
const states = (firings: { state: string }[]) => firings.map(({ state }) => state)

/** Somebody of their own, so that nothing else triggers their reflexes. */
const newPerson = async () => {
  const person = await newVerifiedUser(server.current)
  return { person, speak: speaker(current, () => person) }
}

describe('a reflex', () => {
  test('is what was asked for, with its defaults', async () => {
    const { status, body } = await say('POST', '/api/reflexes', {
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
    expect((await say('GET', `/api/reflexes/${body.reflex_id}`)).body).toEqual(reflex)
    expect((await say('GET', '/api/reflexes')).body).toContainEqual(reflex)
    expect(await firingsOf(say, body.reflex_id)).toEqual([])
  })

  test('is changed field by field', async () => {
    const made = await newReflex(say)
    const path = `/api/reflexes/${made.reflex_id}`
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
      const before = (await say('GET', path)).body
      const { status, body } = await say('PATCH', path, change)
      expect([status, body]).toEqual([
        200,
        { ...before, ...change, updated_at: ISO, webhook_secret: null },
      ])
    }
  })

  test('goes with the record of its firings', async () => {
    const { reflex_id } = await newReflex(say)
    const gone = await say('DELETE', `/api/reflexes/${reflex_id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/firings'],
      ['DELETE', ''],
    ] as const) {
      const { status, body } = await say(method, `/api/reflexes/${reflex_id}${path}`)
      expect([status, body]).toEqual(NOT_FOUND)
    }
  })

  test('of somebody else answers as one that is not there', async () => {
    const { reflex_id } = await newReflex(say, { enabled: false })
    for (const id of [reflex_id, NO_ID])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { enabled: true }],
        ['DELETE', ''],
        ['GET', '/firings'],
        ['POST', '/secret'],
      ] as const) {
        const answer = await sayOther(method, `/api/reflexes/${id}${path}`, body)
        expect([answer.status, answer.body]).toEqual(NOT_FOUND)
      }
    expect((await say('GET', `/api/reflexes/${reflex_id}`)).body.enabled).toBe(false)
  })

  test('is one of a hundred at most, also of those made at once', async () => {
    const { speak } = await newPerson()
    const made = await Promise.all(
      Array.from({ length: 102 }, () =>
        speak('POST', '/api/reflexes', { name: 'x', trigger: SIGNAL, action: NOTIFY }),
      ),
    )
    const refused = made.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array(2).fill([409, { detail: 'There can be 100 reflexes at most' }]),
    )
  })

  const refusals: [string, object, string[][]][] = [
    [
      'everything',
      {},
      [
        ['name', 'missing'],
        ['trigger', 'missing'],
        ['action', 'missing'],
      ],
    ],
    ['a type of trigger', { trigger: {} }, [['trigger.type', 'missing']]],
    ['a known trigger', { trigger: { type: 'smell' } }, [['trigger.type', 'literal_error']]],
    ['a trigger that is an object', { trigger: 'signal' }, [['trigger', 'dict_type']]],
    [
      'a trigger whose fields fit',
      { trigger: { type: 'signal', device_id: 'x', signal_type: 'smell' } },
      [
        ['trigger.device_id', 'uuid_parsing'],
        ['trigger.signal_type', 'literal_error'],
      ],
    ],
    [
      'a device that is theirs',
      { trigger: { type: 'signal', device_id: NO_ID } },
      [['trigger.device_id', 'value_error']],
    ],
    ['a time', { trigger: { type: 'schedule' } }, [['trigger.at', 'missing']]],
    [
      'a time to come',
      { trigger: { type: 'schedule', at: '2020-01-01' } },
      [['trigger.at', 'value_error']],
    ],
    [
      'a cron expression',
      { trigger: { type: 'schedule', cron: 'soon' } },
      [['trigger.cron', 'value_error']],
    ],
    [
      'a known zone',
      { trigger: { type: 'schedule', cron: '@daily', timezone: 'Mars' } },
      [['trigger.timezone', 'value_error']],
    ],
    [
      'conditions that fit',
      { conditions: [{ op: 'like', path: '' }, {}, { op: 'in', path: 'a', value: 1 }] },
      [
        ['conditions.0.op', 'literal_error'],
        ['conditions.0.path', 'string_too_short'],
        ['conditions.1.op', 'missing'],
        ['conditions.1.path', 'missing'],
      ],
    ],
    [
      'values that their conditions compare with',
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
      'paths that can lead anywhere',
      {
        conditions: ['value..a', 'value.', ' ', '/a~2'].map((path) => ({ op: 'exists', path })),
      },
      [0, 1, 2, 3].map((at) => [`conditions.${at}.path`, 'value_error']),
    ],
    ['a known action', { action: { type: 'explode' } }, [['action.type', 'literal_error']]],
    [
      'a channel and a text',
      { action: { type: 'notify' } },
      [
        ['action.channel', 'missing'],
        ['action.text', 'missing'],
      ],
    ],
    [
      'a channel for telling',
      { action: { type: 'notify', channel: 'webhook', text: ' ' } },
      [
        ['action.channel', 'literal_error'],
        ['action.text', 'string_pattern_mismatch'],
      ],
    ],
    [
      'flags that are such',
      { confirm: 'yes', enabled: 1 },
      [
        ['confirm', 'bool_type'],
        ['enabled', 'bool_type'],
      ],
    ],
  ]
  for (const [what, given, expected] of refusals)
    test(`is refused without ${what}`, async () => {
      const whole = { name: 'x', trigger: SIGNAL, action: NOTIFY, ...given }
      const answer = await say('POST', '/api/reflexes', what === 'everything' ? {} : whole)
      expect([answer.status, failures(answer.body)]).toEqual([422, expected])
      if (what === 'everything') return
      const { reflex_id } = await newReflex(say, { enabled: false })
      const changed = await say('PATCH', `/api/reflexes/${reflex_id}`, given)
      expect([changed.status, failures(changed.body)]).toEqual([422, expected])
      await say('DELETE', `/api/reflexes/${reflex_id}`)
    })

  test('is found by an id that is one', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/firings'],
    ] as const) {
      const { status, body } = await say(
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

describe('a signal triggers', () => {
  test('what waits for it, once each, and nothing else', async () => {
    const { speak } = await newPerson()
    const [one, two] = [await newDevice(speak, 'One'), await newDevice(speak, 'Two')]
    const made = {
      any: await newReflex(speak),
      ofOne: await newReflex(speak, { trigger: { ...SIGNAL, device_id: one.toUpperCase() } }),
      ofTwo: await newReflex(speak, { trigger: { ...SIGNAL, device_id: two } }),
      text: await newReflex(speak, { trigger: { ...SIGNAL, signal_type: 'text' } }),
      high: await newReflex(speak, { conditions: [{ op: 'gte', path: '/value', value: 5 }] }),
      off: await newReflex(speak, { enabled: false }),
      memory: await newReflex(speak, { trigger: { type: 'memory' } }),
    }
    const signal = await sendSignal(speak, one, 4)
    await sendSignal(speak, two, 5)
    const count = async (name: keyof typeof made, n: number) =>
      expect(await settledFirings(speak, made[name].reflex_id, n)).toHaveLength(n)
    await count('any', 2)
    await count('ofOne', 1)
    await count('ofTwo', 1)
    await count('high', 1)
    for (const name of ['text', 'off', 'memory'] as const) await count(name, 0)

    const [, first] = await firingsOf(speak, made.any.reflex_id)
    expect(first).toEqual({
      firing_id: UUID,
      reflex_id: made.any.reflex_id,
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
    const path = `/api/reflexes/${made.any.reflex_id}`
    expect((await speak('GET', path)).body.last_fired_at).toEqual(ISO)
    const [latest] = (await speak('GET', `${path}/firings?limit=1`)).body
    expect((await speak('GET', `${path}/firings?before=${latest.firing_id}`)).body).toEqual([first])
    const elsewhere = `/api/reflexes/${made.high.reflex_id}/firings?before=${latest.firing_id}`
    expect((await speak('GET', elsewhere)).status).toBe(404)
    for (const query of ['limit=0', 'limit=101', 'before=x'])
      expect((await speak('GET', `${path}/firings?${query}`)).status).toBe(422)
  })

  test('once for the same signal sent twenty times at once', async () => {
    const { speak } = await newPerson()
    const device = await newDevice(speak)
    const { reflex_id } = await newReflex(speak)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sendSignal(speak, device, 1, { occurred_at: '2026-05-01T10:00:00Z' }),
      ),
    )
    expect(states(await settledFirings(speak, reflex_id))).toEqual(['done'])
  })

  test('no more than sixty firings an hour, of which the first that is too many is told', async () => {
    const { speak } = await newPerson()
    const device = await newDevice(speak)
    const { reflex_id } = await newReflex(speak)
    await Promise.all(Array.from({ length: 65 }, (_, n) => sendSignal(speak, device, n)))
    const path = `/api/reflexes/${reflex_id}/firings?limit=100`
    const firings = await eventually(async () => {
      const { body } = await speak('GET', path)
      return body.length === 61 && !states(body).includes('pending') && body
    })
    expect(states(firings).filter((state) => state === 'done')).toHaveLength(60)
    const limited = firings.find(({ state }: { state: string }) => state === 'limited')
    expect(limited.error).toContain('60 times within an hour')
  })
})

describe('a memory triggers', () => {
  const remember = (speak: typeof say, content: string, more: object = {}) =>
    speak('POST', '/api/remember', { content, ...more })

  test('what waits for its like, once, though it is changed; not what came before', async () => {
    const { speak } = await newPerson()
    await remember(speak, 'The tea was bought before.')
    const any = await newReflex(speak, { trigger: { type: 'memory' } })
    const tea = await newReflex(speak, {
      trigger: { type: 'memory', memory_type: 'preference', tags: ['drink'], contains: 'TEA' },
      conditions: [{ op: 'contains', path: 'tags', value: 'hot' }],
    })
    const made = await remember(speak, 'Ada likes tea.', {
      memory_type: 'preference',
      tags: ['drink', 'hot'],
    })
    await remember(speak, 'Ada likes coffee.', {
      memory_type: 'preference',
      tags: ['drink', 'hot'],
    })
    const [firing] = await settledFirings(speak, tea.reflex_id)
    expect(firing).toMatchObject({
      state: 'done',
      event: {
        type: 'memory',
        memory_id: made.body.memory_id,
        content_text: 'Ada likes tea.',
        memory_type: 'preference',
        tags: ['drink', 'hot'],
      },
    })
    expect(await settledFirings(speak, any.reflex_id, 2)).toHaveLength(2)
    await speak('PATCH', `/api/memories/${made.body.memory_id}`, { content: 'Ada loves tea.' })
    // A later memory is looked at after the change.
    await remember(speak, 'The last one.')
    await settledFirings(speak, any.reflex_id, 3)
    expect(await firingsOf(speak, any.reflex_id)).toHaveLength(3)
    expect(await firingsOf(speak, tea.reflex_id)).toHaveLength(1)
  })

  test('nothing when it is imported, or written by a reflex', async () => {
    const { speak } = await newPerson()
    const device = await newDevice(speak)
    const any = await newReflex(speak, { trigger: { type: 'memory' } })
    const writer = await newReflex(speak, {
      action: { type: 'remember', content: 'It was {{value}} degrees.', tags: ['sensed'] },
    })
    const line = {
      memory_id: crypto.randomUUID(),
      content_text: 'Brought along.',
      memory_type: 'semantic',
    }
    const imported = await speak('POST', '/api/memories/import', `${JSON.stringify(line)}\n`)
    expect([imported.status, imported.body]).toMatchObject([200, { imported: 1 }])
    await sendSignal(speak, device, 21)
    await settledFirings(speak, writer.reflex_id)
    const { body } = await speak('POST', '/api/recall', { query: 'degrees' })
    expect(body.memories).toMatchObject([
      { content_text: 'It was 21 degrees.', tags: ['sensed'], memory_type: 'episodic' },
    ])
    await remember(speak, 'Said by hand.')
    const firings = await settledFirings(speak, any.reflex_id)
    expect(
      firings.map(({ event }: { event: { content_text: string } }) => event.content_text),
    ).toEqual(['Said by hand.'])
  })
})

describe('a message triggers', () => {
  test('what waits for words said in chat, in talk, or by somebody else', async () => {
    const { speak } = await newPerson()
    const any = await newReflex(speak, { trigger: { type: 'message', contains: 'umbrella' } })
    const ofChat = await newReflex(speak, { trigger: { type: 'message', source: 'chat' } })
    const chat = await speak('POST', '/api/chat', { message: 'Where is my Umbrella?' })
    await speak('POST', '/api/talk', { message: 'Take the umbrella.', agent_slug: 'scout' })
    const { username } = (await speak('GET', '/api/profile')).body
    const thread = await sayOther('POST', '/api/dm/threads', { username })
    await sayOther('POST', `/api/dm/threads/${thread.body.thread_id}/messages`, {
      content: 'Your umbrella is here.',
    })
    const firings = await settledFirings(speak, any.reflex_id, 3)
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
    expect(await settledFirings(speak, ofChat.reflex_id)).toHaveLength(1)
  })
})

describe('a time triggers', () => {
  test('once, at that time; what is changed before is done as it is then', async () => {
    const { speak } = await newPerson()
    // A busy machine is done with all the changes by then.
    const at = new Date(Date.now() + 6_000).toISOString()
    const trigger = { type: 'schedule', at }
    const [made, off, moved, gone] = await Promise.all(
      Array.from({ length: 4 }, () => newReflex(speak, { trigger })),
    )
    expect(made).toMatchObject({ next_at: at, last_fired_at: null })
    const [disabled, later] = await Promise.all([
      speak('PATCH', `/api/reflexes/${off.reflex_id}`, { enabled: false }),
      speak('PATCH', `/api/reflexes/${moved.reflex_id}`, {
        trigger: { type: 'schedule', cron: '0 0 1 1 *', timezone: 'Europe/Berlin' },
      }),
      speak('DELETE', `/api/reflexes/${gone.reflex_id}`),
    ])
    expect(disabled.body.next_at).toBeNull()
    expect(later.body.next_at).toMatch(/-12-31T23:00:00\.000Z$/)
    const firings = await settledFirings(speak, made.reflex_id)
    expect(firings).toMatchObject([{ state: 'done', event: { type: 'schedule', due_at: at } }])
    expect(Date.parse(firings[0].created_at)).toBeGreaterThanOrEqual(Date.parse(at))
    expect((await speak('GET', `/api/reflexes/${made.reflex_id}`)).body).toMatchObject({
      next_at: null,
      enabled: true,
    })
    for (const { reflex_id } of [off, moved]) expect(await firingsOf(speak, reflex_id)).toEqual([])
    // What was given and has passed may be given again: it is no change.
    const same = await speak('PATCH', `/api/reflexes/${made.reflex_id}`, { trigger, name: 'Past' })
    expect([same.status, same.body.next_at]).toEqual([200, null])
  })
})

test('a schedule goes by the clock of where the person was who set it up, unless it names another', async () => {
  const { person, speak } = await newPerson()
  const moveTo = (timezone: string) =>
    request(server.current, 'GET', '/api/me', {
      token: person.key,
      headers: { 'x-timezone': timezone },
    })
  const cron = '0 9 1 7 *'
  const day = /^\d{4}-07-01T/
  await moveTo('Asia/Tokyo')
  const made = await newReflex(speak, { trigger: { type: 'schedule', cron } })
  expect(made.trigger).toEqual({ type: 'schedule', cron, timezone: 'Asia/Tokyo' })
  expect(made.next_at.replace(day, '')).toBe('00:00:00.000Z')
  const named = { type: 'schedule', cron, timezone: 'America/Lima' }
  const other = await newReflex(speak, { trigger: named })
  expect([other.trigger, other.next_at.replace(day, '')]).toEqual([named, '14:00:00.000Z'])
  const path = `/api/reflexes/${made.reflex_id}`
  // Where they are meanwhile changes nothing, until they set it up again.
  await moveTo('Europe/Berlin')
  expect((await speak('PATCH', path, { name: 'Nine' })).body.next_at).toBe(made.next_at)
  const { body } = await speak('PATCH', path, { trigger: { type: 'schedule', cron } })
  expect([body.trigger.timezone, body.next_at.replace(day, '')]).toEqual([
    'Europe/Berlin',
    '07:00:00.000Z',
  ])
})

test('a time without an offset is one on the clocks of its time zone', async () => {
  const { speak } = await newPerson()
  const day = `${new Date().getUTCFullYear() + 1}-07-01`
  const times: [object, string][] = [
    [{ at: `${day}T09:00`, timezone: 'Europe/Berlin' }, 'T07:00:00.000Z'],
    [{ at: `${day}T09:00Z`, timezone: 'Europe/Berlin' }, 'T09:00:00.000Z'],
    [{ at: `${day}T09:00:00-04:00`, timezone: 'Europe/Berlin' }, 'T13:00:00.000Z'],
    [{ at: `${day}T09:00` }, 'T09:00:00.000Z'],
  ]
  for (const [when, next] of times) {
    const { next_at } = await newReflex(speak, { trigger: { type: 'schedule', ...when } })
    expect(next_at).toBe(`${day}${next}`)
  }
})

describe('a person is told', () => {
  test('in chat: in one session of the reflex, unread, or a new one where that is gone', async () => {
    const { speak } = await newPerson()
    const device = await newDevice(speak)
    const { reflex_id } = await newReflex(speak, {
      name: 'Visitors',
      action: { type: 'notify', channel: 'chat', text: 'There were {{value}}.' },
    })
    const sessions = async () => (await speak('GET', '/api/sessions')).body
    await sendSignal(speak, device, 1)
    await settledFirings(speak, reflex_id)
    const [session] = await sessions()
    expect(session).toMatchObject({
      title: 'Visitors',
      initiated_by: 'reflex',
      unread: true,
      message_count: 1,
      last_message_preview: 'There were 1.',
    })
    await speak('POST', `/api/sessions/${session.id}/read`)
    await sendSignal(speak, device, 2)
    await settledFirings(speak, reflex_id, 2)
    expect(await sessions()).toMatchObject([{ id: session.id, unread: true, message_count: 2 }])
    const { body } = await speak('GET', `/api/sessions/${session.id}/messages`)
    expect(body).toMatchObject([
      { role: 'assistant', content: 'There were 1.' },
      { role: 'assistant', content: 'There were 2.' },
    ])
    await speak('DELETE', `/api/sessions/${session.id}`)
    await sendSignal(speak, device, 3)
    await settledFirings(speak, reflex_id, 3)
    const [fresh] = await sessions()
    expect(fresh).toMatchObject({ message_count: 1, title: 'Visitors' })
    expect(fresh.id).not.toBe(session.id)
  })

  test('in the inbox, where it waits until they have seen to it', async () => {
    const { speak } = await newPerson()
    const device = await newDevice(speak)
    const { reflex_id } = await newReflex(speak, {
      action: { ...NOTIFY, title: '{{device_name}}!', text: '{{value.none}}' },
    })
    await sendSignal(speak, device, 1)
    await settledFirings(speak, reflex_id)
    const intents = async () => (await speak('GET', '/api/proactive/intents')).body
    const [intent] = await intents()
    expect(intent).toMatchObject({ kind: 'reminder', title: 'Greenhouse!', text: '…' })
    const feedback = { intent_id: intent.intent_id, feedback: 'dismiss' }
    expect((await speak('POST', '/api/proactive/feedback', feedback)).status).toBe(200)
    expect(await intents()).toEqual([])
  })

  test('that it failed when their mails of the month are used up', async () => {
    const { speak } = await newPerson()
    const device = await newDevice(speak)
    const { reflex_id } = await newReflex(speak, {
      action: { type: 'notify', channel: 'email', text: 'x' },
    })
    for (let n = 0; n < 21; n++) await sendSignal(speak, device, n)
    const firings = await settledFirings(speak, reflex_id, 21)
    expect(states(firings).filter((state) => state === 'done')).toHaveLength(20)
    const failed = firings.find(({ state }: { state: string }) => state === 'failed')
    expect(failed.error).toContain('20 emails')
  })
})
