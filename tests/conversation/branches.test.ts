import { describe, expect, test } from 'bun:test'
import { BRANCH_LIMIT } from '../../server/conversation/chat-sessions/session-store.ts'
import { newVerifiedUser, runSql, UUID } from '../harness/http.ts'
import { calls, fails, says } from '../harness/model-server.ts'
import { request, startServer } from '../harness/server.ts'
import { promptOf, useConversation } from './support.ts'

const suite = useConversation({ SVC_DEFAULT_TIER: 'conscious' }, { namesChats: true })
const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

type Person = typeof suite.user

const send = async (who: Person, message: string, more: object = {}) =>
  (await suite.post('/api/chat', { message, ...more }, who)).body
const messagesOf = async (who: Person, session: string, query = '') =>
  (await suite.get(`/api/sessions/${session}/messages${query}`, who)).body
const contentsOf = (messages: { content: string }[]) => messages.map(({ content }) => content)
const branch = (who: Person, session: string, body: object) =>
  suite.post(`/api/sessions/${session}/branch`, body, who)

/** A chat about a bicycle, with two questions. */
const withChat = async () => {
  const user = await suite.newUser()
  suite.model.next(says('A green one.'))
  const { session_id } = await send(user, 'My bicycle is green. Which one do I have?')
  suite.model.next(says('At home.'))
  await send(user, 'Where is it?', { session_id })
  return { user, session_id, messages: await messagesOf(user, session_id) }
}

describe('a branch of a chat', () => {
  test('a branch copies the messages up to one, and both go on separately', async () => {
    const { user, session_id, messages } = await withChat()
    const { status, body } = await branch(user, session_id, { message_id: messages[1].id })
    expect(status).toBe(201)
    const original = (await suite.get(`/api/sessions/${session_id}`, user)).body
    expect(body).toEqual({
      ...original,
      id: UUID,
      message_count: 2,
      last_message_preview: 'A green one.',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const copies = await messagesOf(user, body.id)
    expect(contentsOf(copies)).toEqual(contentsOf(messages.slice(0, 2)))
    expect(copies[1].reply_to).toBe(copies[0].id)
    expect(copies.map(({ id }: { id: string }) => id)).not.toContain(messages[0].id)

    suite.model.next(says('In the garden.'))
    await send(user, 'Where was it yesterday?', { session_id: body.id })
    const sent = suite.model.calls.at(-1)?.body.messages ?? []
    expect(contentsOf(sent.slice(1))).toEqual([
      'My bicycle is green. Which one do I have?',
      'A green one.',
      'Where was it yesterday?',
    ])
    expect(contentsOf(await messagesOf(user, session_id))).toEqual(contentsOf(messages))
    expect(contentsOf(await messagesOf(user, body.id)).at(-1)).toBe('In the garden.')

    const again = await branch(user, body.id, { message_id: copies[1].id })
    expect(contentsOf(await messagesOf(user, again.body.id))).toEqual(contentsOf(copies))
  })

  test('a branch without its message ends before it, and may be empty', async () => {
    const { user, session_id, messages } = await withChat()
    const before = await branch(user, session_id, {
      message_id: messages[2].id,
      is_included: false,
    })
    expect(contentsOf(await messagesOf(user, before.body.id))).toHaveLength(2)
    const empty = await branch(user, session_id, {
      message_id: messages[0].id,
      is_included: false,
    })
    expect(empty.body).toMatchObject({ message_count: 0, last_message_preview: null })
    await send(user, 'My bicycle is red.', { session_id: empty.body.id })
    expect((await suite.get(`/api/sessions/${empty.body.id}`, user)).body.title).toBe(
      'My bicycle is red.',
    )
  })

  test('a branch stays when the first chat is deleted, and is in its category', async () => {
    const { user, session_id, messages } = await withChat()
    const category = (await suite.post('/api/sessions/categories', { name: 'Rides' }, user)).body
    await request(suite.server, 'PUT', `/api/sessions/${session_id}/move`, {
      token: user.key,
      body: { category_id: category.id },
    })
    const { body } = await branch(user, session_id, { message_id: messages[3].id })
    expect(body.category_name).toBe('Rides')
    await request(suite.server, 'DELETE', `/api/sessions/${session_id}`, { token: user.key })
    expect(contentsOf(await messagesOf(user, body.id))).toEqual(contentsOf(messages))
  })

  test('a branch of messages that do not exist or are of others is not made', async () => {
    const { user, session_id, messages } = await withChat()
    const other = await suite.newUser()
    const message_id = messages[0].id
    expect((await branch(other, session_id, { message_id })).status).toBe(404)
    expect((await branch(user, NO_ID, { message_id })).status).toBe(404)
    expect((await branch(user, session_id, { message_id: NO_ID })).status).toBe(404)
    for (const body of [{}, { message_id: 'x' }, { message_id, is_included: 'yes' }])
      expect((await branch(user, session_id, body)).status).toBe(422)
  })

  test('branches are limited in number, also by requests at once', async () => {
    const { user, session_id, messages } = await withChat()
    const missing = 3
    await runSql(
      suite.server.database,
      `insert into chat_sessions (user_id, session_id, branched_from)
      select '${user.id}', gen_random_uuid(), '${session_id}' from generate_series(1, ${BRANCH_LIMIT.max - missing})`,
    )
    const answers = await Promise.all(
      Array.from({ length: missing + 3 }, () =>
        branch(user, session_id, { message_id: messages[0].id }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409])
  })

  test('a branch does not recall its own messages as memories', async () => {
    const { user, session_id, messages } = await withChat()
    const { body } = await branch(user, session_id, { message_id: messages[3].id })
    const { memories } = await send(user, 'Which colour has my bicycle?', { session_id: body.id })
    expect(memories).toEqual([])
    const other = await send(user, 'Which colour has my bicycle?')
    expect(
      contentsOf(
        other.memories.map(({ content_text }: { content_text: string }) => ({
          content: content_text,
        })),
      ),
    ).toContain('My bicycle is green. Which one do I have?')
  })

  test('a regenerated answer in a branch does not recall its question as a memory', async () => {
    const { user, session_id, messages } = await withChat()
    const { body } = await branch(user, session_id, { message_id: messages[1].id })
    const question = messages[0].content
    await suite.post('/api/chat/regenerate', { message: question, session_id: body.id }, user)
    const sent = JSON.stringify(suite.model.calls.at(-1)?.body.messages)
    expect(sent.split(question)).toHaveLength(2)
  })
})

describe('the title of a chat', () => {
  const name = (who: Person, session: string) =>
    suite.post(`/api/sessions/${session}/title`, {}, who)

  test('a title is given by a model, once, and never over one of the user', async () => {
    const { user, session_id } = await withChat()
    suite.model.next(says('"The Green Bicycle."\nIt is green.'))
    const { status, body } = await name(user, session_id)
    expect([status, body.title]).toEqual([200, 'The Green Bicycle'])
    const { text } = promptOf(suite.model.calls.at(-1))
    expect(text).toContain('A green one.')
    const count = suite.model.calls.length
    expect((await name(user, session_id)).body.title).toBe('The Green Bicycle')
    expect(suite.model.calls).toHaveLength(count)

    const other = await withChat()
    await request(suite.server, 'PATCH', `/api/sessions/${other.session_id}`, {
      token: other.user.key,
      body: { title: 'Mine' },
    })
    expect((await name(other.user, other.session_id)).body.title).toBe('Mine')
  })

  test('a title stays where the model fails, says nothing, or the chat is empty', async () => {
    const { user, session_id } = await withChat()
    const title = 'My bicycle is green. Which one do I have?'
    suite.model.next(fails(400))
    expect((await name(user, session_id)).body.title).toBe(title)
    suite.model.next(says(' "." '))
    expect((await name(user, session_id)).body.title).toBe(title)
    suite.model.next(says('x'.repeat(5_000)))
    expect((await name(user, session_id)).body.title.length).toBeLessThanOrEqual(80)
    const empty = (await suite.post('/api/sessions', {}, user)).body
    expect((await name(user, empty.id)).body.title).toBe('New chat')
    expect((await name(await suite.newUser(), session_id)).status).toBe(404)
  })
})

test('titles are asked for at most 60 times an hour', async () => {
  const { user, session_id } = await withChat()
  suite.model.always(says('.'))
  const ask = async () => (await suite.post(`/api/sessions/${session_id}/title`, {}, user)).status
  for (let i = 0; i < 60; i++) expect(await ask()).toBe(200)
  expect(await ask()).toBe(429)
  // Another user has a limit of their own.
  const other = await withChat()
  expect((await suite.post(`/api/sessions/${other.session_id}/title`, {}, other.user)).status).toBe(
    200,
  )
})

describe('the messages of a chat', () => {
  test('messages are found by a text in any case, with its signs as they are', async () => {
    const { user, session_id } = await withChat()
    const found = async (q: string) =>
      contentsOf(await messagesOf(user, session_id, `?${new URLSearchParams({ q })}`))
    expect(await found('GREEN')).toEqual([
      'My bicycle is green. Which one do I have?',
      'A green one.',
    ])
    expect(await found('%')).toEqual([])
    expect(await found('home.')).toEqual(['At home.'])
    expect((await suite.get(`/api/sessions/${session_id}/messages?q=`, user)).status).toBe(422)
  })
})

describe('the context of an answer', () => {
  const contextOf = (who: Person, session: string, message: string) =>
    suite.get(`/api/sessions/${session}/messages/${message}/context`, who)

  test('a context has the parts of the prompt, and the memories as they are now', async () => {
    const user = await suite.newUser()
    await request(suite.server, 'PUT', '/api/auth/instructions', {
      token: user.accessToken,
      body: { instructions: 'Call me Ada.' },
    })
    const tea = (await suite.post('/api/remember', { content: 'I drink green tea.' }, user)).body
    suite.model.next(calls(['recall', { query: 'tea' }]), says('Tea.'))
    const { session_id, message } = await send(user, 'What do I drink?', { tools: ['recall'] })
    const { body } = await contextOf(user, session_id, message.id)
    expect(body).toMatchObject({
      instructions: 'Call me Ada.',
      tools: ['recall'],
      memories_found: 1,
      memories_given: 1,
      messages_given: 0,
      messages_left_out: 0,
      memories: [{ memory_id: tea.memory_id, content_text: 'I drink green tea.' }],
    })
    const { images, attachments, history, ...used } = body.tokens
    expect([images, attachments, history]).toEqual([0, 0, 0])
    for (const tokens of Object.values(used)) expect(tokens).toBeGreaterThan(0)
    const sum = Object.values<number>(body.tokens).reduce((all, tokens) => all + tokens, 0)
    expect(sum).toBeLessThan(body.window)

    await request(suite.server, 'DELETE', `/api/memories/${tea.memory_id}?permanent=true`, {
      token: user.key,
    })
    const after = await contextOf(user, session_id, message.id)
    expect(after.body.memories).toEqual([])
    expect(after.text).not.toContain('green tea')
  })

  test('a context is there for answers of a model only, and for their user', async () => {
    const { user, session_id, messages } = await withChat()
    expect((await contextOf(user, session_id, messages[1].id)).status).toBe(200)
    expect((await contextOf(user, session_id, messages[0].id)).status).toBe(404)
    expect((await contextOf(user, session_id, NO_ID)).status).toBe(404)
    expect((await contextOf(await suite.newUser(), session_id, messages[1].id)).status).toBe(404)
    const local = await send(user, 'Which bicycle?', { provider: 'local' })
    expect((await contextOf(user, local.session_id, local.message.id)).status).toBe(404)
  })
})

test('the models that can answer are listed, and none where none is configured', async () => {
  expect((await suite.get('/api/chat/models')).body.models).toEqual([
    { provider: 'openai', model: 'a-model', is_available: true },
    { provider: 'local', model: null, is_available: true },
  ])
  await using bare = await startServer()
  const { key } = await newVerifiedUser(bare)
  const { body } = await request(bare, 'GET', '/api/chat/models', { token: key })
  expect(body.models).toEqual([{ provider: 'local', model: null, is_available: true }])
})
