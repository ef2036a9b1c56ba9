import { request, type TestServer, type TestUser } from '../harness/server.ts'

/** Somebody, with the name that others find them by. */
export interface Person extends TestUser {
  username: string
}

export const personOf = async (server: TestServer, user: TestUser): Promise<Person> => {
  const { body } = await request(server, 'GET', '/api/profile', { token: user.key })
  return { ...user, username: body.username }
}

export const call = (
  server: TestServer,
  who: TestUser,
  method: string,
  path = '',
  body?: unknown,
) =>
  request(server, method, `/api/dm/threads${path}`, {
    token: who.key,
    ...(body !== undefined && { body }),
  })

/** The id of the thread that somebody has with somebody. */
export const threadOf = async (server: TestServer, who: TestUser, peer: Person) => {
  const { status, body } = await call(server, who, 'POST', '', { username: peer.username })
  if (status !== 201) throw new Error(`no thread was begun: ${status}`)
  return body.thread_id as string
}

export const messagesOf = async (server: TestServer, who: TestUser, thread: string, query = '') =>
  (await call(server, who, 'GET', `/${thread}/messages${query}`)).body

export const send = async (
  server: TestServer,
  who: TestUser,
  thread: string,
  content: string,
  reply_to_message_id?: string,
) => (await call(server, who, 'POST', `/${thread}/messages`, { content, reply_to_message_id })).body
