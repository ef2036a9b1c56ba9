import { describe, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createOrgClient } from '../account/organization-support.ts'
import { signedInMachine } from '../cli/svc.ts'
import { useProxy } from '../conversation/proxy-support.ts'
import { eventually } from '../harness/eventually.ts'
import { write } from '../harness/facts.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { once, request, type TestUser } from '../harness/server.ts'
import { says } from '../harness/upstream.ts'
import { clientInfo, textOf } from '../mcp/client.ts'

const proxy = useProxy()
const server = {
  get current() {
    return proxy.server
  },
}
const organizations = createOrgClient(server)

/** Memories of the person alone, and one that the members of the organization share. */
const PERSONAL = ['My salary is 71,000 euros.', 'I live in Reykjavik.']
const SHARED = 'The salary of an engineer at Acme is 90,000 euros.'
const QUESTION = 'What is my salary?'

/** A credential, with the headers that choose its organization. */
interface Access {
  token: string
  headers: Record<string, string>
}

const send = (access: Access, method: string, path: string, body?: unknown) =>
  request(proxy.server, method, path, { ...access, ...(body !== undefined && { body }) })

/** The requests to the model since the last reset. */
const sentToModel = (): string => proxy.upstream.calls.map(({ text }) => text).join('\n')

/** Sends a request whose answer a model writes. @returns what the model was sent. */
const askModel = async (access: Access, path: string, body: object): Promise<string> => {
  const { status, text } = await send(access, 'POST', path, body)
  expect([path, status, status < 300 ? '' : text]).toEqual([path, status, ''])
  return `${sentToModel()}\n${text}`
}

const withMcp = async (access: Access, use: (client: Client) => Promise<unknown>) => {
  const client = new Client(clientInfo)
  const headers = { authorization: `Bearer ${access.token}`, ...access.headers }
  const url = new URL('/api/mcp', proxy.server.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  try {
    return JSON.stringify(await use(client))
  } finally {
    await client.close()
  }
}

const messages = [{ role: 'user', content: QUESTION }]
const talkAs = (scope_mode?: string) => (access: Access) =>
  askModel(access, '/api/talk', { message: QUESTION, agent_slug: 'scribe', scope_mode })
const mcpTool = (name: string, args: Record<string, unknown>) => (access: Access) =>
  withMcp(access, async (client) => textOf(await client.callTool({ name, arguments: args })))

/** Each way of memories into a model: it returns all that the model and the caller are given. */
const WAYS: Record<string, (access: Access) => Promise<string>> = {
  'the context of a prompt': async (access) =>
    (await send(access, 'POST', '/api/context', { query: QUESTION })).text,
  'the context of a new session': async (access) =>
    (
      await send(access, 'POST', '/api/context', {
        query: QUESTION,
        session: crypto.randomUUID(),
        project: 'acme/shop',
      })
    ).text,
  'a proxied chat completion': (access) =>
    askModel(access, '/api/openai/v1/chat/completions', { model: 'a-model', messages }),
  'a proxied stream': (access) =>
    askModel(access, '/api/openai/v1/chat/completions', {
      model: 'a-model',
      stream: true,
      messages,
    }),
  'a proxied response': (access) =>
    askModel(access, '/api/openai/v1/responses', { model: 'a-model', input: QUESTION }),
  'a proxied message': (access) =>
    askModel(access, '/api/anthropic/v1/messages', { model: 'a', max_tokens: 9, messages }),
  'the tokens of a proxied message': (access) =>
    askModel(access, '/api/anthropic/v1/messages/count_tokens', { model: 'a', messages }),
  'a chat': (access) => askModel(access, '/api/chat', { message: QUESTION }),
  'a streamed chat': (access) => askModel(access, '/api/chat/stream', { message: QUESTION }),
  'a chat answered without a model': (access) =>
    askModel(access, '/api/chat', { message: QUESTION, provider: 'local' }),
  'the tool of a chat': async (access) => {
    proxy.upstream.next(says('', { name: 'recall', args: { query: 'salary euros' } }))
    return askModel(access, '/api/chat', { message: 'Hello there.', tools: ['recall'] })
  },
  'a talk': talkAs(),
  'a talk of all scopes': talkAs('all'),
  'a talk of the personal scope': talkAs('personal'),
  suggestions: async (access) => {
    const { text } = await send(access, 'GET', '/api/suggest')
    return `${sentToModel()}\n${text}`
  },
  'the MCP tool recall': mcpTool('recall', { query: QUESTION }),
  'the MCP tool recall with a scope': mcpTool('recall', { query: QUESTION, scope: 'all' }),
  'the MCP tool recall as text': mcpTool('recall', {
    query: QUESTION,
    format: 'text',
    scope: 'personal',
  }),
  'the MCP tool talk': (access) =>
    mcpTool('talk', { message: QUESTION, scope_mode: 'all' })(access).then(
      (text) => `${sentToModel()}\n${text}`,
    ),
  'the MCP tool list': mcpTool('list', {}),
  'the MCP prompt answer_from_memory': (access) =>
    withMcp(access, (client) =>
      client.getPrompt({ name: 'answer_from_memory', arguments: { question: QUESTION } }),
    ),
  'the MCP resources': (access) => withMcp(access, (client) => client.listResources()),
  'a recall without a scope': async (access) =>
    (await send(access, 'POST', '/api/recall', { query: QUESTION })).text,
  'the graph': async (access) => (await send(access, 'GET', '/api/introspect/graph')).text,
}

/** A person with their own memory in an organization with its memory, and a colleague. */
const startWorld = async () => {
  const person = await newVerifiedUser(proxy.server)
  await write(person.client, ...PERSONAL)
  const org = await organizations.createOrg(person, 'Acme')
  const colleague = await organizations.join(person, org)
  const inOrg = { token: person.key, headers: { 'x-org-id': org.id } }
  await send(inOrg, 'POST', '/api/remember', { content: SHARED })
  const created = await send(
    { token: person.accessToken, headers: {} },
    'POST',
    '/api/auth/api-keys',
    {
      name: 'Acme',
      org_id: org.id,
    },
  )
  proxy.upstream.reset()
  return {
    person,
    org,
    colleague,
    access: {
      'their own memory': { token: person.key, headers: {} },
      'an organization': inOrg,
      'an organization with a session': { ...inOrg, token: person.accessToken },
      'an organization with a key of it': { token: created.body.key as string, headers: {} },
    },
  }
}

const inOrgOf = (user: TestUser, { id }: { id: string }): Access => ({
  token: user.key,
  headers: { 'x-org-id': id },
})

const READABLE = [
  ...['memories?limit=100&include_superseded=true', 'memories/export', 'memories/facets'],
  ...['memories/changes', 'captures', 'events?limit=100', 'introspect/graph'],
].map((path) => `/api/${path}`)

/** All that the members of an organization can read in it. */
const readableBy = async (access: Access): Promise<string> => {
  const texts = await Promise.all(
    READABLE.map(async (path) => {
      const headers = { authorization: `Bearer ${access.token}`, ...access.headers }
      const response = await fetch(new URL(path, proxy.server.url), { headers })
      expect([path, response.status]).toEqual([path, 200])
      return response.text()
    }),
  )
  return texts.join('\n')
}

const SALARY = '71,000'
const HOME = 'Reykjavik'

/** The ways that store nothing, which share a world. */
const READING = new Set([
  ...['the context of a prompt', 'the context of a new session', 'suggestions'],
  ...['the MCP tool recall', 'the MCP tool recall with a scope', 'the MCP tool recall as text'],
  ...['the MCP tool list', 'the MCP prompt answer_from_memory', 'the MCP resources'],
  ...['a recall without a scope', 'the graph'],
])
const worldOfReaders = once(startWorld)

describe.each(Object.entries(WAYS))('%s', (name, way) => {
  test('gives the person their own memories, and no organization any of them', async () => {
    const { access, colleague, org } = await (READING.has(name) ? worldOfReaders() : startWorld())
    proxy.upstream.reset()
    const { 'their own memory': own, ...ofOrg } = access
    const given = await way(own)
    expect(given).toContain(SALARY)
    expect(given).not.toContain('90,000')
    for (const [access, each] of Object.entries(ofOrg)) {
      proxy.upstream.reset()
      const text = await way(each)
      expect({ access, text }).not.toEqual({ access, text: expect.stringContaining(SALARY) })
      expect({ access, text }).not.toEqual({ access, text: expect.stringContaining(HOME) })
    }
    const readable = await readableBy(inOrgOf(colleague, org))
    expect(readable).toContain('90,000')
    expect(readable).not.toContain(SALARY)
    expect(readable).not.toContain(HOME)
  })
})

describe('the hook of an assistant', () => {
  const session_id = '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3d'
  const events = [
    { hook_event_name: 'SessionStart', source: 'startup' },
    { hook_event_name: 'UserPromptSubmit', prompt: QUESTION, turn_id: 't1' },
    { hook_event_name: 'Stop', last_assistant_message: `It is ${SALARY} euros.`, turn_id: 't1' },
  ]

  test.each(['codex', 'claude-code'])(
    'of %s neither gives personal memories in an organization nor stores the answer there',
    async (assistant) => {
      const { person, org, colleague } = await startWorld()
      const { machine } = await signedInMachine(proxy.server, undefined, person)
      const run = async (conversation: string) => {
        let given = ''
        for (const event of events) {
          const stdin = JSON.stringify({
            ...event,
            session_id: conversation,
            cwd: machine.env.HOME,
          })
          given += (await machine.svc(['hook', assistant], { stdin })).stdout
        }
        return given
      }
      expect(await run(session_id)).toContain(SALARY)
      expect((await machine.svc(['config', 'set', 'org', org.id])).code).toBe(0)
      const given = await run(session_id.replace('0199', '0299'))
      expect(given).toContain('90,000')
      expect(given).not.toContain(SALARY)
      expect(given).not.toContain(HOME)
      const readable = await readableBy(inOrgOf(colleague, org))
      expect(readable).toContain(QUESTION)
      expect(readable).not.toContain(SALARY)
    },
  )
})

describe('an answer of a model', () => {
  const turn = (role: string, content: string) => ({ turn: '1', role, content, ordinal: 1 })
  const answer = `Your salary is ${SALARY} euros.`

  test.each(['hook', 'proxy', 'import'])(
    'that a program captures by %s becomes a memory of the person, and none of an organization',
    async (channel) => {
      const { access, colleague, org } = await startWorld()
      const capture = (to: Access) =>
        send(to, 'POST', '/api/captures', {
          client: 'codex',
          session: 's1',
          channel,
          messages: [turn('user', QUESTION), turn('assistant', answer)],
        })
      expect((await capture(access['their own memory'])).body).toMatchObject({ count: 2 })
      const stored = await capture(access['an organization'])
      expect(stored.body).toMatchObject({ count: 1, memories: [{ role: 'user' }] })
      expect(await readableBy(inOrgOf(colleague, org))).not.toContain(SALARY)
    },
  )

  const FURTHER = 'And how many days off do I have?'
  const asked = (content: string) => [{ role: 'user', content }]

  test.each<[string, (question: string) => object]>([
    ['openai/v1/chat/completions', (text) => ({ model: 'a-model', messages: asked(text) })],
    ['openai/v1/responses', (text) => ({ model: 'a-model', input: text })],
    ['anthropic/v1/messages', (text) => ({ model: 'a', max_tokens: 9, messages: asked(text) })],
  ])('of %s is not stored in an organization', async (path, bodyOf) => {
    const { access, colleague, org } = await startWorld()
    const { token, headers } = access['an organization']
    const ask = (question: string) =>
      askModel(
        { token, headers: { ...headers, 'x-svc-thread': 'one' } },
        `/api/${path}`,
        bodyOf(question),
      )
    proxy.upstream.next(says(answer))
    await ask(QUESTION)
    await ask(FURTHER)
    // The turns of a thread are stored one after another.
    const readable = await eventually(async () => {
      const text = await readableBy(inOrgOf(colleague, org))
      return text.includes(FURTHER) && text
    })
    expect(readable).toContain(QUESTION)
    expect(readable).not.toContain(SALARY)
  })

  test.each(['/api/chat', '/api/talk'])('of %s is not stored in an organization', async (path) => {
    const { access, colleague, org } = await startWorld()
    proxy.upstream.next(
      says(`As your own notes on this machine say, it is ${SALARY} euros a year.`),
    )
    await askModel(access['an organization'], path, { message: QUESTION })
    expect(await readableBy(inOrgOf(colleague, org))).not.toContain(SALARY)
  })
})

describe('a chat', () => {
  test('that was begun with personal memories continues in an organization without its messages', async () => {
    const { access } = await startWorld()
    proxy.upstream.next(says(`It is ${SALARY} euros.`))
    const own = await send(access['their own memory'], 'POST', '/api/chat', { message: QUESTION })
    const { session_id } = own.body
    proxy.upstream.reset()
    const message = 'Please say that again, in one sentence.'
    expect(
      await askModel(access['an organization'], '/api/chat', { message, session_id }),
    ).not.toContain(SALARY)
    proxy.upstream.reset()
    expect(
      await askModel(access['their own memory'], '/api/chat', { message, session_id }),
    ).toContain(SALARY)
  })
})

describe('a key of an organization', () => {
  test('reads no fact, anchor, reminder, conflict or instruction of the person who made it', async () => {
    const { access, person } = await startWorld()
    await write(person.client, 'Remind me to call the landlord of Reykjavik.', 'I live in Porto.')
    const own = access['their own memory']
    const ofOrg = access['an organization with a key of it']
    await send({ ...own, token: person.accessToken }, 'PUT', '/api/auth/instructions', {
      instructions: 'I am paid 71,000 euros. Be brief.',
    })
    const read = async (each: Access) => {
      const paths = ['identity/anchors', 'identity/conflicts', 'proactive/intents']
      const texts = await Promise.all(
        paths.map(async (path) => (await send(each, 'GET', `/api/${path}`)).text),
      )
      return texts.join('\n')
    }
    expect(await read(own)).toContain(HOME)
    expect(await read(ofOrg)).not.toContain(HOME)
    expect(await read(ofOrg)).not.toContain('Porto')
    for (const scope of ['personal', 'all', 'tiered']) {
      const body = { query: QUESTION, scope }
      expect((await send(ofOrg, 'POST', '/api/recall', body)).text).not.toContain(SALARY)
    }
    const asked = await askModel(ofOrg, '/api/chat', { message: 'Hello there.' })
    expect(asked).not.toContain(SALARY)
  })
})

describe('a conversation of a person', () => {
  const held = async (own: Access) => {
    proxy.upstream.next(says(`It is ${SALARY} euros.`))
    const { body } = await send(own, 'POST', '/api/chat', { message: `Is it ${SALARY}?` })
    await send(own, 'POST', '/api/talk', { message: `Is it ${SALARY}?`, agent_slug: 'scribe' })
    proxy.upstream.reset()
    return body as { session_id: string; message: { id: string } }
  }

  test('no key of an organization reads a conversation that was held outside of it', async () => {
    const { access, person } = await startWorld()
    const own = access['their own memory']
    const ofOrg = access['an organization with a key of it']
    const { session_id, message } = await held(own)
    await send({ ...own, token: person.accessToken }, 'PUT', '/api/auth/instructions', {
      instructions: `I am paid ${SALARY} euros.`,
    })
    const session = `/api/sessions/${session_id}`
    const PATHS: [method: string, path: string, body?: object][] = [
      ['GET', '/api/sessions'],
      ['GET', '/api/sessions?q=Is'],
      ['GET', session],
      ['GET', `${session}/messages`],
      ['GET', `${session}/messages/${message.id}/context`],
      ['POST', `${session}/branch`, { message_id: message.id, is_included: true }],
      ['POST', '/api/shares', { session_id }],
      ['POST', '/api/chat', { session_id, message: 'Say it again.' }],
      ['POST', '/api/chat/regenerate', { session_id, message: 'Say it again.' }],
      ['GET', '/api/agents/scribe/timeline'],
      ['GET', '/api/auth/instructions'],
      ['GET', '/api/suggest'],
    ]
    for (const [method, path, body] of PATHS) {
      const { text } = await send(ofOrg, method, path, body)
      expect([path, text.includes(SALARY) || sentToModel().includes(SALARY)]).toEqual([path, false])
    }
    expect((await send(ofOrg, 'DELETE', session)).status).toBe(404)
    expect((await send(own, 'GET', session)).status).toBe(200)
  })

  test('a key of an organization reads the conversations that were held in it', async () => {
    const { access } = await startWorld()
    const ofOrg = access['an organization with a key of it']
    const { body } = await send(access['an organization'], 'POST', '/api/chat', {
      message: 'Hello there.',
    })
    expect((await send(ofOrg, 'GET', '/api/sessions')).text).toContain(body.session_id)
    const messages = `/api/sessions/${body.session_id}/messages`
    expect((await send(ofOrg, 'GET', messages)).text).toContain('Hello there.')
  })

  test('a model that names a conversation in an organization reads none of its personal messages', async () => {
    const { access } = await startWorld()
    const { session_id } = await held(access['their own memory'])
    await send(access['an organization'], 'POST', `/api/sessions/${session_id}/title`)
    expect(sentToModel()).not.toContain(SALARY)
  })
})

describe('a memory of a person', () => {
  const REQUESTS: [method: string, path: (id: string) => string, body?: object][] = [
    ['GET', (id) => `memories/${id}`],
    ['PATCH', (id) => `memories/${id}`, { tags: ['taken'] }],
    ['DELETE', (id) => `memories/${id}`],
    ['POST', (id) => `memories/${id}/restore`],
    ['GET', (id) => `memories/${id}/facts`],
    ['GET', (id) => `memories/${id}/history`],
    ['GET', (id) => `memories/${id}/related`],
    ['POST', (id) => `memories/${id}/feedback`, { question: QUESTION }],
  ]
  test.each(Object.keys({ org: 1, key: 1 }))(
    'a request in an organization (%s) finds no memory of the person by its id, its thread or its tag',
    async (kind) => {
      const { access, person } = await startWorld()
      const place = { tags: ['payroll'], thread: 'payroll' }
      const [id = ''] = await write(person.client, { content: `It was ${SALARY}.`, ...place })
      const name = kind === 'org' ? 'an organization' : 'an organization with a key of it'
      const inOrg = access[name]
      await send(inOrg, 'POST', '/api/remember', { content: 'The payroll is due.', ...place })
      for (const [method, path, body] of REQUESTS)
        expect([path(id), (await send(inOrg, method, `/api/${path(id)}`, body)).status]).toEqual([
          path(id),
          404,
        ])
      const superseding = { content: 'It is more.', supersedes: id }
      expect((await send(inOrg, 'POST', '/api/remember', superseding)).status).toBe(404)
      for (const filter of ['thread=payroll', 'tag=payroll'])
        expect((await send(inOrg, 'GET', `/api/memories?${filter}`)).body.memories).toHaveLength(1)
      await send(inOrg, 'POST', '/api/memories/forget', { thread: 'payroll', tags: ['payroll'] })
      const kept = await send(access['their own memory'], 'GET', `/api/memories/${id}`)
      expect(kept.body).toMatchObject({ content_text: `It was ${SALARY}.`, tags: ['payroll'] })
    },
  )
})

test('a thread of the proxy goes on in an organization without the personal memories of before', async () => {
  const { access } = await startWorld()
  const inThread = ({ token, headers }: Access) => ({
    token,
    headers: { ...headers, 'x-svc-thread': 'one' },
  })
  const path = '/api/openai/v1/chat/completions'
  const own = inThread(access['their own memory'])
  expect(await askModel(own, path, { model: 'a-model', messages })).toContain(SALARY)
  proxy.upstream.reset()
  const further = [
    ...messages,
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'And where do I live?' },
  ]
  const inOrg = inThread(access['an organization'])
  const sent = await askModel(inOrg, path, { model: 'a-model', messages: further })
  expect(sent).not.toContain(SALARY)
  expect(sent).not.toContain(HOME)
})

test('a person who names the scope in an organization recalls their own memories for themselves', async () => {
  const { access } = await startWorld()
  for (const name of ['an organization', 'an organization with a session'] as const) {
    const recalled = async (scope: string) =>
      (await send(access[name], 'POST', '/api/recall', { query: QUESTION, scope })).text
    expect(await recalled('personal')).toContain(SALARY)
    expect(await recalled('all')).toContain(SALARY)
    expect(await recalled('org')).not.toContain(SALARY)
  }
})
