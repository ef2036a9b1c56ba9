import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

const answer = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

const ask = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    },
  })

const confirm = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
})

const think = (text: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens,
  })

/** Signs the state that passes through the client, and verifies it on return. */
export const states = createRequestStateCodec<number>({
  key: crypto.getRandomValues(new Uint8Array(32)),
})

const stepOf = ({ mcpReq }: ServerContext): number => mcpReq.requestState<number>() ?? 0

type Ask = (
  context: ServerContext,
  server: McpServer,
) => Promise<CallToolResult | ReturnType<typeof inputRequired>>

/** Tools that request input from the client. */
const tools: Record<string, Ask> = {
  async test_input_required_result_elicitation({ mcpReq }) {
    const input = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, 'user_name')
    return typeof input?.name === 'string'
      ? answer(`Hello, ${input.name}!`)
      : inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
  },

  async test_input_required_result_sampling({ mcpReq }) {
    const response = inputResponse(mcpReq.inputResponses, 'capital_question')
    return response.kind === 'sampling'
      ? answer(JSON.stringify(response.result.content))
      : inputRequired({
          inputRequests: { capital_question: think('What is the capital of France?', 100) },
        })
  },

  async test_input_required_result_list_roots({ mcpReq }) {
    const accepted = inputResponse(mcpReq.inputResponses, 'client_roots')
    return accepted.kind === 'roots'
      ? answer(accepted.roots.map(({ uri }) => uri).join(', '))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  },

  async test_input_required_result_request_state(context) {
    if (stepOf(context) === 1) return answer('state-ok')
    return inputRequired({
      inputRequests: { confirm: confirm },
      requestState: await states.mint(1),
    })
  },

  async test_input_required_result_multiple_inputs(context) {
    if (stepOf(context) === 1)
      return answer(Object.keys(context.mcpReq.inputResponses ?? {}).join(', '))
    return inputRequired({
      inputRequests: {
        user_name: ask('What is your name?', 'name'),
        greeting: think('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint(1),
    })
  },

  async test_input_required_result_multi_round(context) {
    const step = stepOf(context) + 1
    if (step === 3) return answer('Both steps are done')
    const question =
      step === 1
        ? ask('Step 1: What is your name?', 'name')
        : ask('Step 2: What is your favorite color?', 'color')
    return inputRequired({
      inputRequests: { [`step${step}`]: question },
      requestState: await states.mint(step),
    })
  },

  async test_input_required_result_tampered_state(context) {
    if (stepOf(context) === 1) return answer('The state is as it was')
    return inputRequired({
      inputRequests: { confirm: confirm },
      requestState: await states.mint(1),
    })
  },

  async test_input_required_result_capabilities(_, { server }) {
    const able = server.getClientCapabilities()
    return inputRequired({
      inputRequests: {
        ...(able?.sampling && { greeting: think('Generate a greeting', 50) }),
        ...(able?.elicitation && { user_name: ask('What is your name?', 'name') }),
      },
    })
  },

  async test_streaming_elicitation({ mcpReq }) {
    const given = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, 'user_name')
    return given
      ? answer('Thank you')
      : inputRequired({ inputRequests: { user_name: ask('What is your name?', 'name') } })
  },

  async test_missing_capability(_, { server }) {
    if (server.getClientCapabilities()?.sampling) return answer('It can')
    return inputRequired({ inputRequests: { thought: think('Anything', 10) } })
  },
}

export const serveInputTools = (server: McpServer): void => {
  for (const [name, run] of Object.entries(tools))
    server.registerTool(name, { description: name }, (context) => run(context, server))
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks what it is about' },
    ({ mcpReq }) => {
      const input = acceptedContent<{ context?: string }>(mcpReq.inputResponses, 'user_context')
      if (!input)
        return inputRequired({
          inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
        })
      const text = `About ${input.context}`
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    },
  )
}
