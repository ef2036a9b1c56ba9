import {
  type CallToolResult,
  type ContentBlock,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { McpServerOptions } from '../../../mcp/server.ts'
import { serveInputTools, states } from './input-fixtures.ts'
import { PNG, WAV } from './media.ts'
import { serveQuestions } from './question-fixtures.ts'

const textBlock = (text: string): ContentBlock => ({ type: 'text', text })
const answer = (...content: ContentBlock[]): CallToolResult => ({ content })
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }

/** The tools, resources and prompts that the scenarios of the suite require. */
export const createFixtures = ({ awaitAnswer }: McpServerOptions): McpServer => {
  const server = new McpServer(
    { name: 'svc-conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  )
  serveContent(server)
  serveReports(server)
  serveSchemas(server)
  serveResources(server)
  servePrompts(server)
  serveInputTools(server)
  serveQuestions(server, awaitAnswer)
  return server
}

const serveContent = (server: McpServer): void => {
  const contents: Record<string, ContentBlock[]> = {
    test_simple_text: [textBlock('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
    test_multiple_content_types: [
      textBlock('Multiple content types test:'),
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }
  for (const [name, content] of Object.entries(contents))
    server.registerTool(name, { description: name }, () => answer(...content))
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
}

const serveReports = (server: McpServer): void => {
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, { description: 'Logs' }, async ({ mcpReq }) => {
      for (const step of ['started', 'is processing data', 'completed'])
        await mcpReq.log('info', `Tool execution ${step}`)
      return answer(textBlock('Logged three times'))
    })
  server.registerTool('test_tool_with_progress', { description: 'Reports' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
    return answer(textBlock('Reported three times'))
  })
}

/** Keywords that a published schema must keep. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const published = (schema: Record<string, unknown>) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'svc-tests',
    jsonSchema: { input: () => schema, output: () => schema },
    validate: (value: unknown) => ({ value }),
  },
})

const serveSchemas = (server: McpServer): void => {
  const schema = { description: 'JSON Schema 2020-12', inputSchema: published(SCHEMA_2020_12) }
  server.registerTool('json_schema_2020_12_tool', schema, (input) =>
    answer(textBlock(JSON.stringify(input))),
  )
  const region = { type: 'string', description: 'Where', 'x-mcp-header': 'Region' }
  const headers = published({ type: 'object', properties: { region }, required: ['region'] })
  server.registerTool(
    'test_headers',
    { description: 'By header', inputSchema: headers },
    (response) => answer(textBlock(JSON.stringify(response))),
  )
}

const serveResources = (server: McpServer): void => {
  const text = { uri: 'test://static-text', mimeType: 'text/plain' }
  server.registerResource(
    'text',
    text.uri,
    { description: 'Text', mimeType: text.mimeType },
    () => ({
      contents: [{ ...text, text: 'This is the content of the static text resource.' }],
    }),
  )
  const binary = { uri: 'test://static-binary', mimeType: 'image/png' }
  const about = { description: 'A picture', mimeType: binary.mimeType }
  server.registerResource('binary', binary.uri, about, () => ({
    contents: [{ ...binary, blob: PNG }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'By its id', mimeType: 'application/json' },
    ({ href: uri }, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${id}` }
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] }
    },
  )
}

/** Required string arguments. */
const texts = <Name extends string>(...names: Name[]) =>
  fromJsonSchema<Record<Name, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  })

const servePrompts = (server: McpServer): void => {
  const user = (content: ContentBlock) => ({ role: 'user' as const, content })
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [user(textBlock('This is a simple prompt for testing.'))],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Of two', argsSchema: texts<'arg1' | 'arg2'>('arg1', 'arg2') },
    ({ arg1, arg2 }) => ({
      messages: [user(textBlock(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  )
  server.server.setRequestHandler('completion/complete', ({ params }) => {
    const { value } = params.argument
    const values = ['paris', 'park', 'party'].filter((each) => each.startsWith(value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: texts<'resourceUri'>('resourceUri') },
    ({ resourceUri: uri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        user(textBlock('Please process the embedded resource above.')),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With a picture' }, () => ({
    messages: [user(image), user(textBlock('Please analyze the image above.'))],
  }))
}
