import { createHash } from 'node:crypto'
import type { AskOptions } from '../../mcp/asking.ts'
import { ToolCallError } from '../../mcp/host.ts'
import type { Database } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ANSWERS_CHANNEL, notifyAnswer } from './answers-store.ts'

/** A person has so long. Afterwards nothing is done, as if the question was cancelled. */
const WAIT_MS = 5 * 60_000
/** A form has one field. The hash and the quotes of JSON fit the rest of a notification. */
const MAX_ANSWER_BYTES = 4_000

/** Each waiting call holds a connection. An agent that calls in parallel waits for fewer. */
const MAX_WAITING_PER_USER = 20

const CANCELLED = { action: 'cancel' }

/** Whose answer it is: those of another caller or session have another key. */
interface AnswerAddress {
  caller: Pick<Caller, 'userId' | 'keyId' | 'sessionId'>
  /** The session id of the client. */
  session: string
  /** The id of the request to the client. */
  id: unknown
}

/**
 * The answers of clients of older revisions, over HTTP: such a client is asked in the response to its call,
 * and answers with another request, which may reach another process.
 */
export type ClientAnswers = ReturnType<typeof createClientAnswers>

export const createClientAnswers = ({ query, listen }: Pick<Database, 'query' | 'listen'>) => {
  const waiting = new Map<string, { userId: string; resolve(answer: unknown): void }>()
  let listening: Promise<AsyncDisposable | undefined> | undefined

  const onNotice = (text?: string) => {
    if (text === undefined) return
    const { key, answer } = JSON.parse(text) as { key: string; answer: unknown }
    waiting.get(key)?.resolve(answer)
  }
  const openListener = () => {
    listening ??= listen(ANSWERS_CHANNEL, onNotice).catch((error: unknown) => {
      listening = undefined
      throw error
    })
    return listening
  }

  return {
    /** @returns false behind a pooler, where processes cannot notify each other. */
    open: async (): Promise<boolean> => (await openListener()) !== undefined,

    /**
     * Sends a request, and waits for its answer.
     * @returns the answer; a cancelled one after five minutes, or when the call or the server ends.
     * @throws ToolCallError if too many calls of the user wait in this process.
     */
    async wait(address: AnswerAddress, { signal, send }: AskOptions): Promise<unknown> {
      const key = keyOf(address)
      const { userId } = address.caller
      const isOfUser = (each: { userId: string }) => each.userId === userId
      if ([...waiting.values()].filter(isOfUser).length >= MAX_WAITING_PER_USER)
        throw new ToolCallError(
          `${MAX_WAITING_PER_USER} questions to the user wait for an answer. Call again when they are answered.`,
        )
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const cancel = () => resolve(CANCELLED)
      const timer = setTimeout(cancel, WAIT_MS)
      signal.addEventListener('abort', cancel, { once: true })
      waiting.set(key, { userId, resolve })
      if (signal.aborted) cancel()
      try {
        await send()
        return await promise
      } finally {
        waiting.delete(key)
        clearTimeout(timer)
        signal.removeEventListener('abort', cancel)
      }
    },

    /**
     * Passes an answer on to the process that waits for it, if any. One that is too long for a notification
     * arrives as a cancelled one.
     */
    async deliver(address: AnswerAddress, answer: unknown): Promise<void> {
      const key = keyOf(address)
      const answered = waiting.get(key)
      if (answered) return answered.resolve(answer)
      const text = JSON.stringify({ key, answer: answer ?? CANCELLED })
      const fits = Buffer.byteLength(text) <= MAX_ANSWER_BYTES
      await notifyAnswer(query, fits ? text : JSON.stringify({ key, answer: CANCELLED }))
    },

    async close(): Promise<void> {
      await (await listening)?.[Symbol.asyncDispose]()
    },
  }
}

const keyOf = ({ caller, session, id }: AnswerAddress): string => {
  const { userId, keyId, sessionId } = caller
  const text = JSON.stringify([userId, keyId ?? sessionId, session, id])
  return createHash('sha256').update(text).digest('base64url')
}
