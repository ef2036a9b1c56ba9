import { describe, expect, test } from 'bun:test'
import { remember } from '../../shared/contract/index.ts'
import { ISO, UUID } from '../harness/http.ts'
import { fails, says, stalls } from '../harness/model-server.ts'
import { newUser } from '../harness/server.ts'
import { eventsIn, promptOf, textOf, useConversation } from './support.ts'

// This tier allows every depth.
const suite = useConversation({ SVC_DEFAULT_TIER: 'conscious' })
const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const PICTURE = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`

const sendChat = async (body: object, user = suite.user) =>
  (await suite.post('/api/chat', body, user)).body
const messagesOf = async (sessionId: string, caller = suite.user) =>
  (await suite.get(`/api/sessions/${sessionId}/messages`, caller)).body
const memoriesOf = async (member: typeof suite.user) =>
  (await suite.get('/api/memories?limit=100', member)).body.memories
const lastContent = () => suite.model.calls.at(-1)?.body.messages.at(-1).content

describe('a chat', () => {
  test('a chat returns the session, the message and the memories with every field', async () => {
    suite.model.next(says(['Good ', 'day.'], { prompt_tokens: 30, completion_tokens: 3 }))
    const { status, body } = await suite.post('/api/chat', { message: 'Hello there' })
    expect([status, body]).toEqual([
      200,
      {
        session_id: UUID,
        message: {
          id: UUID,
          session_id: body.session_id,
          role: 'assistant',
          content: 'Good day.',
          content_blocks: [],
          file_ids: [],
          url_snapshot_hash: null,
          reply_to: UUID,
          provider: 'openai',
          model: 'a-model',
          usage: { input_tokens: 30, output_tokens: 3, estimated: false },
          memories: [],
          is_partial: false,
          versions: [],
          created_at: ISO,
        },
        memories: [],
      },
    ])
    const [question, answer] = await messagesOf(body.session_id)
    expect(question).toMatchObject({ role: 'user', content: 'Hello there', id: answer.reply_to })
    expect(answer).toEqual(body.message)
  })

  test('a chat continues a session, and the model receives its history', async () => {
    const { session_id } = await sendChat({ message: 'My bicycle is green.' })
    suite.model.next(says('Green.'))
    const again = await sendChat({ message: 'Which colour is it?', session_id })
    expect(again.session_id).toBe(session_id)
    expect(suite.model.calls.at(-1)?.body.messages.slice(1)).toEqual([
      { role: 'user', content: 'My bicycle is green.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: expect.stringMatching(/Which colour is it\?$/) },
    ])
    expect((await messagesOf(session_id)).map((m: { content: string }) => m.content)).toEqual([
      'My bicycle is green.',
      'Hello.',
      'Which colour is it?',
      'Green.',
    ])
    const session = (await suite.get(`/api/sessions/${session_id}`)).body
    expect(session).toMatchObject({
      title: 'My bicycle is green.',
      provider: 'openai',
      model: 'a-model',
      message_count: 4,
      unread: false,
    })
  })

  test('a chat accepts every field, and null for each nullable one', async () => {
    const full = {
      message: 'All of it',
      provider: 'openai',
      session_id: null,
      file_ids: [],
      content_blocks: [{ type: 'text', text: 'More of it' }],
      tools: ['recall', 'no_such_tool'],
      url_snapshot_hash: null,
      deep: true,
      depth: null,
      existing_reflex_id: null,
      geo_lat: 38.72,
      geo_lon: -9.14,
      unknown: 'ignored',
    }
    const { status, body } = await suite.post('/api/chat', full)
    expect([status, body.message.content]).toEqual([200, 'Hello.'])
    const call = suite.model.calls.at(-1)
    expect(call?.body.messages[0].content).toContain('latitude 38.72, longitude -9.14')
    expect(lastContent()).toContain('All of it\n\nMore of it')
    expect(
      call?.body.tools.map((tool: { function: { name: string } }) => tool.function.name),
    ).toEqual(['recall'])
  })

  test('a chat rejects each invalid field with 422 and its location', async () => {
    const bad: [object, unknown[], string][] = [
      [{}, ['message'], 'missing'],
      [{ message: 1 }, ['message'], 'string_type'],
      [{ message: '' }, ['message'], 'string_too_short'],
      [{ message: ' \n' }, ['message'], 'string_too_short'],
      [{ message: 'x'.repeat(32_001) }, ['message'], 'string_too_long'],
      [{ message: 'x', provider: 1 }, ['provider'], 'string_type'],
      [{ message: 'x', session_id: 1 }, ['session_id'], 'string_type'],
      [{ message: 'x', file_ids: 'x' }, ['file_ids'], 'list_type'],
      [{ message: 'x', file_ids: [1] }, ['file_ids', 0], 'string_type'],
      [{ message: 'x', tools: 'x' }, ['tools'], 'list_type'],
      [{ message: 'x', content_blocks: {} }, ['content_blocks'], 'list_type'],
      [{ message: 'x', content_blocks: [{}] }, ['content_blocks', 0, 'type'], 'missing'],
      [
        { message: 'x', content_blocks: [{ type: 'video' }] },
        ['content_blocks', 0, 'type'],
        'literal_error',
      ],
      [
        { message: 'x', content_blocks: [{ type: 'text' }] },
        ['content_blocks', 0, 'text'],
        'missing',
      ],
      [
        { message: 'x', content_blocks: [{ type: 'file' }] },
        ['content_blocks', 0, 'file_id'],
        'missing',
      ],
      [
        {
          message: 'x',
          content_blocks: [{ type: 'image_url', image_url: { url: 'http://10.0.0.1/x.png' } }],
        },
        ['content_blocks', 0, 'image_url', 'url'],
        'url_parsing',
      ],
      [{ message: 'x', url_snapshot_hash: 1 }, ['url_snapshot_hash'], 'string_type'],
      [{ message: 'x', deep: 'very' }, ['deep'], 'bool_type'],
      [{ message: 'x', depth: 'bottomless' }, ['depth'], 'literal_error'],
      [{ message: 'x', existing_reflex_id: 1 }, ['existing_reflex_id'], 'string_type'],
      [{ message: 'x', geo_lat: 91 }, ['geo_lat'], 'less_than_equal'],
      [{ message: 'x', geo_lon: 'west' }, ['geo_lon'], 'float_type'],
    ]
    for (const path of ['/api/chat', '/api/chat/stream', '/api/chat/regenerate'])
      for (const [body, loc, type] of bad) {
        const session = path.endsWith('regenerate') && !('session_id' in body)
        const sent = session ? { session_id: NO_ID, ...body } : body
        const answer = await suite.post(path, sent)
        expect([path, answer.status, answer.body.detail]).toEqual([
          path,
          422,
          [{ loc: ['body', ...loc], type, msg: expect.any(String) }],
        ])
      }
    expect(suite.model.calls).toHaveLength(0)
  })

  test('a chat is 404 for a session, file or page that does not exist or is another user’s', async () => {
    const other = await suite.newUser()
    const { session_id } = await sendChat({ message: 'Mine' }, other)
    const missing: [object, string][] = [
      [{ session_id }, 'Session not found'],
      [{ session_id: NO_ID }, 'Session not found'],
      [{ session_id: 'no id' }, 'Session not found'],
      [{ file_ids: [NO_ID] }, 'File not found'],
      [{ file_ids: ['no id'] }, 'File not found'],
      [{ content_blocks: [{ type: 'file', file_id: NO_ID }] }, 'File not found'],
      [{ url_snapshot_hash: 'none' }, 'Page not found'],
    ]
    const before = (await suite.get('/api/sessions')).body.length
    for (const path of ['/api/chat', '/api/chat/stream'])
      for (const [fields, detail] of missing) {
        const { status, body } = await suite.post(path, { message: 'x', ...fields })
        expect([status, body]).toEqual([404, { detail }])
      }
    // No session was created.
    expect((await suite.get('/api/sessions')).body).toHaveLength(before)
  })
})

describe('attachments', () => {
  const upload = async (name: string, content: string | Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.set('file', new File([content], name))
    const response = await fetch(`${suite.server.url}/api/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${suite.user.key}` },
      body: form,
    })
    return ((await response.json()) as { id: string }).id
  }

  test('the text of a file is in the prompt of its message and of later ones', async () => {
    const file = await upload('plan.txt', 'The launch is on the ninth of June.')
    const { session_id } = await sendChat({ message: 'Read this', file_ids: [file] })
    expect(promptOf(suite.model.calls.at(-1)).data).toContain(
      '<file name="plan.txt" type="text/plain">\nThe launch is on the ninth of June.\n</file>',
    )
    await sendChat({ message: 'And when is it again?', session_id })
    expect(promptOf(suite.model.calls.at(-1)).data).toContain('ninth of June')
    await suite.post('/api/chat', {
      message: '',
      content_blocks: [{ type: 'file', file_id: file }],
    })
    expect(promptOf(suite.model.calls.at(-1)).data).toContain('ninth of June')
    expect((await messagesOf(session_id))[0].file_ids).toEqual([file])
  })

  test('an image is sent as bytes, in later prompts too', async () => {
    const block = { type: 'image_url', image_url: { url: PICTURE } }
    const { session_id } = await sendChat({ message: 'What is it?', content_blocks: [block] })
    const sent = { type: 'image_url', image_url: { url: PICTURE } }
    expect(lastContent()).toEqual([{ type: 'text', text: 'What is it?' }, sent])
    await sendChat({ message: 'And now?', session_id })
    expect(suite.model.calls.at(-1)?.body.messages[1].content).toContainEqual(sent)
  })

  test('the text of a stored page is in the prompt of the message that has its hash', async () => {
    const host = suite.web.site(() => new Response('The museum opens at ten.'))
    const page = (await suite.post('/api/url', { url: `http://${host}/` })).body
    const { session_id } = await sendChat({
      message: 'When does it open?',
      url_snapshot_hash: page.snapshot_hash,
    })
    expect(promptOf(suite.model.calls.at(-1)).data).toContain('The museum opens at ten.')
    const [question] = await messagesOf(session_id)
    expect(question.url_snapshot_hash).toBe(page.snapshot_hash)
  })
})

describe('URLs in a message', () => {
  const prefer = (key: string, value: string, user: typeof suite.user) =>
    fetch(`${suite.server.url}/api/preferences/${key}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ value }),
    })
  const site = () => {
    let visits = 0
    const host = suite.web.site(() => {
      visits++
      return new Response('Tickets cost twelve euros.')
    })
    return { url: `http://${host}/prices`, visits: () => visits }
  }

  test('URLs in a message are proposed and not fetched by default', async () => {
    const { url, visits } = site()
    const { text } = await suite.post('/api/chat/stream', { message: `See ${url}.` })
    expect(eventsIn(text)).toContainEqual({
      event: 'tool',
      data: { name: 'fetch_url', id: 'url_1', state: 'proposed', input: { url } },
    })
    expect(visits()).toBe(0)
  })

  test('URLs in a message are fetched where the preference is always, and remembered where that is on', async () => {
    const caller = await suite.newUser()
    await prefer('auto_fetch_urls', 'always', caller)
    const { url, visits } = site()
    const { text } = await suite.post('/api/chat/stream', { message: `What costs ${url}?` }, caller)
    expect(eventsIn(text)).toContainEqual({
      event: 'tool',
      data: { name: 'fetch_url', id: 'url_1', state: 'done', input: { url } },
    })
    expect(promptOf(suite.model.calls.at(-1)).data).toContain('Tickets cost twelve euros.')
    expect(await memoriesOf(caller)).toEqual([])
    await prefer('auto_learn_urls', 'on', caller)
    await sendChat({ message: `What costs ${url}?` }, caller)
    expect(await memoriesOf(caller)).toMatchObject([
      {
        content_text: 'Tickets cost twelve euros.',
        thread: `url:${url}`,
        source: { kind: 'page', ref: url },
      },
    ])
    expect(visits()).toBe(2)
  })

  test('URLs in a message that cannot be fetched do not prevent the answer', async () => {
    const member = await suite.newUser()
    await prefer('auto_fetch_urls', 'always', member)
    const url = 'http://127.0.0.1/admin'
    const { text } = await suite.post('/api/chat/stream', { message: `Look at ${url}` }, member)
    expect(textOf(eventsIn(text))).toBe('Hello.')
    expect(eventsIn(text)).toContainEqual({
      event: 'tool',
      data: { name: 'fetch_url', id: 'url_1', state: 'failed', input: { url } },
    })
    await prefer('auto_fetch_urls', 'never', member)
    const quiet = await suite.post('/api/chat/stream', { message: `Look at ${url}` }, member)
    expect(quiet.text).not.toContain('event: tool')
  })
})

describe('a chat remembers', () => {
  test('a chat remembers no request, and the local answer does not confirm one', async () => {
    const user = await suite.newUser()
    for (const message of [
      'Please summarise what I told you about the trip to Lisbon.',
      'Summarise my week.',
    ]) {
      const { message: answer } = await sendChat({ message, provider: 'local' }, user)
      expect(answer).toMatchObject({ provider: 'local' })
      expect(answer.content).not.toContain('What you said is remembered')
    }
    expect(await memoriesOf(user)).toEqual([])
    await sendChat(
      { message: 'Please remember that I am allergic to nuts.', provider: 'local' },
      user,
    )
    expect(await memoriesOf(user)).toHaveLength(1)
  })

  test('a chat remembers a statement of the user as its author, in the thread of the session', async () => {
    const caller = await suite.newUser()
    const { session_id } = await sendChat({ message: 'I moved to Lisbon in May.' }, caller)
    const [question] = await messagesOf(session_id, caller)
    const me = (await suite.get('/api/me', caller)).body
    expect(await memoriesOf(caller)).toMatchObject([
      {
        content_text: 'I moved to Lisbon in May.',
        memory_type: 'episodic',
        thread: `session:${session_id}`,
        author: me.display_name,
        source: { kind: 'chat', ref: question.id },
      },
    ])
  })

  test('a chat remembers a repeated statement once', async () => {
    const member = await suite.newUser()
    for (let i = 0; i < 3; i++) await sendChat({ message: 'My locker number is 4711.' }, member)
    expect(await memoriesOf(member)).toHaveLength(1)
  })

  test('a chat remembers neither questions nor answers that repeat memories', async () => {
    const who = await suite.newUser()
    await who.client.call(remember, { body: { content: 'The spare key is under the blue pot.' } })
    suite.model.always(says('The spare key is under the blue pot, as you told me before.'))
    for (let i = 0; i < 3; i++) await sendChat({ message: 'Where is the spare key?' }, who)
    for (const message of ['where is the spare key', 'Tell me where the spare key is', 'Thanks!'])
      await sendChat({ message }, who)
    expect(await memoriesOf(who)).toHaveLength(1)
  })

  test('a chat remembers an answer with new information, once', async () => {
    const who = await suite.newUser()
    const plan =
      'Saturday: climb the castle hill, taste custard tarts, wander through Alfama, hear fado singing after dinner.'
    suite.model.always(says(plan))
    const first = await sendChat({ message: 'Plan a weekend for us.' }, who)
    const learned = (await memoriesOf(who)).find(
      (memory: { author: string }) => memory.author === 'svc',
    )
    expect(learned).toMatchObject({
      content_text: plan,
      memory_type: 'episodic',
      thread: `session:${first.session_id}`,
      source: { kind: 'answer', ref: first.message.id },
    })
    // The second answer recalls the first and adds nothing to it.
    const again = await sendChat({ message: 'What was the plan for Saturday in Alfama?' }, who)
    expect(again.memories.map((m: { memory_id: string }) => m.memory_id)).toContain(
      learned.memory_id,
    )
    expect(
      (await memoriesOf(who)).filter((memory: { author: string }) => memory.author === 'svc'),
    ).toHaveLength(1)
  })

  test('a chat remembers messages of a session, which its own prompts do not recall again', async () => {
    const who = await suite.newUser()
    const { session_id } = await sendChat({ message: 'The boiler was serviced in October.' }, who)
    const same = await sendChat({ message: 'When was the boiler serviced?', session_id }, who)
    expect(same.memories).toEqual([])
    const other = await sendChat({ message: 'When was the boiler serviced?' }, who)
    expect(other.memories).toMatchObject([{ content_text: 'The boiler was serviced in October.' }])
  })
})

describe('a regenerated answer', () => {
  const again = (session_id: string, message = 'Again', headers = {}) =>
    suite.post('/api/chat/regenerate', { message, session_id }, suite.user, headers)

  test('a regenerated answer replaces the last one, which becomes a version', async () => {
    suite.model.next(says('One.'), says('Two.'), says('Three.'))
    const { session_id, message } = await sendChat({ message: 'Count for me' })
    for (let i = 0; i < 2; i++) {
      const { status, body } = await again(session_id, 'Count for me')
      expect([status, body]).toEqual([200, null])
    }
    const messages = await messagesOf(session_id)
    expect(messages).toHaveLength(2)
    expect(messages[1]).toMatchObject({
      id: message.id,
      content: 'Three.',
      versions: [{ content: 'One.' }, { content: 'Two.' }],
    })
    // The prompt does not contain the replaced answer.
    expect(suite.model.calls.at(-1)?.body.messages).toHaveLength(2)
  })

  test('a regenerated answer keeps the attachments of the question where null is sent as page hash', async () => {
    const block = { type: 'image_url', image_url: { url: PICTURE } }
    const { session_id } = await sendChat({
      message: 'What is it?',
      content_blocks: [block],
      url_snapshot_hash: null,
    })
    const body = { session_id, message: 'What is it?', url_snapshot_hash: null }
    expect((await suite.post('/api/chat/regenerate', body)).status).toBe(200)
    expect(lastContent()).toEqual([{ type: 'text', text: 'What is it?' }, block])
  })

  test('a regenerated answer with an empty page hash is 404 and keeps the answer', async () => {
    const { session_id, message } = await sendChat({ message: 'What is it?' })
    const body = { session_id, message: 'What is it?', url_snapshot_hash: '' }
    const { status, body: answer } = await suite.post('/api/chat/regenerate', body)
    expect([status, answer]).toEqual([404, { detail: 'Page not found' }])
    expect((await messagesOf(session_id)).at(-1)?.id).toBe(message.id)
  })

  test('a regenerated answer is streamed where the client accepts text/event-stream', async () => {
    const { session_id, message } = await sendChat({ message: 'Say it' })
    suite.model.next(says(['A ', 'new ', 'one.']))
    const { headers, text } = await again(session_id, 'Say it', { accept: 'text/event-stream' })
    expect(headers.get('content-type')).toBe('text/event-stream')
    const events = eventsIn(text)
    expect(events[0]).toMatchObject({
      event: 'start',
      data: { session_id, message_id: message.id },
    })
    expect(textOf(events)).toBe('A new one.')
    expect(events.at(-1)).toMatchObject({
      event: 'done',
      data: { message: { content: 'A new one.', versions: [{ content: 'Hello.' }] } },
    })
  })

  test('a regenerated answer is 404 for an unknown session and 409 for one without a question', async () => {
    expect((await again(NO_ID)).status).toBe(404)
    const { id } = (await suite.post('/api/sessions', {})).body
    const { status, body } = await again(id)
    expect([status, typeof body.detail]).toEqual([409, 'string'])
    const missing = await suite.post('/api/chat/regenerate', { message: 'x' })
    expect([missing.status, missing.body.detail[0].loc]).toEqual([422, ['body', 'session_id']])
  })

  test('a regenerated answer supersedes the memory of the replaced one', async () => {
    const user = await suite.newUser()
    const first =
      'Monday swimming, Tuesday chess, Wednesday pottery, Thursday orchestra, Friday archery.'
    const second =
      'Painting mornings, gardening afternoons, astronomy evenings, sailing weekends, baking sometimes.'
    suite.model.next(says(first), says(second))
    const { session_id } = await sendChat({ message: 'Suggest hobbies to us.' }, user)
    await suite.post(
      '/api/chat/regenerate',
      { session_id, message: 'Suggest hobbies to us.' },
      user,
    )
    const answers = (await memoriesOf(user)).filter((m: { author: string }) => m.author === 'svc')
    expect(answers.filter((m: { superseded_by: unknown }) => !m.superseded_by)).toMatchObject([
      { content_text: second },
    ])
  })
})

describe('a user with an unverified email', () => {
  test('a user with an unverified email is 403 for chat and may use talk', async () => {
    const newcomer = await newUser(suite.server)
    for (const path of ['/api/chat', '/api/chat/stream', '/api/chat/regenerate']) {
      const { status, body } = await suite.post(path, { message: 'Hi' }, newcomer)
      expect([status, body.detail.error]).toEqual([403, 'email_not_verified'])
    }
    expect((await suite.post('/api/talk', { message: 'Hi' }, newcomer)).status).toBe(200)
  })
})

describe('a model that fails', () => {
  test('a model that fails is replaced by a local answer that says so', async () => {
    const user = await suite.newUser()
    await user.client.call(remember, { body: { content: 'The wifi password is on the fridge.' } })
    suite.model.always(fails(500))
    const { message } = await sendChat({ message: 'What is the wifi password?' }, user)
    expect(message).toMatchObject({ provider: 'local', model: null, is_partial: false })
    expect(message.content).toContain('No model could answer just now')
    expect(message.content).toContain('> The wifi password is on the fridge.')
    expect(await memoriesOf(user)).toHaveLength(1)
    // A success resets the breaker.
    suite.model.reset()
    await sendChat({ message: 'And now?' }, user)
  })

  test('a model that never answers is aborted when the client disconnects', async () => {
    suite.model.always(stalls())
    const abort = new AbortController()
    const answered = fetch(`${suite.server.url}/api/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${suite.user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Are you there?' }),
      signal: abort.signal,
    }).catch(() => 'aborted')
    const call = await suite.model.nextCall()
    abort.abort()
    await call.disconnected
    expect(await answered).toBe('aborted')
  })
})
