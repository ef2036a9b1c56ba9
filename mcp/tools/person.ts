import { createHash } from 'node:crypto'
import {
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
export interface PersonAnswer<S> {
  isAccepted: boolean
  fields: Readonly<Record<string, unknown>>
  state: S
}

/** The person who uses the client. */
export interface Person {
  /** Whether the client shows forms. Without that a tool works as if the person agreed. */
  canAnswer: boolean
  /** Undefined in the first round, and for an answer to another question. */
  answer<S>(): PersonAnswer<S> | undefined
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

export const personOf = ({ tool, input, context }: Call, canAnswer: boolean): Person => ({
  canAnswer,
  answer<S>() {
    const { requestState, inputResponses } = context.mcpReq
    // The SDK has verified the signature, the age and the caller.
    const made = requestState<State>()
    const response = inputResponses?.[KEY]
    if (!made || !response) return undefined
    if (made.tool !== tool || made.input !== fingerprint(input)) return undefined
    return readAnswer(response, made.state as S)
  },
})

/** @param response the result of `elicitation/create`. A client may send anything. */
const readAnswer = <S>(response: unknown, state: S): PersonAnswer<S> => {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: unknown }
  return {
    isAccepted: action === 'accept',
    fields: typeof content === 'object' ? { ...content } : {},
    state,
  }
}

/** Sends a request to the client within the response to its call. @returns its result. */
export type AskClient = (
  request: { method: string; params: Record<string, unknown> },
  context: ServerContext,
) => Promise<unknown>

/** Asks within the call. @returns the person with the answer. */
export const ask = async (
  question: Question,
  context: ServerContext,
  askClient: AskClient,
): Promise<Person> => {
  const params = { mode: 'form', message: question.message, requestedSchema: schemaOf(question) }
  const response = await askClient({ method: 'elicitation/create', params }, context)
  return {
    canAnswer: true,
    answer: <S>() => readAnswer(response, question.state as S),
  }
}

const schemaOf = ({ fields }: Question) => ({
  type: 'object' as const,
  properties: fields,
  ...(Object.keys(fields).length > 0 && { required: Object.keys(fields) }),
})

/** The result that makes the client ask its user, and call again with the answer. */
export const asInputRequired = async (
  question: Question,
  { tool, input, context }: Call,
  codec: StateCodec,
): Promise<InputRequiredResult> =>
  inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        mode: 'form',
        message: question.message,
        requestedSchema: schemaOf(question),
      }),
    },
    requestState: await codec.mint(
      { tool, input: fingerprint(input), state: question.state },
      context,
    ),
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
