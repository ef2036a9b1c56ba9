import { beforeEach, describe, expect, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { ISO, newVerifiedUser, UUID } from '../harness/http.ts'
import { request, type TestUser, useSharedServer } from '../harness/server.ts'
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

const server = useSharedServer()
let user: TestUser
let device: string
beforeEach(async () => {
  user = await newVerifiedUser(server.current)
  device = await newDevice(call)
})
const call = apiCaller(
  () => server.current,
  () => user,
)

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const states = (firings: { state: string }[]) => firings.map(({ state }) => state)
const memories = async (): Promise<string[]> =>
  (await call('GET', '/api/memories')).body.memories.map(
    ({ content_text }: { content_text: string }) => content_text,
  )

/** A reflex that needs confirmation to remember. */
const newAsking = () =>
  newReflex(call, {
    name: 'Keep it?',
    confirm: true,
    action: { type: 'remember', content: 'It was {{value}}.' },
  })

describe('confirmations', () => {
  test('a firing waits for confirmation and previews its action', async () => {
    const { reflex_id } = await newAsking()
    await sendSignal(call, device, 5)
    const [pending] = await waitingConfirmations(call)
    expect(pending).toEqual({
      intent_id: UUID,
      reflex_id,
      reflex_name: 'Keep it?',
      firing_id: UUID,
      text: 'Remember: It was 5.',
      event: {
        type: 'signal',
        signal_id: UUID,
        device_id: device,
        device_name: 'Greenhouse',
        signal_type: 'number',
        value: 5,
        occurred_at: ISO,
      },
      created_at: ISO,
      expires_at: ISO,
    })
    expect(Date.parse(pending.expires_at) - Date.parse(pending.created_at)).toBe(
      7 * 24 * 3600 * 1000,
    )
    expect(states(await firingsOf(call, reflex_id))).toEqual(['waiting'])
    expect(await memories()).toEqual([])
  })

  test('a decision fires or skips; repeating it is no error and another one is 409', async () => {
    const { reflex_id } = await newAsking()
    await sendSignal(call, device, 1)
    await sendSignal(call, device, 2)
    const confirmations = await waitingConfirmations(call, 2)
    const byText = (text: string) =>
      confirmations.find((each: { text: string }) => each.text === text)?.intent_id
    const [one, two] = [byText('Remember: It was 1.'), byText('Remember: It was 2.')]
    for (const [id, decision, others] of [
      [one, 'fire', ['skip_once', 'skip_always']],
      [two, 'skip_once', ['fire', 'skip_always']],
    ] as const) {
      for (let again = 0; again < 2; again++) {
        const { status, body } = await decide(call, id, decision)
        expect([status, body]).toEqual([200, {}])
      }
      for (const other of others) {
        const { status, body } = await decide(call, id, other)
        expect([status, body]).toEqual([
          409,
          { detail: `The confirmation was already decided: ${decision}` },
        ])
      }
    }
    await settledFirings(call, reflex_id, 2)
    expect(states(await firingsOf(call, reflex_id)).toSorted()).toEqual(['done', 'skipped'])
    expect(await memories()).toEqual(['It was 1.'])
    expect(await confirmationsOf(call)).toEqual([])
    expect((await call('GET', `/api/reflexes/${reflex_id}`)).body.skip_always).toBe(false)
  })

  test('one of several concurrent decisions wins', async () => {
    const { reflex_id } = await newAsking()
    await sendSignal(call, device, 1)
    const [{ intent_id }] = await waitingConfirmations(call)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        const decision = n % 2 ? 'fire' : 'skip_once'
        return decide(call, intent_id, decision).then(({ status }) => ({ decision, status }))
      }),
    )
    const won = new Set(
      answers.filter(({ status }) => status === 200).map(({ decision }) => decision),
    )
    expect(won.size).toBe(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    const [firing] = await settledFirings(call, reflex_id)
    expect(firing.state).toBe(won.has('fire') ? 'done' : 'skipped')
    expect(await memories()).toEqual(won.has('fire') ? ['It was 1.'] : [])
  })

  test('skip_always closes the open confirmations and stops the reflex', async () => {
    const { reflex_id } = await newAsking()
    for (const value of [1, 2, 3]) await sendSignal(call, device, value)
    const [first, ...others] = await waitingConfirmations(call, 3)
    await decide(call, first.intent_id, 'skip_always')
    expect(await confirmationsOf(call)).toEqual([])
    expect((await decide(call, others[0].intent_id, 'fire')).status).toBe(409)
    expect((await call('GET', `/api/reflexes/${reflex_id}`)).body).toMatchObject({
      skip_always: true,
      enabled: true,
    })
    await sendSignal(call, device, 4)
    expect(states(await firingsOf(call, reflex_id))).toEqual(['skipped', 'skipped', 'skipped'])
    await call('PATCH', `/api/reflexes/${reflex_id}`, { skip_always: false })
    await sendSignal(call, device, 5)
    expect(await waitingConfirmations(call)).toHaveLength(1)
    expect(await memories()).toEqual([])
  })

  test('changing or deleting a reflex closes its confirmations', async () => {
    const changed = await newAsking()
    const deleted = await newAsking()
    await sendSignal(call, device, 1)
    const waiting = await waitingConfirmations(call, 2)
    const path = `/api/reflexes/${changed.reflex_id}`
    await call('PATCH', path, { name: 'The same', enabled: false })
    expect(await confirmationsOf(call)).toHaveLength(2)
    await call('PATCH', path, { action: { type: 'remember', content: 'Something else.' } })
    await call('DELETE', `/api/reflexes/${deleted.reflex_id}`)
    expect(await confirmationsOf(call)).toEqual([])
    for (const { intent_id } of waiting) {
      const { status, body } = await decide(call, intent_id, 'fire')
      expect([status, body]).toEqual([409, { detail: 'The confirmation is no longer open' }])
    }
    expect(await firingsOf(call, changed.reflex_id)).toMatchObject([
      { state: 'skipped', error: 'The reflex was changed before you decided' },
    ])
    expect(await memories()).toEqual([])
  })

  test('a reflex has at most fifty open confirmations', async () => {
    const { reflex_id } = await newAsking()
    for (let sent = 0; sent < 52; sent += 4)
      await Promise.all([0, 1, 2, 3].map((n) => sendSignal(call, device, sent + n)))
    const firings = await eventually(async () => {
      const { body } = await call('GET', `/api/reflexes/${reflex_id}/firings?limit=100`)
      return !states(body).includes('pending') && body
    })
    const limited = firings.filter(({ state }: { state: string }) => state === 'limited')
    expect(limited.map(({ error }: { error: string }) => error)).toEqual(
      Array(2).fill('50 other firings wait for your confirmation'),
    )
    expect(states(firings).filter((state) => state === 'waiting')).toHaveLength(50)
  })

  test('confirmations are listed in pages, newest first', async () => {
    await newAsking()
    for (const value of [1, 2, 3]) await sendSignal(call, device, value)
    const all = await waitingConfirmations(call, 3)
    const path = '/api/reflexes/confirmations'
    const ids = (rows: { intent_id: string }[]) => rows.map(({ intent_id }) => intent_id)
    expect(ids(all)).toEqual(ids(all).toSorted().toReversed())
    const first = (await call('GET', `${path}?limit=2`)).body
    const rest = (await call('GET', `${path}?limit=2&before=${first[1].intent_id}`)).body
    expect([...first, ...rest]).toEqual(all)
    expect((await call('GET', `${path}?before=${NO_ID}`)).status).toBe(404)
    for (const query of ['limit=0', 'limit=101', 'before=x'])
      expect((await call('GET', `${path}?${query}`)).status).toBe(422)
  })
})

test('another user neither sees nor decides a confirmation', async () => {
  const other = await newVerifiedUser(server.current)
  const callOther = apiCaller(
    () => server.current,
    () => other,
  )
  await newAsking()
  await sendSignal(call, device, 1)
  const [{ intent_id }] = await waitingConfirmations(call)
  for (const id of [intent_id, NO_ID]) {
    const { status, body } = await decide(callOther, id, 'fire')
    expect([status, body]).toEqual([404, { detail: 'Confirmation not found' }])
  }
  expect(await confirmationsOf(callOther)).toEqual([])
  expect(await confirmationsOf(call)).toHaveLength(1)
})

test('an unknown decision or an invalid id is 422', async () => {
  const path = (id: string) => `/api/reflexes/confirmations/${id}/decision`
  for (const [id, body, loc, type] of [
    [NO_ID, {}, ['body', 'decision'], 'missing'],
    [NO_ID, { decision: 'maybe' }, ['body', 'decision'], 'literal_error'],
    [NO_ID, { decision: null }, ['body', 'decision'], 'literal_error'],
    ['no-id', { decision: 'fire' }, ['path', 'intent_id'], 'uuid_parsing'],
  ] as const) {
    const answer = await call('POST', path(id), body)
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      [{ loc: [...loc], msg: expect.any(String), type }],
    ])
  }
  const anonymous = await request(server.current, 'POST', path(NO_ID), {
    body: { decision: 'fire' },
  })
  expect(anonymous.status).toBe(401)
})
