import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import { auditLog } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, startRestartable } from '../harness/http.ts'
import { request, useServer } from '../harness/server.ts'
import {
  apiCaller,
  firingsOf,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
} from './support.ts'

setDefaultTimeout(60_000)
const server = useServer()

const PATH = '/api/admin/registry'
const NAMES = {
  action_types: ['notify', 'remember', 'webhook'],
  trigger_types: ['signal', 'schedule', 'memory', 'message'],
  channel_types: ['inbox', 'chat', 'email', 'webhook'],
  condition_ops: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'in', 'exists'],
  signal_types: [
    'number',
    'boolean',
    'text',
    'readings',
    'location',
    'event',
    'presence',
    'battery',
  ],
}

test('the registry requires an admin', async () => {
  const user = await newVerifiedUser(server.current)
  for (const [method, path] of [
    ['GET', '?registry_type=action_types'],
    ['POST', '/action_types/notify/state'],
  ] as const) {
    const options = {
      token: user.key,
      ...(method === 'POST' && { body: { enabled: false, reason: 'x' } }),
    }
    const { status, body } = await request(server.current, method, `${PATH}${path}`, options)
    expect([status, body]).toEqual([403, { detail: 'Admin access required' }])
  }
})

describe('switching handlers', () => {
  test('an admin lists and switches handlers; firings that need a disabled one wait and resume', async () => {
    await using restartable = await startRestartable()
    const admin = await newVerifiedUser(restartable.current)
    const user = await newVerifiedUser(restartable.current)
    await restartable.restart(`update users set is_admin = true where id = '${admin.id}'`)
    const current = () => restartable.current
    const callAsAdmin = apiCaller(current, () => admin)
    const callApi = apiCaller(current, () => user)
    const turn = (name: string, enabled: boolean, reason = 'Because.') =>
      callAsAdmin('POST', `${PATH}/${name}/state`, { enabled, reason })

    for (const [type, names] of Object.entries(NAMES)) {
      const { status, body } = await callAsAdmin('GET', `${PATH}?registry_type=${type}`)
      expect(status).toBe(200)
      expect(Object.keys(body).toSorted()).toEqual(['count', 'entries', 'registry_type'])
      expect([body.registry_type, body.count]).toEqual([type, names.length])
      expect(body.entries.map(({ name }: { name: string }) => name)).toEqual(names)
      for (const entry of body.entries)
        expect(entry).toEqual({
          name: expect.any(String),
          version: '1.0.0',
          category: expect.any(String),
          handler_kind: 'builtin',
          handler_ref: expect.stringContaining('automation/'),
          privilege_level: expect.stringMatching(/^(user|awakened)$/),
          enabled: true,
          cost_model: entry.name === 'email' ? { metric: 'emails', units: 1 } : null,
        })
    }
    for (const [query, type] of [
      ['', 'missing'],
      ['?registry_type=engines', 'literal_error'],
    ] as const) {
      const { status, body } = await callAsAdmin('GET', `${PATH}${query}`)
      expect([status, body.detail[0]]).toMatchObject([
        422,
        { loc: ['query', 'registry_type'], type },
      ])
    }
    const flag = await callAsAdmin(
      'GET',
      `${PATH}?registry_type=action_types&include_disabled=perhaps`,
    )
    expect([flag.status, flag.body.detail[0].type]).toEqual([422, 'bool_parsing'])

    const device = await newDevice(callApi)
    const reflex = await newReflex(callApi, { conditions: [{ op: 'gt', path: 'value', value: 1 }] })
    const action = await turn('action_types/notify', false, 'There is too much of it.')
    expect([action.status, action.body]).toEqual([200, null])
    const listed = async (query: string) =>
      (await callAsAdmin('GET', `${PATH}?registry_type=action_types${query}`)).body
    expect((await listed('')).entries.map(({ name }: { name: string }) => name)).toEqual([
      'remember',
      'webhook',
    ])
    const all = await listed('&include_disabled=true')
    expect([all.count, all.entries[0]]).toMatchObject([3, { name: 'notify', enabled: false }])

    await sendSignal(callApi, device, 5)
    const [confirmation] = await eventually(async () => {
      const firings = await firingsOf(callApi, reflex.reflex_id)
      return firings[0]?.error && firings
    })
    expect(confirmation).toMatchObject({
      state: 'pending',
      error: 'Waiting: the action notify is switched off by an admin',
    })
    const another = await callApi('POST', '/api/reflexes', {
      name: 'x',
      trigger: { type: 'signal' },
      action: { type: 'notify', channel: 'inbox', text: 'x' },
    })
    expect([another.status, another.body]).toEqual([
      409,
      { detail: 'The action notify is switched off by an admin; try again later' },
    ])
    await restartable.restart()
    expect((await firingsOf(callApi, reflex.reflex_id))[0].state).toBe('pending')
    await turn('action_types/notify', true, 'There is less.')
    expect(await settledFirings(callApi, reflex.reflex_id)).toMatchObject([
      { state: 'done', error: null },
    ])

    for (const name of ['trigger_types/signal', 'channel_types/inbox', 'condition_ops/gt']) {
      await turn(name, false)
      const before = (await firingsOf(callApi, reflex.reflex_id)).length
      // With the operator disabled, the condition is evaluated once it is enabled.
      await sendSignal(callApi, device, 1)
      await sendSignal(callApi, device, 7)
      await eventually(async () => (await firingsOf(callApi, reflex.reflex_id))[0].error)
      await turn(name, true)
      const firings = await settledFirings(callApi, reflex.reflex_id, before + 1)
      expect(firings[0]).toMatchObject({ state: 'done', event: { value: 7 } })
      const lower = firings.filter(({ event }: { event: { value: number } }) => event.value === 1)
      expect(lower.every(({ state }: { state: string }) => state === 'skipped')).toBe(true)
    }

    await turn('signal_types/number', false)
    const refused = await callApi('POST', `/api/senses/devices/${device}/signals`, {
      signal_type: 'number',
      value: 9,
    })
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'The signal number is switched off by an admin; try again later' },
    ])
    await turn('signal_types/number', true)
    await sendSignal(callApi, device, 9)

    const signedIn = createClient({
      baseUrl: restartable.current.url,
      credential: admin.accessToken,
    })
    const { entries } = await signedIn.call(auditLog, { query: { limit: 100 } })
    const switched = entries.filter(({ action }) => action === 'handler.switched')
    expect(switched.slice(-2)).toMatchObject([
      { subject: 'action_types/notify', details: { enabled: true, reason: 'There is less.' } },
      {
        subject: 'action_types/notify',
        details: { enabled: false, reason: 'There is too much of it.' },
      },
    ])
    for (const name of ['action_types/steam', 'engines/notify', 'action_types/toString']) {
      const { status, body } = await turn(name, false)
      expect([status, body]).toEqual([404, { detail: 'Handler not found' }])
    }
    for (const body of [{ enabled: true }, { reason: 'x' }, { enabled: 'on', reason: 'x' }])
      expect((await callAsAdmin('POST', `${PATH}/action_types/notify/state`, body)).status).toBe(
        422,
      )
  })
})
