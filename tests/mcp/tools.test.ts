import { expect, test } from 'bun:test'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { modelView } from '../../bench/lib/tool-tokens.ts'
import { recall, remember } from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import {
  CURRENT,
  connectMcp,
  connectMcpProcess,
  connectOlderMcp,
  connectOlderMcpProcess,
  TOOL_NAMES,
  textOf,
} from './client.ts'

const server = useSharedServer()

const signedIn = async () => {
  const user = await newUser(server.current)
  return { user, env: { SVC_URL: server.current.url, SVC_API_KEY: user.key } }
}

test('the tools are listed without a key', async () => {
  await using mcp = await connectMcp()
  const { tools } = await mcp.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)
})

test('the server speaks the current revision, and older ones to older clients', async () => {
  await using current = await connectMcpProcess()
  expect(current.client.getNegotiatedProtocolVersion()).toBe(CURRENT)
  await using older = await connectOlderMcpProcess()
  const { tools } = await older.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)
})

test('the published tools match the snapshot', async () => {
  await using mcp = await connectMcp()
  const { tools } = await mcp.client.listTools()
  // The icons are drawings; a test of their own checks them.
  expect(tools.map(({ icons: _, ...tool }) => tool)).toMatchSnapshot()
})

test('the published schemas use only JSON Schema keywords', async () => {
  const known = new Set(
    'default description enum format items maximum minimum properties required type'.split(' '),
  )
  const unknown = new Set<string>()
  const visit = (schema: unknown): void => {
    if (!schema || typeof schema !== 'object') return
    for (const [keyword, value] of Object.entries(schema)) {
      if (!known.has(keyword) && !keyword.startsWith('$')) unknown.add(keyword)
      if (keyword === 'properties') Object.values(value as object).forEach(visit)
      if (keyword === 'items') visit(value)
    }
  }
  await using mcp = await connectMcp()
  for (const { inputSchema, outputSchema } of (await mcp.client.listTools()).tools)
    for (const schema of [inputSchema, outputSchema]) visit(schema)
  expect([...unknown]).toEqual([])
})

test('older clients get the same tools', async () => {
  await using current = await connectMcp()
  await using older = await connectOlderMcp()
  expect((await older.client.listTools()).tools as unknown).toEqual(
    (await current.client.listTools()).tools,
  )
})

test('every argument has a description, and arguments with a default are optional', async () => {
  await using mcp = await connectMcp()
  const { tools } = await mcp.client.listTools()
  for (const { inputSchema } of tools)
    for (const [name, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect(schema).toMatchObject({ description: expect.any(String) })
      if ('default' in (schema as object)) expect(inputSchema.required ?? []).not.toContain(name)
    }
})

test('the instructions say when to recall and when to remember', async () => {
  await using mcp = await connectOlderMcp()
  expect(mcp.client.getInstructions()).toContain('\nRecall before ')
  expect(mcp.client.getInstructions()).toContain('\nRemember when ')
  expect(mcp.client.getInstructions()).toContain('\nForget when ')
  expect(mcp.client.getInstructions()).toContain('\nTalk when ')
})

test('a memory of one server process is recalled by another process of the account', async () => {
  const { env } = await signedIn()
  const content = 'Ada keeps the spare key under the blue pot.'
  {
    await using first = await connectMcpProcess(env)
    const remembered = await first.call('remember', {
      content,
      author: 'Ada',
      occurred_at: '2025-03-04T10:00:00Z',
    })
    expect(remembered.isError).toBeFalsy()
    expect(remembered.structuredContent).toMatchObject({ content_text: content, author: 'Ada' })
    expect(textOf(remembered)).toMatch(
      /^Remembered as [0-9a-f-]{36} \(semantic; 2025-03-04; by Ada\)\.$/,
    )
  }
  await using second = await connectMcpProcess(env)
  const recalled = await second.call('recall', { query: 'Where is the spare key?' })
  expect(recalled.structuredContent).toMatchObject({ count: 1, memories: [{ author: 'Ada' }] })
  expect(textOf(recalled)).toMatch(
    /^1\. [0-9a-f-]{36} \(semantic; 2025-03-04; an assistant wrote this; by Ada\)\n {3}/,
  )
  expect(textOf(recalled)).toEndWith(content)
})

test('a recall as text has no ids, keeps its budget, and names arguments that it does not have', async () => {
  const { user, env } = await signedIn()
  await using mcp = await connectMcp(env)
  const content = `${'The ferry is late. '.repeat(100)}The cellar code is 4711.`
  await user.client.call(remember, { body: { content, author: 'Ada', occurred_at: '2025-03-04' } })
  const ask = (more: object) =>
    mcp.call('recall', { query: 'cellar code', format: 'text', ...more })
  const recalled = await ask({ max_tokens: 60 })
  expect(textOf(recalled)).toMatch(/^- 2025-03-04, Ada: … .* The cellar code is 4711\.$/)
  expect(textOf(recalled).length).toBeLessThanOrEqual(180)
  expect(recalled.structuredContent).toEqual({ memories: [], count: 1, text: textOf(recalled) })
  expect(textOf(await ask({ max_tokens: 1 }))).toBe('No memories found.')
  expect(textOf(await ask({ max_chars: 600 }))).toContain('max_chars: for text, use max_tokens')
  expect(textOf(await ask({ cursor: '1' }))).toContain('cursor: must be left out for text')
  expect(textOf(await ask({ max_tokens: 0 }))).toContain('max_tokens')
})

test('a memory stored over HTTP is recalled over MCP and vice versa', async () => {
  const { user, env } = await signedIn()
  await using mcp = await connectMcp(env)
  await user.client.call(remember, { body: { content: 'The cellar code is 4711.' } })
  expect(textOf(await mcp.call('recall', { query: 'cellar code' }))).toContain('4711')

  await mcp.call('remember', { content: 'The attic code is 0815.' })
  const { memories } = await user.client.call(recall, { body: { query: 'attic code' } })
  expect(memories[0]?.content_text).toBe('The attic code is 0815.')
})

test('text that is not of the user is marked before labels that could push the mark out', async () => {
  const { user, env } = await signedIn()
  const labels = { author: 'x'.repeat(200), thread: 'y'.repeat(500), tags: ['z'.repeat(100)] }
  await user.client.call(remember, { body: { content: 'The mill is green.', ...labels } })
  const file = JSON.stringify({ content: 'The weir is green.', ...labels })
  await request(server.current, 'POST', '/api/memories/import', {
    token: user.key,
    body: file,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  await using mcp = await connectMcp(env)
  const recalled = await mcp.call('recall', { query: 'What is green?' })
  const marks = [...textOf(recalled).matchAll(/\(semantic; [\d-]+(?: [\d:]+ UTC)?; (.{8})/g)].map(
    ([, next]) => next,
  )
  expect(marks.sort()).toEqual(['by xxxxx', 'imported'])
  const { memories } = recalled.structuredContent as { memories: { trust?: string }[] }
  expect(memories.map(({ trust }) => trust).sort()).toEqual(['imported', undefined])
})

test('a client of an older revision remembers and recalls', async () => {
  const { env } = await signedIn()
  await using mcp = await connectOlderMcp(env)
  await mcp.client.listTools()
  await mcp.call('remember', { content: 'The bicycle is green.' })
  const recalled = await mcp.call('recall', { query: 'bicycle' })
  expect(recalled.structuredContent).toMatchObject({
    memories: [{ content_text: 'The bicycle is green.' }],
  })
  expect(textOf(recalled)).toContain('The bicycle is green.')
})

test('an account recalls only its own memories', async () => {
  const ada = await signedIn()
  const bob = await signedIn()
  await ada.user.client.call(remember, { body: { content: 'The safe is behind the mirror.' } })
  await using mcp = await connectMcp(bob.env)
  const recalled = await mcp.call('recall', { query: 'Where is the safe?' })
  expect(recalled.structuredContent).toEqual({ memories: [], count: 0 })
  expect(textOf(recalled)).toBe('No memories found.')
})

test('the same content is stored once, and the text says so', async () => {
  const { env } = await signedIn()
  await using mcp = await connectMcp(env)
  const first = await mcp.call('remember', { content: 'Tea, not coffee.' })
  const again = await mcp.call('remember', { content: 'Tea, not coffee.' })
  const { memory_id } = first.structuredContent as { memory_id: string }
  expect(again.structuredContent).toMatchObject({ deduplicated: true, memory_id })
  expect(textOf(again)).toMatch(new RegExp(`^Already remembered as ${memory_id} `))
})

test('a memory of several lines stays one numbered item', async () => {
  const { env } = await signedIn()
  await using mcp = await connectMcp(env)
  await mcp.call('remember', { content: 'Shopping list:\nbread\nbutter' })
  const text = textOf(await mcp.call('recall', { query: 'shopping list' }))
  expect(text).toMatch(/^1\. \S{36} \(.*\)\n {3}Shopping list:\n {3}bread\n {3}butter$/)
})

test('structured content matches the published output schema', async () => {
  const { env } = await signedIn()
  await using mcp = await connectMcp(env)
  const { tools } = await mcp.client.listTools()
  const remembered = await mcp.call('remember', {
    content: 'The train leaves at nine.',
    memory_type: 'episodic',
    tags: ['travel'],
    thread: 'trip',
    metadata: { platform: 4 },
  })
  const { memory_id } = remembered.structuredContent as { memory_id: string }
  const results = {
    remember: remembered,
    recall: await mcp.call('recall', { query: 'When does the train leave?', explain: true }),
    talk: await mcp.call('talk', { message: 'When does the train leave?' }),
    list: await mcp.call('list', {}),
    get: await mcp.call('get', { memory_id }),
    update: await mcp.call('update', { memory_id, importance: 1 }),
    status: await mcp.call('status', {}),
    remember_batch: await mcp.call('remember_batch', { memories: [{ content: 'A train.' }] }),
    forget: await mcp.call('forget', { memory_id }),
    restore: await mcp.call('restore', { memory_id }),
  }
  for (const { name, outputSchema } of tools) {
    const schema = fromJsonSchema({
      ...(outputSchema as object),
      additionalProperties: false,
    })
    const { structuredContent } = results[name as keyof typeof results]
    expect([name, await schema['~standard'].validate(structuredContent)]).toEqual([
      name,
      { value: structuredContent },
    ])
  }
  expect(results.recall.structuredContent).toMatchObject({
    memories: [{ tags: ['travel'], explanation: { words: expect.any(Number) } }],
  })
})

test('all tools take at most 1,700 tokens of what a model sees', async () => {
  await using mcp = await connectMcp()
  const { tools } = await mcp.client.listTools()
  expect(countTokens(JSON.stringify(tools.map(modelView)))).toBeLessThanOrEqual(1_700)
})

test('each description says when to call the tool, and only tools that read are read-only', async () => {
  await using mcp = await connectMcp()
  const { tools } = await mcp.client.listTools()
  for (const { name, description, annotations } of tools) {
    expect([name, description]).toEqual([
      name,
      expect.stringMatching(/\. Call it (only )?(when|before) /),
    ])
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations ?? {}
    expect([name, readOnlyHint, destructiveHint, idempotentHint, openWorldHint]).toEqual([
      name,
      ['recall', 'list', 'get', 'status'].includes(name),
      ['update', 'forget'].includes(name),
      name !== 'talk',
      name === 'talk',
    ])
  }
})
