import { ApiFailure, type Client } from '../../shared/client.ts'
import { type CapturedMessage, capture } from '../../shared/contract/capture.ts'
import type { Runtime } from '../runtime.ts'

export interface SendCounts {
  /** New messages. */
  imported: number
  /** Messages that hooks or an earlier import stored. */
  already_stored: number
  /** Messages that the server refuses. */
  refused: number
  /** The reason for the first of these. */
  refusal: string | undefined
}

export const newSendCounts = (): SendCounts => ({
  imported: 0,
  already_stored: 0,
  refused: 0,
  refusal: undefined,
})

export interface SentConversation {
  client: string
  session: string
  project: string | undefined
}

/** A request has at most 1 MiB and 500 messages. */
const MAX_REQUEST_BYTES = 900_000
const MAX_REQUEST_MESSAGES = 200

interface SenderDeps {
  client: Client
  clock: Runtime['clock']
  counts: SendCounts
  signal: AbortSignal
}

/** Sends messages in batches, in order, each batch of one conversation. */
export const createSender = (deps: SenderDeps) => {
  let conversation: SentConversation | undefined
  let batch: CapturedMessage[] = []
  let bytes = 0

  const flush = async (): Promise<void> => {
    const messages = batch
    batch = []
    bytes = 0
    if (conversation && messages.length) await sendBatch(deps, conversation, messages)
  }
  return {
    async add(to: SentConversation, messages: readonly CapturedMessage[]): Promise<void> {
      if (conversation?.session !== to.session || conversation.project !== to.project) await flush()
      conversation = to
      for (const message of messages) {
        const size = Buffer.byteLength(JSON.stringify(message))
        if (batch.length === MAX_REQUEST_MESSAGES || bytes + size > MAX_REQUEST_BYTES) await flush()
        batch.push(message)
        bytes += size
      }
    },
    flush,
  }
}

const MAX_WAIT_SECONDS = 120

/** Waits while the server limits requests. A batch that it refuses is sent message by message. */
const sendBatch = async (
  deps: SenderDeps,
  conversation: SentConversation,
  messages: CapturedMessage[],
): Promise<void> => {
  const { clock, counts, signal } = deps
  for (;;) {
    signal.throwIfAborted()
    try {
      const fresh = await captureMessages(deps, conversation, messages)
      counts.imported += fresh
      counts.already_stored += messages.length - fresh
      return
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const { status, retryAfter } = error
      if (status === 429 && retryAfter !== undefined && retryAfter <= MAX_WAIT_SECONDS) {
        await clock.sleep(retryAfter * 1_000)
        continue
      }
      if (status !== 413 && status !== 422) throw error
      if (messages.length > 1) {
        for (const message of messages) await sendBatch(deps, conversation, [message])
        return
      }
      counts.refused += 1
      counts.refusal ??= error.message
      return
    }
  }
}

/** @returns how many of the messages were not stored before. */
const captureMessages = async (
  { client, signal }: SenderDeps,
  { project, ...key }: SentConversation,
  messages: CapturedMessage[],
): Promise<number> => {
  const body = { ...key, channel: 'import' as const, project: project ?? null, messages }
  const { memories } = await client.call(capture, { body, signal })
  // A message of several parts has several memories.
  return new Set(
    memories.filter(({ deduplicated }) => !deduplicated).map(({ turn, role }) => `${role} ${turn}`),
  ).size
}
