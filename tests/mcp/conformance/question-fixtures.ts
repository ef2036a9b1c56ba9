import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import { type AwaitAnswer, askingBy } from '../../../mcp/asking.ts'

const FORMS: Record<string, Record<string, object>> = {
  test_elicitation: { username: { type: 'string' }, email: { type: 'string' } },
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  },
}

/** Tools that ask a client of an older revision within the call. */
export const serveQuestions = (server: McpServer, awaitAnswer: AwaitAnswer | undefined): void => {
  const inputSchema = fromJsonSchema<{ message?: string }>({
    type: 'object',
    properties: { message: { type: 'string' } },
  })
  for (const [name, properties] of Object.entries(FORMS))
    server.registerTool(name, { description: 'Asks', inputSchema }, async (input, context) => {
      if (!awaitAnswer) throw new Error('The client cannot ask its user')
      const { message = 'Please fill in' } = input
      const required = name === 'test_elicitation' ? Object.keys(properties) : []
      const answer = await askingBy(server.server, awaitAnswer)(
        {
          method: 'elicitation/create',
          params: {
            message,
            requestedSchema: {
              type: 'object',
              properties,
              ...(required.length > 0 && { required }),
            },
          },
        },
        context,
      )
      return { content: [{ type: 'text', text: `User response: ${JSON.stringify(answer)}` }] }
    })
}
