import type { KeptLine, LineFilter } from './log-ring.ts'
import type { ModelFailure } from './models/failure.ts'

/** The part of a process in the server that has started it. */
export interface Membership {
  port: number
  baseUrl: string
  /** The token of the link for the first admin, which any process may be asked to accept. */
  claim: { token: string; endsAt: number } | undefined
}

/** The metrics of a process, as its registry gives them. */
export type ProcessMetrics = { type?: unknown }[]

/** Lines of the log of one process. */
export interface FoundLines {
  process: string
  lines: KeptLine[]
}

/** Texts for the encoder of the first process. */
export interface TextsToEncode {
  texts: string[]
  /** Questions come before memories. */
  purpose: 'question' | 'memory'
}

export type EncodedTexts =
  /** In the order of the texts, of the model with this identity; null for a text without a vector. */
  | { identity: string; vectors: (number[] | null)[] }
  | { failure: ModelFailure['kind']; reason: string | undefined }

/** Encodes in the first process of a server. */
export type EncodeTexts = (input: TextsToEncode) => Promise<EncodedTexts>

/** A message between the first process of a server and another one. */
export type ProcessMessage =
  | { type: 'join'; membership: Membership }
  | { type: 'stop' }
  /** With what the asking process has counted, so that the answers since stay true when it is killed. */
  | { type: 'question'; id: number; own: ProcessMetrics[] }
  | { type: 'answer'; id: number; reports: ProcessMetrics[] }
  | { type: 'log question'; id: number; filter: LineFilter }
  | { type: 'log answer'; id: number; found: FoundLines[] }
  | { type: 'encoder question'; id: number; input: TextsToEncode }
  | { type: 'encoder answer'; id: number; encoded: EncodedTexts }

/** One side of the channel between two processes. */
export type Link = ReturnType<typeof createLink>

interface LinkOptions {
  send(message: ProcessMessage): void
  answer(): Promise<ProcessMetrics[]>
  answerLines(filter: LineFilter): Promise<FoundLines[]>
  /** Undefined where only the other side has an encoder. */
  encode?: EncodeTexts | undefined
  timeoutMs: number
}

export const createLink = ({ send, answer, answerLines, encode, timeoutMs }: LinkOptions) => {
  const reports = createQuestions<ProcessMetrics[]>(timeoutMs)
  const lines = createQuestions<FoundLines[]>(timeoutMs)
  const encoded = createQuestions<EncodedTexts>(timeoutMs)
  let known: ProcessMetrics[] = []
  const respond = <T>(found: Promise<T>, toMessage: (found: T) => ProcessMessage): void => {
    found.then(
      (value) => send(toMessage(value)),
      () => {},
    )
  }
  return {
    receive(message: ProcessMessage): void {
      const { type } = message
      if (type === 'answer') reports.answered(message.id, message.reports)
      if (type === 'log answer') lines.answered(message.id, message.found)
      if (type === 'encoder answer') encoded.answered(message.id, message.encoded)
      if (type === 'encoder question' && encode) {
        const { id, input } = message
        respond(encode(input), (found) => ({ type: 'encoder answer', id, encoded: found }))
      }
      if (type === 'log question') {
        const { id, filter } = message
        respond(answerLines(filter), (found) => ({ type: 'log answer', id, found }))
      }
      if (type === 'question') {
        const { id, own } = message
        known = own.length === 0 ? known : own
        respond(answer(), (found) => ({ type: 'answer', id, reports: found }))
      }
    },
    /** The reports of the other side; the previous ones if it does not answer in time, as sums must not fall. */
    async ask(own: ProcessMetrics[]): Promise<ProcessMetrics[]> {
      known = await reports.ask(
        (id) => send({ type: 'question', id, own }),
        () => known,
      )
      return known
    },
    /** Lines of the logs of the other side; none if it does not answer in time. */
    askLines: (filter: LineFilter): Promise<FoundLines[]> =>
      lines.ask(
        (id) => send({ type: 'log question', id, filter }),
        () => [],
      ),
    /** Vectors by the encoder of the other side; a failure if it does not answer in time. */
    encode: (input: TextsToEncode): Promise<EncodedTexts> =>
      encoded.ask(
        (id) => send({ type: 'encoder question', id, input }),
        () => ({ failure: 'timeout', reason: undefined }),
      ),
    /** The reports of its last answer or question. */
    known: (): ProcessMetrics[] => known,
  }
}

/** Numbers the questions of one kind, and waits for their answers. */
const createQuestions = <Answer>(timeoutMs: number) => {
  const waiting = new Map<number, (answer: Answer) => void>()
  let last = 0
  return {
    /** @param withoutAnswer returns the result after the timeout. */
    async ask(send: (id: number) => void, withoutAnswer: () => Answer): Promise<Answer> {
      last += 1
      const id = last
      const { promise, resolve } = Promise.withResolvers<Answer>()
      waiting.set(id, resolve)
      const timer = setTimeout(() => resolve(withoutAnswer()), timeoutMs)
      send(id)
      const answer = await promise
      clearTimeout(timer)
      waiting.delete(id)
      return answer
    },
    answered(id: number, answer: Answer): void {
      waiting.get(id)?.(answer)
    },
  }
}
