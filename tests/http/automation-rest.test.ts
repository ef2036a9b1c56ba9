import { expect, setDefaultTimeout, test } from 'bun:test'
import { request } from '../harness/server.ts'
import {
  confirmationsOf,
  decide,
  firingsOf,
  NOTIFY,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
  speaker,
  waitingConfirmations,
} from './automation-support.ts'
import { newVerifiedUser, runSql, startRestartable } from './support.ts'

setDefaultTimeout(60_000)

/** Somebody on a server that may be stopped, changed and started again. */
const newcomer = async () => {
  const restartable = await startRestartable()
  const user = await newVerifiedUser(restartable.current)
  const say = speaker(
    () => restartable.current,
    () => user,
  )
  return { restartable, user, say }
}

const AT = '2026-01-01T10:00:00.000Z'

test('what was to be done while no server ran is done once, late; then the next time comes', async () => {
  const { restartable, say } = await newcomer()
  await using _ = restartable
  const daily = { type: 'schedule', cron: '0 10 * * *' }
  const { reflex_id, next_at } = await newReflex(say, { trigger: daily })
  // As if it had been down since the first of January, for many of its times.
  await restartable.restart(`update reflexes set next_at = '${AT}'`)
  expect(await settledFirings(say, reflex_id)).toMatchObject([
    { state: 'done', event: { type: 'schedule', due_at: AT } },
  ])
  expect((await say('GET', `/api/reflexes/${reflex_id}`)).body.next_at).toBe(next_at)
  await restartable.restart()
  expect(await firingsOf(say, reflex_id)).toHaveLength(1)
})

test('reflexes of somebody who is kept out rest, and go on when they are let in', async () => {
  const { restartable, user, say } = await newcomer()
  await using _ = restartable
  const other = await newVerifiedUser(restartable.current)
  const sayOther = speaker(
    () => restartable.current,
    () => other,
  )
  const daily = { trigger: { type: 'schedule', cron: '0 10 * * *' } }
  const timed = await newReflex(say, daily)
  const theirs = await newReflex(sayOther, daily)
  const watch = await newReflex(say, { trigger: { type: 'signal' } })
  await restartable.restart(
    `update users set disabled_at = now() where id = '${user.id}'`,
    `update reflexes set next_at = '${AT}' where trigger_type = 'schedule'`,
    `insert into reflex_firings (user_id, firing_id, reflex_id, event_key, event, state, held_by)
    values ('${user.id}', gen_random_uuid(), '${watch.reflex_id}', 'x',
      '{"type": "signal", "value": 1}', 'pending', 'account')`,
  )
  expect((await say('GET', '/api/reflexes')).status).toBe(401)
  // The same sweep has done what others wait for.
  await settledFirings(sayOther, theirs.reflex_id)
  const letIn = Date.now()
  await restartable.restart(`update users set disabled_at = null`)
  const [rested] = await settledFirings(say, timed.reflex_id)
  const [woken] = await settledFirings(say, watch.reflex_id)
  expect([rested, woken]).toMatchObject([
    { state: 'done', event: { due_at: AT } },
    { state: 'done', error: null },
  ])
  for (const { updated_at } of [rested, woken])
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(letIn)
})

test('a confirmation that nobody gave for a week is over', async () => {
  const { restartable, say } = await newcomer()
  await using _ = restartable
  const device = await newDevice(say)
  const { reflex_id } = await newReflex(say, { confirm: true })
  await sendSignal(say, device, 1)
  await sendSignal(say, device, 2)
  const [, first] = await waitingConfirmations(say, 2)
  await restartable.restart(
    `update reflex_firings set updated_at = now() - interval '8 days'
    where firing_id = '${first.firing_id}'`,
  )
  const isOver = async () => (await confirmationsOf(say)).length === 1
  while (!(await isOver())) await Bun.sleep(100)
  expect(await firingsOf(say, reflex_id)).toMatchObject([
    { state: 'waiting' },
    { state: 'skipped', error: 'Nobody decided in time' },
  ])
})

test('deleting an account takes all that automation keeps of it, while it is at work', async () => {
  const { restartable, user, say } = await newcomer()
  await using _ = restartable
  const device = await newDevice(say)
  await newReflex(say, { action: { type: 'remember', content: '{{value}}' } })
  await newReflex(say, { confirm: true })
  await newReflex(say, { action: { ...NOTIFY, channel: 'chat' } })
  await newReflex(say, {
    trigger: { type: 'schedule', at: new Date(Date.now() + 60_000).toISOString() },
  })
  await Promise.all(Array.from({ length: 15 }, (_, n) => sendSignal(say, device, n)))
  const meanwhile = Array.from({ length: 5 }, () => [
    say('POST', '/api/senses/devices', { device_name: 'Late' }),
    say('POST', '/api/reflexes', { name: 'Late', trigger: { type: 'signal' }, action: NOTIFY }),
    say('POST', `/api/senses/devices/${device}/signals`, { signal_type: 'number', value: -1 }),
  ]).flat()
  const gone = await request(restartable.current, 'DELETE', '/api/auth/delete-account', {
    token: user.accessToken,
    body: { password: 'correct horse battery staple' },
  })
  expect(gone.status).toBe(200)
  for (const { status } of await Promise.all(meanwhile)) expect([201, 401, 404]).toContain(status)
  await restartable.current.stop()
  for (const table of ['reflexes', 'reflex_firings', 'sense_devices', 'sense_signals', 'intents'])
    expect(await runSql(restartable.database, `select * from ${table}`)).toEqual([])
  const jobs = `select data from jobs.job where data::text like '%${user.id}%'`
  expect(await runSql(restartable.database, jobs)).toEqual([])
})

test('what is over is kept for thirty days', async () => {
  const { restartable, say } = await newcomer()
  await using _ = restartable
  const device = await newDevice(say)
  const told = await newReflex(say)
  const asking = await newReflex(say, { confirm: true })
  await sendSignal(say, device, 1)
  await settledFirings(say, told.reflex_id)
  const [{ intent_id }] = await waitingConfirmations(say)
  await decide(say, intent_id, 'skip_once')
  await sendSignal(say, device, 2)
  const [open] = await waitingConfirmations(say)
  await settledFirings(say, told.reflex_id, 2)
  const aged = (table: string, column: string, key: string) =>
    `update ${table} set ${column} = now() - interval '31 days' where ${key}`
  await restartable.restart(
    aged('reflex_firings', 'created_at', `event->>'value' = '1'`),
    aged('sense_signals', 'received_at', `value = '1'`),
    aged('intents', 'created_at', `data->>'firing_id' <> '${open.firing_id}'`),
    // The hour strikes.
    `insert into jobs.job (name, data) values ('automation-prune', '{}')`,
  )
  const count = async (path: string) => (await say('GET', path)).body.length
  while ((await count(`/api/reflexes/${told.reflex_id}/firings`)) > 1) await Bun.sleep(100)
  while ((await count(`/api/senses/devices/${device}/signals`)) > 1) await Bun.sleep(100)
  expect(await firingsOf(say, asking.reflex_id)).toMatchObject([{ state: 'waiting' }])
  expect(await confirmationsOf(say)).toEqual([open])
  const noticed = () => count('/api/proactive/intents')
  while ((await noticed()) > 0) await Bun.sleep(100)
})
