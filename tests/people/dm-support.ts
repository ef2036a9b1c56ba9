import { request, type TestServer, type TestUser } from '../harness/server.ts'

/** A user with their username. */
export interface DmUser extends TestUser {
  username: string
}

export const dmUserOf = async (server: TestServer, user: TestUser): Promise<DmUser> => {
  const { body } = await request(server, 'GET', '/api/profile', { token: user.key })
  return { ...user, username: body.username }
}

export const call = (
  server: TestServer,
  user: TestUser,
  method: string,
  path = '',
  body?: unknown,
) =>
  request(server, method, `/api/dm/threads${path}`, {
    token: user.key,
    ...(body !== undefined && { body }),
  })

/** Starts the thread of two users. @returns its id. */
export const threadOf = async (server: TestServer, caller: TestUser, peer: DmUser) => {
  const { status, body } = await call(server, caller, 'POST', '', { username: peer.username })
  if (status !== 201) throw new Error(`starting a thread failed: ${status}`)
  return body.thread_id as string
}

export const messagesOf = async (
  server: TestServer,
  member: TestUser,
  thread: string,
  query = '',
) => (await call(server, member, 'GET', `/${thread}/messages${query}`)).body

export const send = async (
  server: TestServer,
  user: TestUser,
  thread: string,
  content: string,
  reply_to_message_id?: string,
) =>
  (await call(server, user, 'POST', `/${thread}/messages`, { content, reply_to_message_id })).body
