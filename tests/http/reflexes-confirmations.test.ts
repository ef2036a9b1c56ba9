import { beforeEach, describe, expect, test } from 'bun:test'
import { request, type TestUser, useServer } from '../harness/server.ts'
import {
  confirmationsOf,
  decide,
  eventually,
  firingsOf,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
  speaker,
  waitingConfirmations,
} from './automation-support.ts'
import { ISO, newVerifiedUser, UUID } from './support.ts'

const server = useServer()
let user: TestUser
let device: string
beforeEach(async () => {
  user = await newVerifiedUser(server.current)
  device = await newDevice(say)
})
const say = speaker(
  () => server.current,
  () => user,
)

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const states = (firings: { state: string }[]) => firings.map(({ state }) => state)
const memories = async (): Promise<string[]> =>
  (await say('GET', '/api/memories')).body.memories.map(
    ({ content_text }: { content_text: string }) => content_text,
  )

/** A reflex that asks before it remembers. */
const newAsking = () =>
  newReflex(say, {
    name: 'Keep it?',
    confirm: true,
    action: { type: 'remember', content: 'It was {{value}}.' },
  })

describe('a reflex that asks', () => {
  test('waits, and says what it would do', async () => {
    const { reflex_id } = await newAsking()
    await sendSignal(say, device, 5)
    const [asked] = await waitingConfirmations(say)
    expect(asked).toEqual({
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
    expect(Date.parse(asked.expires_at) - Date.parse(asked.created_at)).toBe(7 * 24 * 3600 * 1000)
    expect(states(await firingsOf(say, reflex_id))).toEqual(['waiting'])
    expect(await memories()).toEqual([])
  })

  test('fires, or skips this once, as it was decided; the same again is no error, another is 409', async () => {
    const { reflex_id } = await newAsking()
    await sendSignal(say, device, 1)
    await sendSignal(say, device, 2)
    const asked = await waitingConfirmations(say, 2)
    const byText = (text: string) =>
      asked.find((each: { text: string }) => each.text === text)?.intent_id
    const [one, two] = [byText('Remember: It was 1.'), byText('Remember: It was 2.')]
    for (const [id, decision, others] of [
      [one, 'fire', ['skip_once', 'skip_always']],
      [two, 'skip_once', ['fire', 'skip_always']],
    ] as const) {
      for (let again = 0; again < 2; again++) {
        const { status, body } = await decide(say, id, decision)
        expect([status, body]).toEqual([200, {}])
      }
      for (const other of others) {
        const { status, body } = await decide(say, id, other)
        expect([status, body]).toEqual([409, { detail: `This was decided before: ${decision}` }])
      }
    }
    await settledFirings(say, reflex_id, 2)
    expect(states(await firingsOf(say, reflex_id)).toSorted()).toEqual(['done', 'skipped'])
    expect(await memories()).toEqual(['It was 1.'])
    expect(await confirmationsOf(say)).toEqual([])
    expect((await say('GET', `/api/reflexes/${reflex_id}`)).body.skip_always).toBe(false)
  })

  test('heeds one of many decisions at once', async () => {
    const { reflex_id } = await newAsking()
    await sendSignal(say, device, 1)
    const [{ intent_id }] = await waitingConfirmations(say)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        const decision = n % 2 ? 'fire' : 'skip_once'
        return decide(say, intent_id, decision).then(({ status }) => ({ decision, status }))
      }),
    )
    const won = new Set(
      answers.filter(({ status }) => status === 200).map(({ decision }) => decision),
    )
    expect(won.size).toBe(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    const [firing] = await settledFirings(say, reflex_id)
    expect(firing.state).toBe(won.has('fire') ? 'done' : 'skipped')
    expect(await memories()).toEqual(won.has('fire') ? ['It was 1.'] : [])
  })

  test('skips always: what else it asks is closed, and it neither asks nor fires', async () => {
    const { reflex_id } = await newAsking()
    for (const value of [1, 2, 3]) await sendSignal(say, device, value)
    const [first, ...others] = await waitingConfirmations(say, 3)
    await decide(say, first.intent_id, 'skip_always')
    expect(await confirmationsOf(say)).toEqual([])
    expect((await decide(say, others[0].intent_id, 'fire')).status).toBe(409)
    expect((await say('GET', `/api/reflexes/${reflex_id}`)).body).toMatchObject({
      skip_always: true,
      enabled: true,
    })
    await sendSignal(say, device, 4)
    expect(states(await firingsOf(say, reflex_id))).toEqual(['skipped', 'skipped', 'skipped'])
    await say('PATCH', `/api/reflexes/${reflex_id}`, { skip_always: false })
    await sendSignal(say, device, 5)
    expect(await waitingConfirmations(say)).toHaveLength(1)
    expect(await memories()).toEqual([])
  })

  test('asks no more about what it was before a change, or once it is gone', async () => {
    const changed = await newAsking()
    const deleted = await newAsking()
    await sendSignal(say, device, 1)
    const asked = await waitingConfirmations(say, 2)
    const path = `/api/reflexes/${changed.reflex_id}`
    await say('PATCH', path, { name: 'The same', enabled: false })
    expect(await confirmationsOf(say)).toHaveLength(2)
    await say('PATCH', path, { action: { type: 'remember', content: 'Something else.' } })
    await say('DELETE', `/api/reflexes/${deleted.reflex_id}`)
    expect(await confirmationsOf(say)).toEqual([])
    for (const { intent_id } of asked) {
      const { status, body } = await decide(say, intent_id, 'fire')
      expect([status, body]).toEqual([409, { detail: 'There is nothing to decide any more' }])
    }
    expect(await firingsOf(say, changed.reflex_id)).toMatchObject([
      { state: 'skipped', error: 'The reflex was changed before you decided' },
    ])
    expect(await memories()).toEqual([])
  })

  test('asks about fifty at a time at most', async () => {
    const { reflex_id } = await newAsking()
    await Promise.all(Array.from({ length: 52 }, (_, n) => sendSignal(say, device, n)))
    const firings = await eventually(async () => {
      const { body } = await say('GET', `/api/reflexes/${reflex_id}/firings?limit=100`)
      return !states(body).includes('pending') && body
    })
    const limited = firings.filter(({ state }: { state: string }) => state === 'limited')
    expect(limited.map(({ error }: { error: string }) => error)).toEqual(
      Array(2).fill('50 others wait for your word'),
    )
    expect(states(firings).filter((state) => state === 'waiting')).toHaveLength(50)
  })

  test('is listed in pages, newest first', async () => {
    await newAsking()
    for (const value of [1, 2, 3]) await sendSignal(say, device, value)
    const all = await waitingConfirmations(say, 3)
    const path = '/api/reflexes/confirmations'
    const ids = (rows: { intent_id: string }[]) => rows.map(({ intent_id }) => intent_id)
    expect(ids(all)).toEqual(ids(all).toSorted().toReversed())
    const first = (await say('GET', `${path}?limit=2`)).body
    const rest = (await say('GET', `${path}?limit=2&before=${first[1].intent_id}`)).body
    expect([...first, ...rest]).toEqual(all)
    expect((await say('GET', `${path}?before=${NO_ID}`)).status).toBe(404)
    for (const query of ['limit=0', 'limit=101', 'before=x'])
      expect((await say('GET', `${path}?${query}`)).status).toBe(422)
  })
})

test('nobody else decides, or sees what is asked', async () => {
  const other = await newVerifiedUser(server.current)
  const sayOther = speaker(
    () => server.current,
    () => other,
  )
  await newAsking()
  await sendSignal(say, device, 1)
  const [{ intent_id }] = await waitingConfirmations(say)
  for (const id of [intent_id, NO_ID]) {
    const { status, body } = await decide(sayOther, id, 'fire')
    expect([status, body]).toEqual([404, { detail: 'Confirmation not found' }])
  }
  expect(await confirmationsOf(sayOther)).toEqual([])
  expect(await confirmationsOf(say)).toHaveLength(1)
})

test('a decision has to be one of three, on an id that is one', async () => {
  const path = (id: string) => `/api/reflexes/confirmations/${id}/decision`
  for (const [id, body, loc, type] of [
    [NO_ID, {}, ['body', 'decision'], 'missing'],
    [NO_ID, { decision: 'maybe' }, ['body', 'decision'], 'literal_error'],
    [NO_ID, { decision: null }, ['body', 'decision'], 'literal_error'],
    ['no-id', { decision: 'fire' }, ['path', 'intent_id'], 'uuid_parsing'],
  ] as const) {
    const answer = await say('POST', path(id), body)
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      [{ loc: [...loc], msg: expect.any(String), type }],
    ])
  }
  const stranger = await request(server.current, 'POST', path(NO_ID), {
    body: { decision: 'fire' },
  })
  expect(stranger.status).toBe(401)
})
