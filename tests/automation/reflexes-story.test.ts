import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { newMailedUser, useServerWithMail } from '../harness/mail.ts'
import type { TestUser } from '../harness/server.ts'
import {
  apiCaller,
  confirmationsOf,
  decide,
  firingsOf,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
  waitingConfirmations,
} from './support.ts'

setDefaultTimeout(60_000)
const opened = useServerWithMail()
let user: TestUser
beforeAll(async () => {
  user = await newMailedUser(opened.server, opened.mailbox)
})
const call = apiCaller(
  () => opened.server,
  () => user,
)

test('a reflex on a sensor needs confirmation to email, and skip_always holds until it is reset', async () => {
  const device = await newDevice(call)
  const reflex = await newReflex(call, {
    name: 'Too hot',
    trigger: { type: 'signal', device_id: device, signal_type: 'readings' },
    conditions: [{ op: 'gt', path: 'value.temperature', value: 30 }],
    action: {
      type: 'notify',
      channel: 'email',
      title: '{{device_name}} is hot',
      text: 'It is {{value.temperature}} degrees.',
    },
    confirm: true,
  })
  const reading = (temperature: number) =>
    sendSignal(call, device, { temperature }, { signal_type: 'readings' })

  await reading(20)
  await reading(31.5)
  const [confirmation] = await waitingConfirmations(call)
  expect(confirmation).toMatchObject({
    reflex_id: reflex.reflex_id,
    reflex_name: 'Too hot',
    text: 'It is 31.5 degrees.',
    event: { type: 'signal', value: { temperature: 31.5 }, device_name: 'Greenhouse' },
  })
  expect(opened.mailbox.mails.filter(({ subject }) => subject.includes('hot'))).toEqual([])

  expect((await decide(call, confirmation.intent_id, 'fire')).body).toEqual({})
  const mail = await opened.mailbox.next(user.email, 'Greenhouse is hot')
  expect(mail.to).toEqual([user.email])
  expect(mail.headers.get('content-type')).toContain('text/plain')
  const [fired] = await settledFirings(call, reflex.reflex_id)
  expect(fired.state).toBe('done')

  await reading(40)
  const [again] = await waitingConfirmations(call)
  expect((await decide(call, again.intent_id, 'skip_always')).status).toBe(200)
  const path = `/api/reflexes/${reflex.reflex_id}`
  expect((await call('GET', path)).body).toMatchObject({ skip_always: true, enabled: true })
  await reading(41)
  expect(await confirmationsOf(call)).toEqual([])
  expect(
    (await firingsOf(call, reflex.reflex_id)).map(({ state }: { state: string }) => state),
  ).toEqual(['skipped', 'done'])

  expect((await call('PATCH', path, { skip_always: false })).body.skip_always).toBe(false)
  await reading(42)
  expect(await waitingConfirmations(call)).toHaveLength(1)
})
