import { newVerifiedUser } from '../harness/http.ts'
import { request } from '../harness/server.ts'
import { withPasskey } from './passkeys.ts'
import type { Sender } from './world.ts'

/** Creates a row and returns its id, for the path parameter or field of that name. */
type Create = (sender: Sender) => Promise<string>

/** A file as a form of `multipart/form-data`. */
export const formOf = (content: string | Uint8Array<ArrayBuffer>, type: string, name: string) => {
  const form = new FormData()
  form.set('file', new Blob([content], { type }), name)
  return form
}

const uploadFile: Create = async ({ server, user }) => {
  const response = await fetch(new URL('/api/files', server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${user.key}` },
    body: formOf('Ada likes tea.', 'text/plain', 'notes.txt'),
  })
  return ((await response.json()) as { id: string }).id
}

const startThread: Create = async ({ world, send }) => {
  const peer = await newVerifiedUser(world.server)
  const profile = await request(world.server, 'GET', '/api/profile', { token: peer.key })
  const { username } = profile.body
  return (await send('POST', '/api/dm/threads', { username })).thread_id
}

const sendEmail: Create = async ({ send }) => {
  await send('POST', '/api/email/send', { to: ['grace@example.com'], subject: 'Hello', text: 'Hi' })
  return (await send('GET', '/api/email/threads')).threads[0].thread_id
}

/** A chat session with one question and its answer. */
export const startChat: Create = async ({ send }) =>
  (await send('POST', '/api/chat', { message: 'I moved to Lisbon in May.' })).session_id

export const createOrg: Create = async ({ send }) =>
  (await send('POST', '/api/orgs', { name: 'Analytics' })).id

const newPerson: Create = async ({ server }) => (await newVerifiedUser(server)).id

const ofPath: [prefix: string, fixtures: Record<string, Create>][] = [
  ['/api/email/', { thread_id: sendEmail }],
  ['/api/dm/', { thread_id: startThread }],
  [
    '/api/auth/sessions/',
    { session_id: async ({ send }) => (await send('GET', '/api/auth/sessions'))[0].id },
  ],
  ['/api/admin/', { user_id: newPerson }],
]

const fixtures: Record<string, Create> = {
  memory_id: async ({ send }) =>
    (await send('POST', '/api/remember', { content: 'Ada likes tea.' })).memory_id,
  session_id: startChat,
  category_id: async ({ send }) =>
    (await send('POST', '/api/sessions/categories', { name: 'Work' })).id,
  device_id: async ({ send }) =>
    (await send('POST', '/api/senses/devices', { device_name: 'Greenhouse' })).device_id,
  reflex_id: async ({ send }) =>
    (
      await send('POST', '/api/reflexes', {
        name: 'Too hot',
        trigger: { type: 'signal' },
        action: { type: 'notify', channel: 'inbox', text: 'It is hot.' },
      })
    ).reflex_id,
  file_id: uploadFile,
  key_id: async ({ user }) => user.keyId,
  passkey_id: async (sender) => (await withPasskey(sender)).id,
  org_id: createOrg,
  slug: async ({ send }) =>
    (await send('POST', '/api/talk', { message: 'Hello', agent_slug: 'release-notes' })).agent_slug,
}

/** The function that creates the row for a parameter or field of an endpoint, if it names one. */
export const fixtureFor = (path: string, name: string): Create | undefined =>
  ofPath.find(([prefix, own]) => path.startsWith(prefix) && own[name])?.[1][name] ?? fixtures[name]
