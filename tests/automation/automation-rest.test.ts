import { expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql, startRestartable } from '../harness/http.ts'
import { request } from '../harness/server.ts'
import {
  apiCaller,
  confirmationsOf,
  decide,
  firingsOf,
  NOTIFY,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
  waitingConfirmations,
} from './support.ts'

setDefaultTimeout(60_000)

/** A user on a server that can be restarted with changed data. */
const newcomer = async () => {
  const restartable = await startRestartable()
  const user = await newVerifiedUser(restartable.current)
  const callApi = apiCaller(
    () => restartable.current,
    () => user,
  )
  return { restartable, user, callApi }
}

const AT = '2026-01-01T10:00:00.000Z'

test('a schedule missed while no server ran fires once, late, and then at its next time', async () => {
  const { restartable, callApi } = await newcomer()
  await using _ = restartable
  const daily = { type: 'schedule', cron: '0 10 * * *' }
  const { reflex_id, next_at } = await newReflex(callApi, { trigger: daily })
  // Simulates downtime since the first of January, over many scheduled times.
  await restartable.restart(`update reflexes set next_at = '${AT}'`)
  expect(await settledFirings(callApi, reflex_id)).toMatchObject([
    { state: 'done', event: { type: 'schedule', due_at: AT } },
  ])
  expect((await callApi('GET', `/api/reflexes/${reflex_id}`)).body.next_at).toBe(next_at)
  await restartable.restart()
  expect(await firingsOf(callApi, reflex_id)).toHaveLength(1)
})

test('reflexes of a disabled user wait and resume when the user is enabled', async () => {
  const { restartable, user, callApi } = await newcomer()
  await using _ = restartable
  const other = await newVerifiedUser(restartable.current)
  const callOther = apiCaller(
    () => restartable.current,
    () => other,
  )
  const daily = { trigger: { type: 'schedule', cron: '0 10 * * *' } }
  const timed = await newReflex(callApi, daily)
  const theirs = await newReflex(callOther, daily)
  const watch = await newReflex(callApi, { trigger: { type: 'signal' } })
  await restartable.restart(
    `update users set disabled_at = now() where id = '${user.id}'`,
    `update reflexes set next_at = '${AT}' where trigger_type = 'schedule'`,
    `insert into reflex_firings (user_id, firing_id, reflex_id, event_key, event, state, blocked_by)
    values ('${user.id}', gen_random_uuid(), '${watch.reflex_id}', 'x',
      '{"type": "signal", "value": 1}', 'pending', 'account')`,
  )
  expect((await callApi('GET', '/api/reflexes')).status).toBe(401)
  // The sweep that resumed other firings has run.
  await settledFirings(callOther, theirs.reflex_id)
  const letIn = Date.now()
  await restartable.restart(`update users set disabled_at = null`)
  const [rested] = await settledFirings(callApi, timed.reflex_id)
  const [woken] = await settledFirings(callApi, watch.reflex_id)
  expect([rested, woken]).toMatchObject([
    { state: 'done', event: { due_at: AT } },
    { state: 'done', error: null },
  ])
  for (const { updated_at } of [rested, woken])
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(letIn)
})

test('a confirmation expires after a week', async () => {
  const { restartable, callApi } = await newcomer()
  await using _ = restartable
  const device = await newDevice(callApi)
  const { reflex_id } = await newReflex(callApi, { confirm: true })
  await sendSignal(callApi, device, 1)
  await sendSignal(callApi, device, 2)
  const [, first] = await waitingConfirmations(callApi, 2)
  await restartable.restart(
    `update reflex_firings set updated_at = now() - interval '8 days'
    where firing_id = '${first.firing_id}'`,
  )
  const isOver = async () => (await confirmationsOf(callApi)).length === 1
  await eventually(isOver)
  expect(await firingsOf(callApi, reflex_id)).toMatchObject([
    { state: 'waiting' },
    { state: 'skipped', error: 'The confirmation expired' },
  ])
})

test('deleting an account deletes its automation rows while reflexes run', async () => {
  const { restartable, user, callApi } = await newcomer()
  await using _ = restartable
  const device = await newDevice(callApi)
  await newReflex(callApi, { action: { type: 'remember', content: '{{value}}' } })
  await newReflex(callApi, { confirm: true })
  await newReflex(callApi, { action: { ...NOTIFY, channel: 'chat' } })
  await newReflex(callApi, {
    trigger: { type: 'schedule', at: new Date(Date.now() + 60_000).toISOString() },
  })
  await Promise.all(Array.from({ length: 15 }, (_, n) => sendSignal(callApi, device, n)))
  const meanwhile = Array.from({ length: 5 }, () => [
    callApi('POST', '/api/senses/devices', { device_name: 'Late' }),
    callApi('POST', '/api/reflexes', { name: 'Late', trigger: { type: 'signal' }, action: NOTIFY }),
    callApi('POST', `/api/senses/devices/${device}/signals`, { signal_type: 'number', value: -1 }),
  ]).flat()
  const deletion = await request(restartable.current, 'DELETE', '/api/auth/delete-account', {
    token: user.accessToken,
    body: { password: 'correct horse battery staple' },
  })
  expect(deletion.status).toBe(200)
  for (const { status } of await Promise.all(meanwhile)) expect([201, 401, 404]).toContain(status)
  await restartable.current.stop()
  for (const table of ['reflexes', 'reflex_firings', 'sense_devices', 'sense_signals', 'intents'])
    expect(await runSql(restartable.database, `select * from ${table}`)).toEqual([])
  const jobs = `select data from jobs.job where data::text like '%${user.id}%'`
  expect(await runSql(restartable.database, jobs)).toEqual([])
})

test('settled firings and notifications are kept for thirty days', async () => {
  const { restartable, callApi } = await newcomer()
  await using _ = restartable
  const device = await newDevice(callApi)
  const reflex = await newReflex(callApi)
  const asking = await newReflex(callApi, { confirm: true })
  await sendSignal(callApi, device, 1)
  await settledFirings(callApi, reflex.reflex_id)
  const [{ intent_id }] = await waitingConfirmations(callApi)
  await decide(callApi, intent_id, 'skip_once')
  await sendSignal(callApi, device, 2)
  const [open] = await waitingConfirmations(callApi)
  await settledFirings(callApi, reflex.reflex_id, 2)
  const aged = (table: string, column: string, key: string) =>
    `update ${table} set ${column} = now() - interval '31 days' where ${key}`
  await restartable.restart(
    aged('reflex_firings', 'created_at', `event->>'value' = '1'`),
    aged('sense_signals', 'received_at', `value = '1'`),
    aged('intents', 'created_at', `data->>'firing_id' <> '${open.firing_id}'`),
  )
  const count = async (path: string) => (await callApi('GET', path)).body.length
  await eventually(async () => (await count(`/api/reflexes/${reflex.reflex_id}/firings`)) <= 1)
  await eventually(async () => (await count(`/api/senses/devices/${device}/signals`)) <= 1)
  expect(await firingsOf(callApi, asking.reflex_id)).toMatchObject([{ state: 'waiting' }])
  expect(await confirmationsOf(callApi)).toEqual([open])
  const noticed = () => count('/api/proactive/intents')
  await eventually(async () => (await noticed()) === 0)
})
