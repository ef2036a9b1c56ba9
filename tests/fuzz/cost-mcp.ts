import type { TSchema } from '@sinclair/typebox'
import { mcp } from '../../shared/contract/index.ts'
import { exampleOf, LONGEST } from './corpus.ts'
import { type CostCase, textFields, withValue } from './cost-cases.ts'
import type { Pathological } from './pathological.ts'

export interface McpTool {
  name: string
  inputSchema: TSchema
}

const message = (method: string, params: object) => ({
  path: mcp.path,
  contentType: 'application/json',
  headers: { accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

/** The tools as a client lists them. */
export const listTools = async (url: string, token: string): Promise<McpTool[]> => {
  const { path, body, headers, contentType } = message('tools/list', {})
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...headers, 'content-type': contentType, authorization: `Bearer ${token}` },
    body,
  })
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return JSON.parse(data).result.tools
}

/** The arguments that a call needs. */
const requiredOf = (schema: TSchema, ids: Record<string, string>): unknown => {
  const required: string[] = schema.required ?? []
  const fields = required.map((name) => [name, schema.properties[name]])
  return exampleOf({ ...schema, properties: Object.fromEntries(fields) }, ids, 'Ada likes tea')
}

/** Calls of all tools, and other messages of the protocol, with a text in each argument. */
export function* mcpCases(
  tools: readonly McpTool[],
  ids: Record<string, string>,
  text: Pathological,
  tail: string,
): Generator<CostCase> {
  const whole = text.of(LONGEST, tail)
  for (const { name, inputSchema } of tools) {
    const input = exampleOf(inputSchema, ids, whole)
    yield { title: `${name}: arguments`, ...message('tools/call', { name, arguments: input }) }
    for (const { path, most } of textFields(inputSchema)) {
      const field = withValue(requiredOf(inputSchema, ids), path, text.of(most, tail))
      const title = `${name}: ${path.join('.')}`
      yield { title, ...message('tools/call', { name, arguments: field }) }
    }
    const unknown = { [whole]: whole, query: whole, content: whole }
    yield { title: `${name}: names`, ...message('tools/call', { name, arguments: unknown }) }
  }
  yield { title: 'tool name', ...message('tools/call', { name: whole, arguments: {} }) }
  yield { title: 'method', ...message(whole, {}) }
  yield { title: 'resource', ...message('resources/read', { uri: `svc://memories/${whole}` }) }
  yield {
    title: 'prompt',
    ...message('prompts/get', { name: 'answer_from_memory', arguments: { question: whole } }),
  }
  const clientInfo = { name: whole, version: whole }
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  yield { title: 'client', ...message('initialize', initialize) }
}
