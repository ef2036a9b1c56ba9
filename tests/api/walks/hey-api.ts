/** A client that @hey-api/openapi-ts generated. The test puts it beside this file. */
import {
  type ChatStreamResponse,
  chat,
  chatStream,
  createKey,
  deleteMemory,
  getMemory,
  listChatMessages,
  me,
  recall,
  remember,
  signUp,
} from './client'
import { client } from './client/client.gen'

const throwOnError = true

/** Walks through accounts, memory, chat and streams. @returns what the server answered. */
export const walk = async (
  baseUrl: string,
  { email, password }: { email: string; password: string },
  verify: () => Promise<void>,
) => {
  client.setConfig({ baseUrl })
  const taken = { email, password, confirm_password: password }
  const account = await signUp({ body: taken, throwOnError })
  const again = await signUp({ body: taken })
  client.setConfig({ auth: account.data.access_token })
  await verify()
  const { data: key } = await createKey({ body: { name: 'walk' }, throwOnError })
  client.setConfig({ auth: key.key })
  const { data: caller } = await me({ throwOnError })

  const { data: memory } = await remember({
    body: { content: 'Ada lives in Lisbon.' },
    throwOnError,
  })
  const path = { memory_id: memory.memory_id }
  const body = { query: 'Where does Ada live?' }
  const { data: recalled } = await recall({ body, throwOnError })

  const message = 'Where does Ada live?'
  const { data: answer } = await chat({ body: { message }, throwOnError })
  const events: ChatStreamResponse[] = []
  const { session_id } = answer
  const { stream } = await chatStream({
    body: { message, session_id },
    sseMaxRetryAttempts: 1,
    onSseEvent: (event) => events.push(event as unknown as ChatStreamResponse),
  })
  for await (const _ of stream);
  const { data: messages } = await listChatMessages({ path: { session_id }, throwOnError })

  await deleteMemory({ path, throwOnError })
  const missing = await getMemory({ path })
  return {
    conflict: again.error?.detail,
    credential: caller.credential,
    recalled: recalled.memories.map(({ content_text }) => content_text),
    events: events.map(({ event }) => event),
    streamed: events.flatMap((part) => (part.event === 'delta' ? part.data.text : [])).join(''),
    messages: messages.map(({ role, content }) => ({ role, content })),
    missing: missing.error?.detail,
  }
}
