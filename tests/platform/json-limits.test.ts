import { describe, expect, test } from 'bun:test'
import { newUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const MAX_NAMES = 40_000
const MAX_MCP_NAMES = 10_000
const MAX_VALUES = 200_000

const post = async (path: string, body: string) => {
  const { key } = await newUser(server.current)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const response = await fetch(new URL(path, server.current.url), { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

/** A memory with this many keys besides `content`, none of which the API knows. */
const withNames = (count: number): string =>
  `{"content":"Ada likes tea.",${Array.from({ length: count }, (_, i) => `"${i.toString(36)}_":1`).join(',')}}`

/** A memory with this many values besides `content`, its braces and a list of them. */
const withValues = (count: number): string =>
  `{"content":"Ada likes tea.","other":[${'1,'.repeat(count - 1)}1]}`

describe('a JSON body has a limited number of keys and values', () => {
  test('a body with the maximum number of keys is read, and its unknown keys are dropped', async () => {
    const { status } = await post('/api/remember', withNames(MAX_NAMES - 1))
    expect(status).toBe(201)
  })

  test('a body with one key too many is refused', async () => {
    const { status, text } = await post('/api/remember', withNames(MAX_NAMES))
    expect(status).toBe(422)
    expect(JSON.parse(text).detail).toEqual([
      { loc: ['body'], type: 'json_invalid', msg: `JSON should have at most ${MAX_NAMES} names` },
    ])
  })

  test('a body with too many values is refused', async () => {
    const { status, text } = await post('/api/remember', withValues(MAX_VALUES))
    expect(status).toBe(422)
    expect(JSON.parse(text).detail[0].msg).toBe(`JSON should have at most ${MAX_VALUES} values`)
  })

  test('colons, commas and brackets in a string do not count as keys or values', async () => {
    const other = `\\"${':,[{'.repeat(100_000)}\\\\`
    const { status } = await post(
      '/api/remember',
      `{"content":"Ada likes tea.","other":"${other}"}`,
    )
    expect(status).toBe(201)
  })

  test('an MCP message with too many keys is answered with a parse error', async () => {
    const { status, text } = await post('/api/mcp', withNames(MAX_MCP_NAMES))
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32_700,
        message: `Parse error: JSON should have at most ${MAX_MCP_NAMES} names`,
      },
    })
  })
})
