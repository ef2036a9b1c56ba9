import { createHash } from 'node:crypto'
import {
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** The one question of a round. */
const KEY = 'answer'

type Field = { type: 'string'; title: string; enum: string[] }

/** A question to the person who uses the client, instead of a result. The call continues with the answer. */
export class Question {
  constructor(
    readonly message: string,
    /** The form. Without fields, accepting is the answer. */
    readonly fields: Record<string, Field>,
    /** For the next round. The client can read it, but not change it. */
    readonly state: unknown,
  ) {}
}

/** The person's answer to the question of the previous round. */
export interface Answer<S> {
  isAccepted: boolean
  fields: Readonly<Record<string, unknown>>
  state: S
}

/** The person who uses the client. */
export interface Person {
  /** Whether the client shows forms. Without that a tool works as if the person agreed. */
  canAnswer: boolean
  /** Undefined in the first round, and for an answer to another question. */
  answer<S>(): Answer<S> | undefined
}

/** A state is valid for the tool and the arguments that it was made for. */
interface State {
  tool: string
  input: string
  state: unknown
}

export type StateCodec = RequestStateCodec<State>

interface Call {
  tool: string
  input: unknown
  context: ServerContext
}

/** @param capabilities those of the client. */
export const personOf = (
  { tool, input, context }: Call,
  capabilities: ClientCapabilities | undefined,
): Person => ({
  canAnswer: showsForms(capabilities),
  answer<S>() {
    const { requestState, inputResponses } = context.mcpReq
    // The SDK has verified the signature, the age and the caller.
    const made = requestState<State>()
    const response = inputResponses?.[KEY] as { action?: unknown; content?: object } | undefined
    if (!made || !response) return undefined
    if (made.tool !== tool || made.input !== fingerprint(input)) return undefined
    return {
      isAccepted: response.action === 'accept',
      fields: { ...response.content },
      state: made.state as S,
    }
  },
})

/** Before 2025-11-25 a client with elicitation had forms, and said nothing more. */
const showsForms = (capabilities: ClientCapabilities | undefined): boolean => {
  const elicitation = capabilities?.elicitation
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url)
}

/** The result that makes the client ask its user, and call again with the answer. */
export const asInputRequired = async (
  { message, fields, state }: Question,
  { tool, input, context }: Call,
  codec: StateCodec,
): Promise<InputRequiredResult> =>
  inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        mode: 'form',
        message,
        requestedSchema: {
          type: 'object',
          properties: fields,
          ...(Object.keys(fields).length > 0 && { required: Object.keys(fields) }),
        },
      }),
    },
    requestState: await codec.mint({ tool, input: fingerprint(input), state }, context),
  })

const fingerprint = (input: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(input)))
    .digest('base64url')

/** A client may send the arguments of the next round in another order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => [name, sorted(each)])
}
