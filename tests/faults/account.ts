import { type Client, createClient } from '../../shared/client.ts'
import {
  createReflex,
  createSenseDevice,
  remember,
  sendSignal,
} from '../../shared/contract/index.ts'
import { runOn } from '../harness/cluster.ts'
import { newUser } from '../harness/server.ts'
import { type History, newHistory } from './history.ts'

/** A memory whose content only grows, by updates one after the other. */
export const REGISTER = 'register'
/** The tag of memories that state where the user lives. */
export const HOME = 'home'

/** A user of the deployment with a client for each web process, and what was acknowledged to them. */
export interface Account {
  clients: { client: Client; node: string }[]
  history: History
  registerId: string
  deviceId: string
  reflexId: string
}

/** Longer than a lock is waited for, shorter than the longest fault. */
const TIMEOUT_MS = 10_000

/**
 * Creates a user whose signals are sent to a webhook, and who uses these web processes. All processes are
 * healthy.
 */
export const newAccount = async (
  databaseUrl: string,
  webs: readonly { name: string; process: { url: string } }[],
): Promise<Account> => {
  const [web] = webs
  if (!web) throw new Error('no web process')
  const user = await newUser(web.process)
  await runOn(databaseUrl, `update users set email_verified = true where id = '${user.id}'`)
  const { client } = user
  const { memory_id } = await client.call(remember, {
    body: { content: 'Round 0', thread: REGISTER },
  })
  const { device_id } = await client.call(createSenseDevice, { body: { device_name: 'Gauge' } })
  const { reflex_id } = await client.call(createReflex, {
    body: {
      name: 'Report the gauge',
      trigger: { type: 'signal' },
      action: { type: 'webhook', channel: 'webhook', url: 'http://hooks.test/' },
    },
  })
  return {
    clients: webs.map(({ name, process }) => ({
      node: name,
      client: createClient({ baseUrl: process.url, credential: user.key, timeoutMs: TIMEOUT_MS }),
    })),
    history: newHistory(),
    registerId: memory_id,
    deviceId: device_id,
    reflexId: reflex_id,
  }
}

/** Sends a numbered signal. */
export const signal = (client: Client, deviceId: string, value: number) =>
  client.call(sendSignal, {
    params: { device_id: deviceId },
    body: { signal_type: 'number', value },
  })
