import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import { remember, talkStream } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { ISO, UUID } from '../harness/http.ts'
import { says, stalls } from '../harness/model-server.ts'
import { newUser, request, startServer, type TestUser } from '../harness/server.ts'
import { eventsIn, namesOf, promptOf, textOf, useConversation } from './support.ts'

const suite = useConversation()

let user: TestUser
beforeAll(async () => {
  // Talk does not require a verified email.
  user = await newUser(suite.server)
})

const talk = (body: object, caller = user) => suite.post('/api/talk', body, caller)
const timeline = async (slug: string, member = user) =>
  (await suite.get(`/api/agents/${slug}/timeline`, member)).body
const systemOf = () => suite.model.calls.at(-1)?.body.messages[0].content

describe('a talk', () => {
  test('a talk returns the agent, the completion, the memories and the time', async () => {
    const { status, body } = await talk({ message: 'Good morning.' })
    expect([status, body]).toEqual([
      200,
      { agent_slug: 'default', icog_response: 'Hello.', memories: [], created_at: ISO },
    ])
    expect((await timeline('default')).entries).toMatchObject([
      { type: 'exchange', agent_message: 'Good morning.', icog_response: 'Hello.' },
    ])
  })

  test('a talk accepts every field, and null for each nullable one', async () => {
    const full = {
      message: 'All of it',
      agent_slug: null,
      current_task: null,
      scope_mode: 'all',
      proposed_self_definition: null,
      proposed_mandate: null,
      proposed_boundaries: null,
      proposed_agent_type: null,
      unknown: 'ignored',
    }
    for (const path of ['/api/talk', '/api/talk/stream'])
      expect((await suite.post(path, full, user)).status).toBe(200)
  })

  test('a talk rejects each invalid field with 422 and its location', async () => {
    const bad: [object, unknown[], string][] = [
      [{}, ['message'], 'missing'],
      [{ message: 1 }, ['message'], 'string_type'],
      [{ message: '' }, ['message'], 'string_too_short'],
      [{ message: ' ' }, ['message'], 'string_pattern_mismatch'],
      [{ message: 'x'.repeat(32_001) }, ['message'], 'string_too_long'],
      [{ message: 'x', agent_slug: '../x' }, ['agent_slug'], 'string_pattern_mismatch'],
      [{ message: 'x', agent_slug: 1 }, ['agent_slug'], 'string_type'],
      [{ message: 'x', current_task: 1 }, ['current_task'], 'string_type'],
      [{ message: 'x', scope_mode: 'galaxy' }, ['scope_mode'], 'literal_error'],
      [{ message: 'x', proposed_self_definition: 1 }, ['proposed_self_definition'], 'string_type'],
      [{ message: 'x', proposed_mandate: [] }, ['proposed_mandate'], 'string_type'],
      [{ message: 'x', proposed_boundaries: 'none' }, ['proposed_boundaries'], 'list_type'],
      [{ message: 'x', proposed_boundaries: [1] }, ['proposed_boundaries', 0], 'string_type'],
      [{ message: 'x', proposed_agent_type: 1 }, ['proposed_agent_type'], 'string_type'],
    ]
    for (const path of ['/api/talk', '/api/talk/stream'])
      for (const [body, loc, type] of bad) {
        const answer = await suite.post(path, body, user)
        expect([answer.status, answer.body.detail]).toEqual([
          422,
          [{ loc: ['body', ...loc], type, msg: expect.any(String) }],
        ])
      }
    expect(suite.model.calls).toHaveLength(0)
  })

  test('a talk has the earlier exchanges and the current task in its prompt', async () => {
    await talk({ message: 'The build is red.', agent_slug: 'builder' })
    await talk({
      message: 'It is green again.',
      agent_slug: 'builder',
      current_task: 'Fix the build',
    })
    const [, ...messages] = suite.model.calls.at(-1)?.body.messages ?? []
    expect(messages).toMatchObject([
      { role: 'user', content: 'The build is red.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: expect.stringContaining('(Working on: Fix the build)') },
    ])
  })
})

describe('without a model', () => {
  test('earlier messages are recalled and quoted like all memories', async () => {
    await using server = await startServer()
    const user = await newUser(server)
    const chat = async (message: string) =>
      (await request(server, 'POST', '/api/talk', { token: user.key, body: { message } })).body
    await chat('The release is on Friday.')
    const { icog_response, memories } = await chat('When is the release?')
    expect(icog_response).toContain('> The release is on Friday.')
    expect(memories).toMatchObject([{ content_text: 'The release is on Friday.' }])
  })
})

describe('an agent', () => {
  const first = {
    message: 'I am here.',
    agent_slug: 'scribe',
    proposed_self_definition: 'A careful writer of minutes.',
    proposed_mandate: 'Write the minutes.',
    proposed_boundaries: ['Never invent a decision.'],
    proposed_agent_type: 'writer',
  }

  test('an agent is created by its first talk; later proposals wait until they are accepted', async () => {
    await talk(first)
    const created = (await suite.get('/api/agents/scribe', user)).body
    expect(created).toMatchObject({
      slug: 'scribe',
      self_definition: 'A careful writer of minutes.',
      mandate: 'Write the minutes.',
      boundaries: ['Never invent a decision.'],
      agent_type: 'writer',
      proposal: null,
      exchange_count: 1,
    })
    for (const line of [
      'A careful writer of minutes.',
      'Write the minutes.',
      'Never invent a decision.',
    ])
      expect(systemOf()).toContain(line)

    await talk({
      message: 'I want more.',
      agent_slug: 'scribe',
      proposed_mandate: 'Rule the world.',
    })
    expect(systemOf()).toContain('Write the minutes.')
    expect(systemOf()).not.toContain('Rule the world.')
    const waiting = (await suite.get('/api/agents/scribe', user)).body
    expect(waiting.proposal).toMatchObject({ mandate: 'Rule the world.' })
    await request(suite.server, 'PATCH', '/api/agents/scribe', {
      token: user.key,
      body: { accept: true },
    })
    await talk({ message: 'And now?', agent_slug: 'scribe' })
    expect(systemOf()).toContain('Rule the world.')
  })

  test('an agent is the author of the statements that are remembered', async () => {
    const caller = await newUser(suite.server)
    await talk({ message: 'The deploy of Tuesday failed.', agent_slug: 'deployer' }, caller)
    await talk({ message: 'Did the deploy fail?', agent_slug: 'deployer' }, caller)
    expect((await suite.get('/api/memories', caller)).body.memories).toMatchObject([
      {
        content_text: 'The deploy of Tuesday failed.',
        memory_type: 'semantic',
        thread: 'agent:deployer',
        author: 'deployer',
        agent_slug: 'deployer',
        source: { kind: 'chat' },
      },
    ])
  })
})

describe('the scope', () => {
  test('the scope selects the memories that are recalled, the agent’s first', async () => {
    const user = await newUser(suite.server)
    const keep = (content: string, agent_slug: string | null) =>
      user.client.call(remember, { body: { content, agent_slug } })
    await keep('The orchard has forty trees, said the owner of the orchard.', null)
    await keep('An orchard.', 'gardener')
    await keep('Another orchard.', 'other')
    const found = async (scope_mode: string | undefined) => {
      const { body } = await talk(
        { message: 'What of the orchard?', agent_slug: 'gardener', scope_mode },
        user,
      )
      return body.memories.map((memory: { agent_slug: string | null }) => memory.agent_slug)
    }
    expect(await found(undefined)).toEqual(['gardener', null])
    expect(await found('tiered')).toEqual(['gardener', null])
    expect(await found('agent')).toEqual(['gardener'])
    expect(await found('personal')).toEqual([null])
    expect(await found('org')).toEqual([])
    expect(new Set(await found('all'))).toEqual(new Set(['gardener', 'other', null]))
    const { data } = promptOf(suite.model.calls.at(-1))
    expect(data).toContain('An orchard.')
  })
})

describe('a stream', () => {
  test('a stream sends start, memories, one delta for each piece, and done with the exchange', async () => {
    suite.model.next(says(['One ', 'two.'], { prompt_tokens: 5, completion_tokens: 2 }))
    const path = `/api/talk/stream?token=${user.accessToken}`
    const { status, text } = await request(suite.server, 'POST', path, {
      body: { message: 'Count, please.', agent_slug: 'counter' },
    })
    const events = eventsIn(text) as { event: string; data: unknown }[]
    expect([status, namesOf(eventsIn(text))]).toEqual([
      200,
      ['start', 'memories', 'delta', 'delta', 'done'],
    ])
    const start = events[0]?.data as Record<string, unknown>
    expect(start).toEqual({
      agent_slug: 'counter',
      message_id: UUID,
      provider: 'openai',
      model: 'a-model',
    })
    expect(events.at(-1)?.data).toEqual({
      exchange: {
        id: start.message_id,
        agent_slug: 'counter',
        agent_message: 'Count, please.',
        icog_response: 'One two.',
        memories: [],
        created_at: ISO,
      },
      usage: { input_tokens: 5, output_tokens: 2, estimated: false },
    })
    expect(textOf(eventsIn(text))).toBe('One two.')
    expect((await timeline('counter')).entries[0].icog_response).toBe('One two.')
  })

  test('a stream sends the memories before the model is asked, if progress is requested', async () => {
    const path = `/api/talk/stream?progress=true&token=${user.accessToken}`
    const body = { message: 'Count, please.', agent_slug: 'early' }
    const answered = await request(suite.server, 'POST', path, { body })
    expect(namesOf(eventsIn(answered.text)).slice(0, 3)).toEqual(['memories', 'start', 'delta'])
    const invalid = await request(suite.server, 'POST', `${path}&progress=maybe`, { body })
    expect(invalid.status).toBe(422)
  })

  test('a stream aborts the model when the client disconnects and stores the partial completion', async () => {
    suite.model.next(stalls('Half a'))
    const client = createClient({ baseUrl: suite.server.url, credential: user.key })
    const events = await client.call(talkStream, {
      body: { message: 'Say something long.', agent_slug: 'leaver' },
    })
    for await (const { event } of events) if (event === 'delta') break
    await (await suite.model.nextCall()).disconnected
    const entry = await eventually(async () => (await timeline('leaver')).entries[0])
    expect(entry.icog_response).toBe('Half a')
  })
})
