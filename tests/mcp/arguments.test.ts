import { expect, test } from 'bun:test'
import { newUser, request, useServer } from '../harness/server.ts'
import { callMessage, opening, spawnMcp } from './client.ts'

const server = useServer()

const FIX = 'Correct them and call again.'

/** The message of a JSON-RPC error over HTTP and over stdio. */
const errorsOf = async (message: object, key: string): Promise<string[]> => {
  const { text } = await request(server.current, 'POST', '/api/mcp', {
    body: message,
    token: key,
    headers: { accept: 'application/json, text/event-stream' },
  })
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
  await using mcp = spawnMcp({ SVC_URL: server.current.url, SVC_API_KEY: key })
  mcp.send(...opening)
  await mcp.next()
  mcp.send(message)
  const line = (await mcp.next()) ?? ''
  return [json, line].map((each) => JSON.parse(each).error.message)
}

test.each<[string, string, object | string | null, string]>([
  ['arguments as a text', 'tools/call', '{"content": "A heron."}', 'arguments: Expected object'],
  ['arguments as a list', 'tools/call', ['A heron.'], 'arguments: Expected object'],
  ['arguments of null', 'tools/call', null, 'arguments: Expected object'],
  ['a number for a prompt', 'prompts/get', { question: 5 }, 'arguments.question: Expected string'],
])('%s get one line with the field, the problem and the fix', async (_, method, input, problem) => {
  const { key } = await newUser(server.current)
  const name = method === 'tools/call' ? 'remember' : 'answer_from_memory'
  const message = { jsonrpc: '2.0', id: 7, method, params: { name, arguments: input } }
  for (const error of await errorsOf(message, key))
    expect(error).toBe(`Invalid arguments: ${problem}. ${FIX}`)
})

test('a call without the name of a tool gets one line that names the field', async () => {
  const { key } = await newUser(server.current)
  const message = { ...callMessage(7, '', {}), params: { arguments: {} } }
  for (const error of await errorsOf(message, key))
    expect(error).toBe(`Invalid arguments: name: Expected required property. ${FIX}`)
})
