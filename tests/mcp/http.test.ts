import { describe, expect, test } from 'bun:test'
import { remember, rememberBatch, revokeKey } from '../../shared/contract/index.ts'
import { factsOf } from '../harness/facts.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import {
  CURRENT,
  callMessage,
  connectHttp,
  connectMcpProcess,
  opening,
  TOOL_NAMES,
  textOf,
  ways,
} from './client.ts'

const server = useSharedServer()

const ACCEPT = { accept: 'application/json, text/event-stream' }

/** Sends one message of an older revision unchanged. */
const post = (body: unknown, token?: string, headers: Record<string, string> = {}) =>
  request(server.current, 'POST', '/api/mcp', {
    body,
    headers: { ...ACCEPT, ...headers },
    ...(token && { token }),
  })

/** The single message of a response, as JSON or as an event. */
const messageIn = ({ text }: { text: string }) =>
  JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)

describe.each(ways)('over %s', (_, connect) => {
  test('an assistant remembers, recalls and talks', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const { tools } = await mcp.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)

    const remembered = await mcp.call('remember', { content: 'The heron nests by the mill.' })
    expect(remembered).toMatchObject({
      structuredContent: { content_text: 'The heron nests by the mill.', deduplicated: false },
    })
    const recalled = await mcp.call('recall', { query: 'Where does the heron nest?' })
    expect(recalled.structuredContent).toMatchObject({ count: 1 })
    const talked = await mcp.call('talk', { message: 'Where does the heron nest?' })
    expect(talked.isError).toBeFalsy()
    expect(textOf(talked)).toContain('The heron nests by the mill.')
    const { agent_slug, icog_response, memories } = talked.structuredContent as {
      agent_slug: string
      icog_response: string
      memories: { memory_id: string }[]
    }
    expect(agent_slug).toBe('default')
    expect(textOf(talked)).toStartWith(icog_response)
    for (const { memory_id } of memories) expect(textOf(talked)).toContain(memory_id)
  })

  test('invalid arguments return an error that names every failing field', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const result = await mcp.call('recall', { limit: 1000, since: 'yesterday' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/query: .*limit: .*since: /)
    expect(textOf(await mcp.call('talk', {}))).toContain('message: ')
  })

  test('prompts are listed and filled with arguments and memories', async () => {
    const { key, client: user } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const { prompts } = await mcp.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      'answer_from_memory',
      'remember_conversation',
      'weekly_review',
    ])
    const prompt = await mcp.client.getPrompt({
      name: 'answer_from_memory',
      arguments: { question: 'Who feeds the heron?' },
    })
    expect(prompt.messages).toMatchObject([
      { role: 'user', content: { text: expect.stringContaining('Who feeds the heron?') } },
    ])
    await user.call(remember, { body: { content: 'Ada feeds the heron at dawn.' } })
    const answerable = await mcp.client.getPrompt({
      name: 'answer_from_memory',
      arguments: { question: 'Who feeds the heron?' },
    })
    expect(JSON.stringify(answerable.messages)).toContain('Ada feeds the heron at dawn.')
    await expect(
      mcp.client.getPrompt({ name: 'answer_from_memory', arguments: {} }),
    ).rejects.toThrow('question')
  })

  test('memories are listed as resources in pages and can be read', async () => {
    const { key, client } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const activity = { uri: 'svc://activity', title: 'Activity' }
    expect((await mcp.client.listResources()).resources).toMatchObject([activity])
    const { resourceTemplates } = await mcp.client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'svc://memories/{memory_id}',
      'svc://threads/{thread}',
      'svc://tags/{tag}',
    ])

    const memories = Array.from({ length: 60 }, (_, i) => ({ content: `Heron number ${i}` }))
    await client.call(rememberBatch, { body: { memories } })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await mcp.client.listResources(cursor ? { cursor } : undefined)
      seen.push(...page.resources.map(({ title }) => title ?? ''))
      cursor = page.nextCursor
    } while (cursor)
    expect(seen.pop()).toBe('Activity')
    expect(new Set(seen)).toEqual(new Set(memories.map(({ content }) => content)))
    expect(seen[0]).toBe('Heron number 59')

    const [first] = (await mcp.client.listResources()).resources
    const { contents } = await mcp.client.readResource({ uri: first?.uri ?? '' })
    expect(contents).toMatchObject([{ uri: first?.uri, text: 'Heron number 59' }])
  })

  test('the title of a resource is the start of the memory in one line', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const content = `First line,\n  ${'🪿'.repeat(200)}`
    await mcp.call('remember', { content, author: 'Ada', occurred_at: '2025-03-04T10:00:00Z' })
    const [resource] = (await mcp.client.listResources()).resources
    expect(resource).toMatchObject({
      title: `First line, ${'🪿'.repeat(67)}…`,
      description: 'semantic, 2025-03-04, by Ada',
      mimeType: 'text/plain',
    })
    const { contents } = await mcp.client.readResource({ uri: resource?.uri ?? '' })
    expect(contents).toMatchObject([{ text: content }])
    await expect(mcp.client.listResources({ cursor: 'no cursor' })).rejects.toThrow('cursor')
  })

  test('an unknown memory and one of another user are not found', async () => {
    const [ada, bob] = [await newUser(server.current), await newUser(server.current)]
    await using his = await connect(server.current, bob.key)
    await using hers = await connect(server.current, ada.key)
    const { structuredContent } = await hers.call('remember', { content: 'The safe code.' })
    const { memory_id } = structuredContent as { memory_id: string }
    for (const id of [memory_id, crypto.randomUUID(), 'no-id'])
      await expect(his.client.readResource({ uri: `svc://memories/${id}` })).rejects.toThrow(
        'not found',
      )
  })
})

test('two stdio clients and one HTTP client share memories until the key is revoked', async () => {
  const { url } = server.current
  const { key, keyId, client } = await newUser(server.current)
  const env = { SVC_URL: url, SVC_API_KEY: key }
  await using first = await connectMcpProcess(env)
  await using second = await connectMcpProcess(env)
  await using third = await connectHttp(server.current, key)
  const assistants = [first, second, third]
  await Promise.all(
    assistants.map((mcp, i) => mcp.call('remember', { content: `Assistant ${i} was here.` })),
  )
  for (const mcp of assistants) {
    const recalled = await mcp.call('recall', { query: 'Which assistant was here?' })
    expect(recalled.structuredContent).toMatchObject({ count: 3 })
  }

  await client.call(revokeKey, { params: { key_id: keyId } })
  for (const mcp of [first, second]) {
    const refused = await mcp.call('recall', { query: 'assistant' })
    expect(refused.isError).toBe(true)
    expect(textOf(refused)).toContain('sign in with `svc login')
  }
  await expect(third.call('recall', { query: 'assistant' })).rejects.toThrow(/Sign in again: /)
})

test('a missing or invalid credential gets 401 with the sign-in address', async () => {
  const { url } = server.current
  const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource/api/mcp"`
  const bare = await post(opening[0])
  expect(bare.status).toBe(401)
  expect(bare.headers.get('www-authenticate')).toBe(`Bearer ${metadata}, scope="mcp"`)
  expect(bare.body.detail).toContain('API key')
  for (const token of ['svc_wrong', 'no.jwt.this', 'x'.repeat(5_000)]) {
    const { status, headers, body } = await post(opening[0], token)
    expect(status).toBe(401)
    expect(body).toEqual({ detail: expect.stringMatching(/again/) })
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="${body.detail}", ${metadata}, scope="mcp"`,
    )
    expect(JSON.stringify(body)).not.toContain(token)
  }
  expect((await fetch(new URL('/api/mcp', url))).status).toBe(401)
})

test('API keys work as bearer and as X-API-Key, and access tokens work as bearer', async () => {
  const { key, accessToken } = await newUser(server.current)
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { 'x-api-key': key },
    { authorization: `Bearer ${accessToken}` },
  ])
    expect((await post(opening[0], undefined, headers)).status).toBe(200)
})

test('requests from another origin are rejected', async () => {
  const { key } = await newUser(server.current)
  const evil = 'evil.example:3000'
  for (const headers of [
    { origin: `http://${evil}` },
    { origin: 'null' },
    { host: evil },
    { host: evil, origin: `http://${evil}` },
  ])
    expect((await post(opening[0], key, headers)).status).toBe(403)
  const own = new URL(server.current.baseUrl)
  const good = await post(opening[0], key, { host: own.host, origin: own.origin })
  expect(good.status).toBe(200)
})

test('invalid, oversized and mistyped messages get protocol errors', async () => {
  const { key } = await newUser(server.current)
  const huge = callMessage(1, 'remember', { content: 'x'.repeat(2 * 1024 * 1024) })
  expect((await post(huge, key)).status).toBe(413)
  expect((await post('{"jsonrpc"', key)).body).toMatchObject({ error: { code: -32700 } })
  const form = await post('a=b', key, { 'content-type': 'application/x-www-form-urlencoded' })
  expect(form.status).toBe(415)
  expect(messageIn(await post(callMessage(2, 'no_such_tool', {}), key))).toMatchObject({ id: 2 })
  for (const method of ['GET', 'DELETE'])
    expect((await request(server.current, method, '/api/mcp', { token: key })).status).toBe(405)
})

test('older revisions are negotiated, and an unknown one falls back or gets all of them', async () => {
  const { key } = await newUser(server.current)
  const [initialize] = opening
  for (const protocolVersion of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    const body = { ...initialize, params: { ...initialize?.params, protocolVersion } }
    expect(messageIn(await post(body, key)).result).toMatchObject({ protocolVersion })
  }
  const unknown = {
    ...initialize,
    params: { ...initialize?.params, protocolVersion: '1999-01-01' },
  }
  expect(messageIn(await post(unknown, key)).result.protocolVersion).toMatch(/^2025-/)
  const refused = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, key, {
    'mcp-protocol-version': '1999-01-01',
  })
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining(`supported versions: ${CURRENT}, 2025-11-25, `),
  ])
  await using current = await connectHttp(server.current, key)
  expect(current.client.getNegotiatedProtocolVersion()).toBe(CURRENT)
})

test('a batch is accepted in the revision that supports batches', async () => {
  const { key } = await newUser(server.current)
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    callMessage(2, 'remember', { content: 'A heron in a batch.' }),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ]
  const headers = { 'mcp-protocol-version': '2025-03-26', 'mcp-session-id': 'any' }
  const { status, text } = await post(batch, key, headers)
  expect(status).toBe(200)
  const answered = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '').id)
  expect(answered.sort()).toEqual([1, 2])
})

test('the time zone comes from the machine over stdio and from a header over HTTP', async () => {
  const { key, client } = await newUser(server.current)
  const occurrence = { occurred_at: '2026-03-06T10:00:00Z' }
  const due = async (remembered: { structuredContent?: unknown }) => {
    const { memory_id } = remembered.structuredContent as { memory_id: string }
    return (await factsOf(client, memory_id)).map(({ due_at }) => due_at)
  }
  const env = { SVC_URL: server.current.url, SVC_API_KEY: key, TZ: 'Asia/Tokyo' }
  await using stdio = await connectMcpProcess(env)
  const content = 'Remind me tomorrow at 9 to call'
  expect(
    await due(await stdio.call('remember', { ...occurrence, content: `${content} Ada.` })),
  ).toEqual(['2026-03-07T00:00:00.000Z'])
  const called = callMessage(1, 'remember', { ...occurrence, content: `${content} Bob.` })
  const answer = await post(called, key, { 'x-timezone': 'Europe/Berlin' })
  expect(await due(messageIn(answer).result)).toEqual(['2026-03-07T08:00:00.000Z'])
})

test('a call acts in the organization of the key', async () => {
  const owner = await newUser(server.current)
  const org = await request(server.current, 'POST', '/api/orgs', {
    token: owner.accessToken,
    body: { name: 'Herons' },
  })
  expect(org.status).toBe(201)
  const created = await request(server.current, 'POST', '/api/auth/api-keys', {
    token: owner.accessToken,
    body: { name: 'of the organization', org_id: org.body.id ?? org.body.org_id },
  })
  await using ours = await connectHttp(server.current, created.body.key)
  await using mine = await connectHttp(server.current, owner.key)
  await ours.call('remember', { content: 'Our lake is deep.' })
  const query = { query: 'How deep is the lake?' }
  expect((await ours.call('recall', query)).structuredContent).toMatchObject({ count: 1 })
  expect((await mine.call('recall', query)).structuredContent).toMatchObject({ count: 0 })
})
