import { expect } from 'bun:test'
import { type RequestOptions, request, type TestServer, type TestUser } from '../harness/server.ts'

type Server = Pick<TestServer, 'url'>

/** Looks again until it is so: what happens in the background is told by nobody. */
export const eventually = async <T>(look: () => Promise<T | undefined | false>): Promise<T> => {
  for (;;) {
    const seen = await look()
    if (seen) return seen
    await Bun.sleep(100)
  }
}

/** Speaks to a server as one person, with their key. */
export const speaker =
  (server: () => Server, who: () => Pick<TestUser, 'key'>) =>
  (method: string, path: string, body?: unknown) => {
    const options: RequestOptions = { token: who().key, ...(body !== undefined && { body }) }
    return request(server(), method, path, options)
  }
export type Speak = ReturnType<typeof speaker>

export const newDevice = async (say: Speak, device_name = 'Greenhouse'): Promise<string> => {
  const { status, body } = await say('POST', '/api/senses/devices', { device_name })
  expect(status).toBe(201)
  return body.device_id
}

export const NOTIFY = { type: 'notify', channel: 'inbox', text: 'It happened' }

/** A reflex on any signal that says so in the inbox, unless told otherwise. */
export const newReflex = async (say: Speak, given: object = {}) => {
  const { status, body } = await say('POST', '/api/reflexes', {
    name: 'Watch',
    trigger: { type: 'signal' },
    action: NOTIFY,
    ...given,
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const sendSignal = async (
  say: Speak,
  deviceId: string,
  value: unknown,
  more: object = {},
) => {
  const { status, body } = await say('POST', `/api/senses/devices/${deviceId}/signals`, {
    signal_type: 'number',
    value,
    ...more,
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const firingsOf = async (say: Speak, reflexId: string) =>
  (await say('GET', `/api/reflexes/${reflexId}/firings`)).body

/** The firings of a reflex once there are so many and none is left to be done. */
export const settledFirings = (say: Speak, reflexId: string, count = 1) =>
  eventually(async () => {
    const firings: { state: string }[] = await firingsOf(say, reflexId)
    const isSettled = firings.every(({ state }) => state !== 'pending')
    return firings.length >= count && isSettled && (firings as never)
  }) as Promise<Awaited<ReturnType<typeof firingsOf>>>

export const confirmationsOf = async (say: Speak) =>
  (await say('GET', '/api/reflexes/confirmations')).body

/** What waits for the person's word, once there is so much of it. */
export const waitingConfirmations = (say: Speak, count = 1) =>
  eventually(async () => {
    const open = await confirmationsOf(say)
    return open.length >= count && open
  })

export const decide = (say: Speak, intentId: string, decision: string) =>
  say('POST', `/api/reflexes/confirmations/${intentId}/decision`, { decision })
