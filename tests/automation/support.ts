import { expect } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { type RequestOptions, request, type TestServer, type TestUser } from '../harness/server.ts'

type Server = Pick<TestServer, 'url'>

/** Sends requests with the API key of a user. */
export const apiCaller =
  (server: () => Server, user: () => Pick<TestUser, 'key'>) =>
  (method: string, path: string, body?: unknown) => {
    const options: RequestOptions = { token: user().key, ...(body !== undefined && { body }) }
    return request(server(), method, path, options)
  }
export type CallApi = ReturnType<typeof apiCaller>

export const newDevice = async (callApi: CallApi, device_name = 'Greenhouse'): Promise<string> => {
  const { status, body } = await callApi('POST', '/api/senses/devices', { device_name })
  expect(status).toBe(201)
  return body.device_id
}

export const NOTIFY = { type: 'notify', channel: 'inbox', text: 'It happened' }

/** Creates a reflex that notifies the inbox of every signal, with overrides. */
export const newReflex = async (callApi: CallApi, input: object = {}) => {
  const { status, body } = await callApi('POST', '/api/reflexes', {
    name: 'Watch',
    trigger: { type: 'signal' },
    action: NOTIFY,
    ...input,
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const sendSignal = async (
  callApi: CallApi,
  deviceId: string,
  value: unknown,
  more: object = {},
) => {
  const { status, body } = await callApi('POST', `/api/senses/devices/${deviceId}/signals`, {
    signal_type: 'number',
    value,
    ...more,
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

export const firingsOf = async (callApi: CallApi, reflexId: string) =>
  (await callApi('GET', `/api/reflexes/${reflexId}/firings`)).body

/** The firings of a reflex, once there are `count` and none is pending. */
export const settledFirings = (callApi: CallApi, reflexId: string, count = 1) =>
  eventually(async () => {
    const firings: { state: string }[] = await firingsOf(callApi, reflexId)
    const isSettled = firings.every(({ state }) => state !== 'pending')
    return firings.length >= count && isSettled && firings
  }) as Promise<Awaited<ReturnType<typeof firingsOf>>>

export const confirmationsOf = async (callApi: CallApi) =>
  (await callApi('GET', '/api/reflexes/confirmations')).body

/** The open confirmations, once there are `count`. */
export const waitingConfirmations = (callApi: CallApi, count = 1) =>
  eventually(async () => {
    const open = await confirmationsOf(callApi)
    return open.length >= count && open
  })

export const decide = (callApi: CallApi, intentId: string, decision: string) =>
  callApi('POST', `/api/reflexes/confirmations/${intentId}/decision`, { decision })
