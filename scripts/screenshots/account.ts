import type { Account } from '../../bench/lib/server.ts'
import {
  chat,
  createInvite,
  createOrg,
  createReflex,
  createSenseDevice,
  createShare,
  getProfile,
  sendDirectMessage,
  sendEmail,
  sendSignal,
  startDirectThread,
} from '../../shared/contract/index.ts'
import { fillMemory } from './sample.ts'

const QUESTIONS = ['What does Ada drink?', 'How do I restart the heating?']

const fillChats = async ({ client }: Account) => {
  let session_id = ''
  for (const message of QUESTIONS) ({ session_id } = await client.call(chat, { body: { message } }))
  const { token } = await client.call(createShare, { body: { session_id } })
  return { session_id, token }
}

const fillAutomation = async ({ client }: Account): Promise<string> => {
  const { device_id } = await client.call(createSenseDevice, {
    body: { device_name: 'Greenhouse', capabilities: ['temperature'] },
  })
  const { reflex_id } = await client.call(createReflex, {
    body: {
      name: 'Frost warning',
      trigger: { type: 'signal', device_id },
      conditions: [{ op: 'lt', path: 'value', value: 3 }],
      action: { type: 'notify', channel: 'inbox', text: 'Only {{value}} °C in the greenhouse' },
    },
  })
  for (const value of [14.5, 9, 2.5])
    await client.call(sendSignal, { params: { device_id }, body: { signal_type: 'number', value } })
  return reflex_id
}

const fillPeople = async ({ client }: Account, peer: Account) => {
  const { id: org_id } = await client.call(createOrg, { body: { name: 'Studio Ribeira' } })
  await client.call(createInvite, { params: { org_id }, body: { email: 'carla@example.com' } })
  const { username } = await peer.client.call(getProfile)
  const { thread_id } = await client.call(startDirectThread, { body: { username } })
  const params = { thread_id }
  await client.call(sendDirectMessage, { params, body: { content: 'Shall we meet on Tuesday?' } })
  await peer.client.call(sendDirectMessage, { params, body: { content: 'Yes, at ten.' } })
  await client.call(sendEmail, {
    body: { to: ['notary@example.com'], subject: 'Appointment', text: 'May we come at ten?' },
  })
  return { org_id, thread_id }
}

/**
 * Fills an account as one that is used every day.
 * @param peer another verified account. @returns paths of places with content, and that of a shared chat.
 */
export const fillAccount = async (account: Account, peer: Account) => {
  const memory = await fillMemory(account)
  const { session_id, token } = await fillChats(account)
  const reflex = await fillAutomation(account)
  const { org_id, thread_id } = await fillPeople(account, peer)
  const places = [
    `/app/memories/${memory}`,
    '/app/memories?q=Where do we want to go, and how?',
    `/app/chat/${session_id}`,
    `/app/automation/reflexes/${reflex}`,
    `/app/people/organizations/${org_id}`,
    `/app/people/messages/${thread_id}`,
  ]
  return { places, shared: `/s/${token}` }
}
