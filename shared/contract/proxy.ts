import { Type } from '@sinclair/typebox'
import { AnyObject } from './common.ts'
import { endpoint, stream } from './endpoint.ts'

/** The error of OpenAI's API. */
const OpenAiError = Type.Object({
  error: Type.Object({
    message: Type.String(),
    type: Type.String(),
    param: Type.Null(),
    code: Type.Union([Type.String(), Type.Null()]),
  }),
})

/** The error of Anthropic's API. */
const AnthropicError = Type.Object({
  type: Type.Literal('error'),
  error: Type.Object({ type: Type.String(), message: Type.String() }),
  request_id: Type.String(),
})

/** Statuses of svc's own errors. Those of the provider are passed on. */
const STATUSES = [400, 401, 403, 413, 415, 429, 502, 503] as const

const errorBodiesOf = <T extends typeof OpenAiError | typeof AnthropicError>(body: T) =>
  Object.fromEntries(STATUSES.map((status) => [status, body]))

const ABOUT =
  'The request goes to the configured provider, and its response comes back unchanged. Other fields of the protocol are passed on. The header `X-Svc-Memory` is `on` (default), `read` to store nothing, or `off` to add nothing either. `X-Svc-Thread` names the conversation.'

const Model = () => Type.String({ description: 'A model of the provider.', examples: ['a-model'] })
const Streamed = () => Type.Optional(Type.Boolean())

const tag = 'Models'

export const openAiChatCompletions = endpoint({
  name: 'openAiChatCompletions',
  method: 'POST',
  path: '/api/openai/v1/chat/completions',
  tag,
  summary: 'Complete a chat with memory, by OpenAI’s protocol',
  protocol: { about: ABOUT },
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: Type.Object({
    model: Model(),
    messages: Type.Array(AnyObject(), {
      examples: [[{ role: 'user', content: 'Where do we deploy?' }]],
    }),
    stream: Streamed(),
  }),
  success: [200, AnyObject()],
  streamed: stream('text/event-stream', AnyObject()),
  errors: STATUSES,
  errorBodies: errorBodiesOf(OpenAiError),
})

export const openAiResponses = endpoint({
  name: 'openAiResponses',
  method: 'POST',
  path: '/api/openai/v1/responses',
  tag,
  summary: 'Create a response with memory, by OpenAI’s protocol',
  protocol: { about: ABOUT },
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: Type.Object({
    model: Model(),
    input: Type.Union([Type.String(), Type.Array(AnyObject())], {
      examples: ['Where do we deploy?'],
    }),
    stream: Streamed(),
  }),
  success: [200, AnyObject()],
  streamed: stream('text/event-stream', AnyObject()),
  errors: STATUSES,
  errorBodies: errorBodiesOf(OpenAiError),
})

export const openAiEmbeddings = endpoint({
  name: 'openAiEmbeddings',
  queue: 'slow',
  method: 'POST',
  path: '/api/openai/v1/embeddings',
  tag,
  summary: 'Create embeddings, by OpenAI’s protocol',
  protocol: { about: 'The request and its response pass unchanged.' },
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: Type.Object({
    model: Model(),
    input: Type.Union([Type.String(), Type.Array(Type.Unknown())], { examples: ['Some text'] }),
  }),
  success: [200, AnyObject()],
  errors: STATUSES,
  errorBodies: errorBodiesOf(OpenAiError),
})

/** A request without memory, whose response passes unchanged. */
const passedWith = <T extends typeof OpenAiError | typeof AnthropicError>(error: T) => ({
  tag,
  queue: 'slow' as const,
  protocol: { about: 'The response passes unchanged.' },
  credential: 'bearer' as const,
  requiresVerifiedEmail: true,
  success: [200, AnyObject()] as const,
  errors: STATUSES,
  errorBodies: errorBodiesOf(error),
})

const passedOpenAi = passedWith(OpenAiError)
const passedAnthropic = passedWith(AnthropicError)

const ModelId = Type.Object({ model: Type.String({ description: 'The id of the model.' }) })
const ResponseId = Type.Object({
  response_id: Type.String({ description: 'The id of the response.' }),
})

export const openAiModels = endpoint({
  ...passedOpenAi,
  name: 'openAiModels',
  method: 'GET',
  path: '/api/openai/v1/models',
  summary: 'List the provider’s models, by OpenAI’s protocol',
})

export const openAiModel = endpoint({
  ...passedOpenAi,
  name: 'openAiModel',
  method: 'GET',
  path: '/api/openai/v1/models/{model}',
  summary: 'Get a model of the provider, by OpenAI’s protocol',
  params: ModelId,
})

export const openAiResponse = endpoint({
  ...passedOpenAi,
  name: 'openAiResponse',
  method: 'GET',
  path: '/api/openai/v1/responses/{response_id}',
  summary: 'Get a response that the provider keeps, by OpenAI’s protocol',
  params: ResponseId,
})

export const openAiResponseItems = endpoint({
  ...passedOpenAi,
  name: 'openAiResponseItems',
  method: 'GET',
  path: '/api/openai/v1/responses/{response_id}/input_items',
  summary: 'List the input of a response with its memories, by OpenAI’s protocol',
  params: ResponseId,
})

export const openAiCancelResponse = endpoint({
  ...passedOpenAi,
  name: 'openAiCancelResponse',
  method: 'POST',
  path: '/api/openai/v1/responses/{response_id}/cancel',
  summary: 'Cancel a response in the background, by OpenAI’s protocol',
  params: ResponseId,
})

export const openAiDeleteResponse = endpoint({
  ...passedOpenAi,
  name: 'openAiDeleteResponse',
  method: 'DELETE',
  path: '/api/openai/v1/responses/{response_id}',
  summary: 'Delete a response that the provider keeps, by OpenAI’s protocol',
  params: ResponseId,
})

const Messages = () =>
  Type.Array(AnyObject(), { examples: [[{ role: 'user', content: 'Where do we deploy?' }]] })

export const anthropicMessages = endpoint({
  name: 'anthropicMessages',
  method: 'POST',
  path: '/api/anthropic/v1/messages',
  tag,
  summary: 'Create a message with memory, by Anthropic’s protocol',
  protocol: { about: ABOUT },
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: Type.Object({
    model: Model(),
    max_tokens: Type.Integer({ examples: [1024] }),
    messages: Messages(),
    stream: Streamed(),
  }),
  success: [200, AnyObject()],
  streamed: stream('text/event-stream', AnyObject()),
  errors: STATUSES,
  errorBodies: errorBodiesOf(AnthropicError),
})

export const anthropicCountTokens = endpoint({
  name: 'anthropicCountTokens',
  method: 'POST',
  path: '/api/anthropic/v1/messages/count_tokens',
  tag,
  summary: 'Count the tokens of a message with its memories, by Anthropic’s protocol',
  protocol: { about: ABOUT },
  credential: 'bearer',
  requiresVerifiedEmail: true,
  body: Type.Object({ model: Model(), messages: Messages() }),
  success: [200, AnyObject()],
  errors: STATUSES,
  errorBodies: errorBodiesOf(AnthropicError),
})

export const anthropicModels = endpoint({
  ...passedAnthropic,
  name: 'anthropicModels',
  method: 'GET',
  path: '/api/anthropic/v1/models',
  summary: 'List the provider’s models, by Anthropic’s protocol',
})

export const anthropicModel = endpoint({
  ...passedAnthropic,
  name: 'anthropicModel',
  method: 'GET',
  path: '/api/anthropic/v1/models/{model}',
  summary: 'Get a model of the provider, by Anthropic’s protocol',
  params: ModelId,
})
