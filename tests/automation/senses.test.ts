import { beforeAll, describe, expect, test } from 'bun:test'
import { ISO, newVerifiedUser, startRestartable, UUID } from '../harness/http.ts'
import { type TestUser, useServer } from '../harness/server.ts'
import { apiCaller, newDevice, sendSignal } from './support.ts'

const server = useServer()
let user: TestUser
let other: TestUser
beforeAll(async () => {
  user = await newVerifiedUser(server.current)
  other = await newVerifiedUser(server.current)
})
const current = () => server.current
const call = apiCaller(current, () => user)
const callOther = apiCaller(current, () => other)

const DEVICES = '/api/senses/devices'
const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const NOT_FOUND = [404, { detail: 'Device not found' }]

const failures = (body: { detail: { loc: unknown[]; type: string }[] }): unknown[][] =>
  body.detail.map(({ loc, type }) => [loc, type])

describe('devices', () => {
  test('a device has a name, capabilities and metadata', async () => {
    const { status, body } = await call('POST', DEVICES, {
      device_name: ' Greenhouse ',
      capabilities: [' temperature ', 'temperature', 'humidity'],
      metadata: { room: 2, 'a\nkey': [null] },
      unknown: 1,
    })
    expect([status, body]).toEqual([
      201,
      {
        device_id: UUID,
        device_name: 'Greenhouse',
        capabilities: ['temperature', 'humidity'],
        metadata: { room: 2, 'a\nkey': [null] },
        last_signal_at: null,
        created_at: ISO,
        updated_at: ISO,
      },
    ])
    expect((await call('GET', `${DEVICES}/${body.device_id}`)).body).toEqual(body)
    expect((await call('GET', DEVICES)).body).toContainEqual(body)
    const bare = await call('POST', DEVICES, {
      device_name: 'x',
      capabilities: null,
      metadata: null,
    })
    expect(bare.body).toMatchObject({ capabilities: [], metadata: {} })
  })

  test('an update keeps fields that are null or left out, and returns an empty object', async () => {
    const { body: created } = await call('POST', DEVICES, {
      device_name: 'Old',
      capabilities: ['a'],
      metadata: { b: 1 },
    })
    const path = `${DEVICES}/${created.device_id}`
    const changes: [object, object][] = [
      [{}, {}],
      [{ device_name: null, capabilities: null, metadata: null }, {}],
      [{ device_name: 'New' }, { device_name: 'New' }],
      [{ capabilities: [] }, { device_name: 'New', capabilities: [] }],
      [{ metadata: {} }, { device_name: 'New', capabilities: [], metadata: {} }],
    ]
    for (const [change, becomes] of changes) {
      const { status, body } = await call('PATCH', path, change)
      expect([status, body]).toEqual([200, {}])
      expect((await call('GET', path)).body).toEqual({ ...created, ...becomes, updated_at: ISO })
    }
  })

  test('deleting a device deletes its signals', async () => {
    const device = await newDevice(call)
    await sendSignal(call, device, 1)
    const deletion = await call('DELETE', `${DEVICES}/${device}`)
    expect([deletion.status, deletion.text]).toEqual([204, ''])
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/signals'],
    ] as const) {
      const { status, body } = await call(method, `${DEVICES}/${device}${path}`)
      expect([status, body]).toEqual(NOT_FOUND)
    }
  })

  test('a device of another user is 404', async () => {
    const device = await newDevice(call)
    for (const id of [device, NO_ID])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { device_name: 'Mine now' }],
        ['DELETE', ''],
        ['GET', '/signals'],
        ['POST', '/signals', { signal_type: 'number', value: 1 }],
      ] as const) {
        const answer = await callOther(method, `${DEVICES}/${id}${path}`, body)
        expect([answer.status, answer.body]).toEqual(NOT_FOUND)
      }
    expect((await call('GET', `${DEVICES}/${device}`)).body).toMatchObject({
      device_name: 'Greenhouse',
      last_signal_at: null,
    })
  })

  test('a user has at most a hundred devices, also with concurrent requests', async () => {
    const callAsOther = apiCaller(current, () => other)
    const creation = await Promise.all(
      Array.from({ length: 103 }, () => callAsOther('POST', DEVICES, { device_name: 'x' })),
    )
    const refused = creation.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      Array(3).fill([409, { detail: 'There can be 100 devices at most' }]),
    )
  })

  test('a name has at most a hundred characters of any script', async () => {
    for (const [name, status] of [
      ['🌱'.repeat(100), 201],
      ['🌱'.repeat(101), 422],
    ] as const)
      expect((await call('POST', DEVICES, { device_name: name })).status).toBe(status)
    const { body } = await call('POST', DEVICES, { device_name: 'x' })
    const path = `${DEVICES}/${body.device_id}`
    expect((await call('PATCH', path, { device_name: '🌱'.repeat(100) })).status).toBe(200)
    expect((await call('GET', path)).body.device_name).toBe('🌱'.repeat(100))
  })

  test('an invalid device is 422', async () => {
    const wrong: [object, unknown[][]][] = [
      [{}, [[['body', 'device_name'], 'missing']]],
      [{ device_name: '  ' }, [[['body', 'device_name'], 'string_too_short']]],
      [
        { device_name: 'x', capabilities: 'all', metadata: [] },
        [
          [['body', 'capabilities'], 'list_type'],
          [['body', 'metadata'], 'dict_type'],
        ],
      ],
      [{ device_name: 'x', capabilities: [1] }, [[['body', 'capabilities', 0], 'string_type']]],
      [
        { device_name: 'x', metadata: { long: 'x'.repeat(17_000) } },
        [[['body', 'metadata'], 'too_long']],
      ],
    ]
    for (const [input, expected] of wrong) {
      const { status, body } = await call('POST', DEVICES, input)
      expect([status, failures(body)]).toEqual([422, expected])
    }
    const { status, body } = await call('PATCH', `${DEVICES}/no-id`, {})
    expect([status, failures(body)]).toEqual([422, [[['path', 'device_id'], 'uuid_parsing']]])
  })
})

describe('signals', () => {
  test('signals are stored and listed newest first', async () => {
    const device = await newDevice(call)
    const path = `${DEVICES}/${device}/signals`
    const first = await call('POST', path, {
      signal_type: 'readings',
      value: { temperature: 21.5, isOn: true },
      occurred_at: '2026-05-01T12:00:00+02:00',
    })
    expect([first.status, first.body]).toEqual([
      201,
      {
        signal_id: UUID,
        device_id: device,
        signal_type: 'readings',
        value: { temperature: 21.5, isOn: true },
        occurred_at: '2026-05-01T10:00:00.000Z',
        received_at: ISO,
        deduplicated: false,
      },
    ])
    const second = await sendSignal(call, device, 5, { occurred_at: null })
    const third = await sendSignal(call, device, 6)
    const ids = async (query = '') =>
      (await call('GET', `${path}${query}`)).body.map(
        ({ signal_id }: { signal_id: string }) => signal_id,
      )
    expect(await ids()).toEqual([third, second, first.body].map(({ signal_id }) => signal_id))
    expect(await ids('?limit=1')).toEqual([third.signal_id])
    expect(await ids(`?before=${third.signal_id}&limit=1`)).toEqual([second.signal_id])
    expect(await ids('?signal_type=readings')).toEqual([first.body.signal_id])
    expect((await call('GET', `${DEVICES}/${device}`)).body.last_signal_at).toMatch(/^20/)
    for (const [query, loc, type] of [
      ['limit=0', 'limit', 'greater_than_equal'],
      ['limit=101', 'limit', 'less_than_equal'],
      ['before=x', 'before', 'uuid_parsing'],
      ['signal_type=smell', 'signal_type', 'literal_error'],
    ] as const)
      expect(failures((await call('GET', `${path}?${query}`)).body)).toEqual([
        [['query', loc], type],
      ])
  })

  test('a signal with a time is stored once, however often it is sent', async () => {
    const device = await newDevice(call)
    const send = (value: number, occurred_at: string) =>
      sendSignal(call, device, value, { occurred_at })
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => send(1, '2026-05-01T10:00:00Z')),
    )
    expect(new Set(sent.map(({ signal_id }) => signal_id)).size).toBe(1)
    expect(sent.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1)
    await send(2, '2026-05-01T10:00:00Z')
    await send(1, '2026-05-01T10:00:01Z')
    expect((await call('GET', `${DEVICES}/${device}/signals`)).body).toHaveLength(3)
    const readings = { signal_type: 'readings', occurred_at: '2026-05-01T10:00:00Z' }
    const first = await sendSignal(call, device, { a: 1, b: 2 }, readings)
    const turned = await sendSignal(call, device, { b: 2, a: 1 }, readings)
    expect(turned).toEqual({ ...first, deduplicated: true })
  })

  const values: [string, unknown[], [unknown, unknown[], string][]][] = [
    [
      'number',
      [0, -1.5, 1e300],
      [
        ['1', [], 'float_type'],
        [null, [], 'float_type'],
      ],
    ],
    ['boolean', [true, false], [[0, [], 'bool_type']]],
    [
      'text',
      ['hello'],
      [
        ['', [], 'string_too_short'],
        [1, [], 'string_type'],
      ],
    ],
    [
      'readings',
      [{ a: 1 }, { a: 'x', b: false }],
      [
        [[], [], 'dict_type'],
        [{ a: null }, ['a'], 'value_error'],
        [{ '': 1, a: 1 }, [''], 'value_error'],
        [{ ['x'.repeat(101)]: 1 }, ['x'.repeat(101)], 'value_error'],
        [{}, [], 'too_short'],
        [Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, at])), [], 'too_long'],
      ],
    ],
    [
      'location',
      [
        { latitude: 52.5, longitude: 13.4 },
        { latitude: -90, longitude: 180, accuracy_m: 5 },
      ],
      [
        [{ latitude: 91, longitude: 0 }, ['latitude'], 'less_than_equal'],
        [{ latitude: 1 }, ['longitude'], 'missing'],
      ],
    ],
    ['event', [{ name: 'door_opened', data: { by: 'Ada' } }], [[{}, ['name'], 'missing']]],
    ['presence', ['present', 'absent'], [['maybe', [], 'literal_error']]],
    [
      'battery',
      [0, 100],
      [
        [101, [], 'less_than_equal'],
        [-1, [], 'greater_than_equal'],
      ],
    ],
  ]
  for (const [signal_type, good, bad] of values)
    test(`a signal of type ${signal_type} requires a value of that type`, async () => {
      const device = await newDevice(call)
      const path = `${DEVICES}/${device}/signals`
      for (const value of good)
        expect((await call('POST', path, { signal_type, value })).body.value).toEqual(value)
      for (const [value, loc, type] of bad) {
        const { status, body } = await call('POST', path, { signal_type, value })
        expect([status, failures(body)]).toEqual([422, [[['body', 'value', ...loc], type]]])
      }
      const { status, body } = await call('POST', path, { signal_type })
      expect([status, failures(body)]).toEqual([422, [[['body', 'value'], 'missing']]])
    })

  test('a missing or unknown type and an invalid time are 422', async () => {
    const path = `${DEVICES}/${await newDevice(call)}/signals`
    const wrong: [object, unknown[][]][] = [
      [{ value: 1 }, [[['body', 'signal_type'], 'missing']]],
      [{ signal_type: 'smell', value: 1 }, [[['body', 'signal_type'], 'literal_error']]],
      [
        { signal_type: 'number', value: 1, occurred_at: 'noon' },
        [[['body', 'occurred_at'], 'datetime_parsing']],
      ],
      [
        { signal_type: 'number', value: 1, occurred_at: '0101-01-01' },
        [[['body', 'occurred_at'], 'value_error']],
      ],
    ]
    for (const [input, expected] of wrong) {
      const { status, body } = await call('POST', path, input)
      expect([status, failures(body)]).toEqual([422, expected])
    }
    const large = await call('POST', path, {
      signal_type: 'event',
      value: { name: 'x', data: { long: 'x'.repeat(17_000) } },
    })
    expect([large.status, failures(large.body)]).toEqual([422, [[['body', 'value'], 'too_long']]])
  })
})

test('a device keeps its newest thousand signals', async () => {
  await using restartable = await startRestartable()
  const owner = await newVerifiedUser(restartable.current)
  const mine = apiCaller(
    () => restartable.current,
    () => owner,
  )
  const device = await newDevice(mine)
  await restartable.restart(
    `insert into sense_signals (user_id, device_id, signal_id, signal_type, value, occurred_at)
    select '${owner.id}', '${device}', ('01a1f000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      'number', to_jsonb(n), now() from generate_series(1, 1099) n`,
    `update sense_devices set signal_count = 1099`,
  )
  await sendSignal(mine, device, 'last', { signal_type: 'text' })
  const path = `${DEVICES}/${device}/signals?limit=100`
  const kept: unknown[] = []
  for (let before = ''; ; ) {
    const { body } = await mine('GET', `${path}${before}`)
    if (body.length === 0) break
    kept.push(...body.map(({ value }: { value: unknown }) => value))
    before = `&before=${body.at(-1).signal_id}`
  }
  expect(kept).toHaveLength(1000)
  expect([kept[0], kept[1], kept.at(-1)]).toEqual(['last', 1099, 101])
})

test('a text signal that looks like JSON stays a text', async () => {
  const device = await newDevice(call)
  for (const text of ['12', 'true', '{"a": 1}', '"quoted"'])
    await sendSignal(call, device, text, { signal_type: 'text' })
  const { body } = await call('GET', `${DEVICES}/${device}/signals?limit=100`)
  expect(body.map(({ value }: { value: unknown }) => value)).toEqual([
    '"quoted"',
    '{"a": 1}',
    'true',
    '12',
  ])
})
