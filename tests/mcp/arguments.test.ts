import { describe, expect, test } from 'bun:test'
import { getMemory, remember } from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import {
  callMessage,
  connectHttp,
  connectMcp,
  opening,
  openMcp,
  TOOL_NAMES,
  textOf,
  ways,
} from './client.ts'

const server = useSharedServer()

const FIX = 'Correct them and call again.'

/** A JSON-RPC response. */
interface Answer {
  error: { message: string }
  result: { content: { text: string }[]; isError?: boolean; structuredContent?: object }
}

/** The responses to a message over HTTP and over stdio. */
const answersOf = async (message: object, key: string): Promise<Answer[]> => {
  const { text } = await request(server.current, 'POST', '/api/mcp', {
    body: message,
    token: key,
    headers: { accept: 'application/json, text/event-stream' },
  })
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
  await using mcp = openMcp({ SVC_URL: server.current.url, SVC_API_KEY: key })
  mcp.send(...opening)
  await mcp.lines.next()
  mcp.send(message)
  const { value: line = '' } = await mcp.lines.next()
  return [json, line].map((each) => JSON.parse(each))
}

/** The messages of JSON-RPC errors. */
const errorsOf = async (message: object, key: string): Promise<string[]> =>
  (await answersOf(message, key)).map(({ error }) => error.message)

test.each<[string, string, object | string, string]>([
  ['arguments as a text', 'tools/call', 'A heron.', 'arguments: Expected object'],
  ['arguments as a list', 'tools/call', ['A heron.'], 'arguments: Expected object'],
  ['arguments as JSON of a list', 'tools/call', '["A heron."]', 'arguments: Expected object'],
  ['a number for a prompt', 'prompts/get', { question: 5 }, 'arguments.question: Expected string'],
])('%s get one line with the field, the problem and the fix', async (_, method, input, problem) => {
  const { key } = await newUser(server.current)
  const name = method === 'tools/call' ? 'remember' : 'answer_from_memory'
  const message = { jsonrpc: '2.0', id: 7, method, params: { name, arguments: input } }
  for (const error of await errorsOf(message, key))
    expect(error).toBe(`Invalid arguments: ${problem}. ${FIX}`)
})

test.each([
  ['JSON text', '{"limit": "5"}'],
  ['JSON text of an empty object', '{}'],
  ['null', null],
  ['the text null', 'null'],
  ['an empty text', ''],
])('arguments as %s are understood', async (_, input) => {
  const { key } = await newUser(server.current)
  const message = { ...callMessage(7, '', {}), params: { name: 'list', arguments: input } }
  for (const { result } of await answersOf(message, key))
    expect(result.structuredContent).toEqual({ memories: [], count: 0 })
})

test('arguments as deeply nested JSON text are refused over HTTP, and over stdio by the field', async () => {
  const { key } = await newUser(server.current)
  const nested = `{"query":${'['.repeat(2_000)}${']'.repeat(2_000)}}`
  const message = { ...callMessage(7, '', {}), params: { name: 'recall', arguments: nested } }
  const [http, stdio] = await answersOf(message, key)
  expect(http?.error.message).toBe(`Invalid arguments: arguments: Expected object. ${FIX}`)
  expect(stdio?.result.isError).toBe(true)
})

test('a call without the name of a tool gets one line that names the field', async () => {
  const { key } = await newUser(server.current)
  const message = { ...callMessage(7, '', {}), params: { arguments: {} } }
  for (const error of await errorsOf(message, key))
    expect(error).toBe(`Invalid arguments: name: Expected required property. ${FIX}`)
})

describe.each(ways)('over %s', (_, connect) => {
  test('every argument of a wrong type gets one line that names the field', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const { tools } = await mcp.client.listTools()
    const valid: Record<string, object> = {
      recall: { query: 'heron' },
      remember: { content: 'A heron.' },
      remember_batch: {},
      update: { memory_id: crypto.randomUUID() },
      talk: { message: 'Hello.' },
    }
    for (const { name, inputSchema } of tools)
      for (const field of Object.keys(inputSchema.properties ?? {})) {
        const result = await mcp.call(name, { ...valid[name], [field]: { not: 'valid' } })
        // The memory is looked up before the fields that change it are checked.
        const isLookup = name === 'update' && !['memory_id', 'supersede'].includes(field)
        if (isLookup) continue
        expect([name, field, result.isError, textOf(result)]).toEqual([
          name,
          field,
          true,
          expect.stringMatching(new RegExp(`^Invalid arguments: (.*; )?${field}[:.].*${FIX}$`)),
        ])
      }
  })

  test('a missing id is called missing, and another text is called no id', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    for (const name of ['get', 'update', 'forget', 'restore']) {
      const input = { content: 'A heron.' }
      for (const missing of [input, { ...input, memory_id: null }])
        expect(textOf(await mcp.call(name, missing))).toBe(
          `Invalid arguments: memory_id: is required; recall and list return it. ${FIX}`,
        )
      for (const memory_id of ['', 'no-id', 5, 'x'.repeat(100_000)])
        expect(textOf(await mcp.call(name, { ...input, memory_id }))).toBe(
          `Invalid arguments: memory_id: must be a UUID, as recall and list return it. ${FIX}`,
        )
    }
  })

  test('null is an argument that is left out', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const { tools } = await mcp.client.listTools()
    const nulls = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [
        name,
        Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((field) => [field, null])),
      ]),
    )
    const remembered = await mcp.call('remember', { ...nulls.remember, content: 'A heron.' })
    const { memory_id } = remembered.structuredContent as { memory_id: string }
    const inputs: Record<string, object> = {
      recall: { query: 'heron' },
      remember: { content: 'A stork.' },
      remember_batch: { memories: [{ ...nulls.remember, content: 'A kingfisher.' }] },
      update: { memory_id, content: 'A grey heron.' },
      get: { memory_id },
      forget: { memory_id },
      restore: { memory_id },
      talk: { message: 'Hello.' },
    }
    for (const name of TOOL_NAMES) {
      const result = await mcp.call(name, { ...nulls[name], ...inputs[name] })
      expect([textOf(result), result.isError ?? false]).toEqual([textOf(result), false])
    }
  })
})

test('an update with null for a field keeps the field', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const occurred_at = '2025-03-04T10:00:00.000Z'
  const { memory_id } = await client.call(remember, { body: { content: 'A heron.', occurred_at } })
  await mcp.call('update', { memory_id, content: 'A grey heron.', occurred_at: null, tags: null })
  expect(await client.call(getMemory, { params: { memory_id } })).toMatchObject({
    content_text: 'A grey heron.',
    occurred_at,
  })
})

test('very long arguments are refused in one line, and the next call works', async () => {
  const { key } = await newUser(server.current)
  const long = 'x'.repeat(900_000)
  await using http = await connectHttp(server.current, key)
  await using stdio = await connectMcp({ SVC_URL: server.current.url, SVC_API_KEY: key })
  for (const mcp of [http, stdio]) {
    for (const [name, input] of [
      ['recall', { query: long }],
      ['recall', { query: 'heron', cursor: long }],
      ['remember', { content: long }],
      ['remember', { content: 'A heron.', tags: [long] }],
      ['remember_batch', { memories: [{ content: long }] }],
      ['list', { thread: long }],
      ['list', { cursor: long }],
      ['list', { limit: long }],
      ['get', { memory_id: long }],
      ['talk', { message: long }],
    ] as const) {
      const result = await mcp.call(name, input)
      expect([name, result.isError, textOf(result)]).toEqual([
        name,
        true,
        expect.stringMatching(/^Invalid arguments: .{1,300}$/),
      ])
    }
    await expect(mcp.client.listResources({ cursor: long })).rejects.toThrow(
      /^.{0,60}cursor.{0,200}$/,
    )
    expect((await mcp.call('list', {})).isError).toBeFalsy()
  }
})
