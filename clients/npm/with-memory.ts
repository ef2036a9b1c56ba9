import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { isLimit } from '../../shared/timers.ts'
import type { Trust } from './api.ts'
import type { SvcClient } from './index.ts'
import { quietly } from './quietly.ts'

export interface MemoryOptions {
  client: SvcClient
  /** The id of the conversation, at most 200 characters. Its own messages are left out of the context. */
  thread: string
  /** Whether turns are remembered. Default: true. */
  remember?: boolean | undefined
  /** The budget of the context, in tokens. Default: 600. */
  maxTokens?: number | undefined
  /** Only memories that are trusted at least so much are given to the model. Default: all. */
  minTrust?: Trust | undefined
  /** Milliseconds that a call of the memory may need with its retries; 0 and `Infinity` are no limit. Default: 5,000. */
  timeoutMs?: number | undefined
  /** Called when the memory failed. The call of the model goes on without it. */
  onError?: ((error: unknown, action: 'context' | 'remember') => void) | undefined
}

/** The name of the program in captured conversations. */
const PROGRAM = 'ai-sdk'
const DEFAULT_TIMEOUT_MS = 5_000

/**
 * A model with memory: it gets what svc knows about a message in a system message, and svc remembers the message
 * and the answer. The steps of a tool loop have one context, and are remembered once, with the last step.
 */
export const withMemory = (
  model: Parameters<typeof wrapLanguageModel>[0]['model'],
  options: MemoryOptions,
): ReturnType<typeof wrapLanguageModel> => {
  const memory = createMemory(options)
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({
        ...params,
        prompt: withContext(params.prompt, await memory.contextOf(params)),
      }),
      async wrapGenerate({ doGenerate, params }) {
        const result = await doGenerate()
        const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''))
        await memory.remember(params, texts.join(''), result.finishReason.unified)
        return result
      },
      async wrapStream({ doStream, params }) {
        const { stream, ...result } = await doStream()
        let answer = ''
        let finish = 'interrupted'
        const remembering = new TransformStream<StreamPart, StreamPart>({
          transform(part, controller) {
            if (part.type === 'text-delta') answer += part.delta
            if (part.type === 'finish') finish = part.finishReason.unified
            controller.enqueue(part)
          },
          // Before the end of the stream: a serverless function stops with its response.
          flush: () => memory.remember(params, answer, finish),
        })
        return { ...result, stream: stream.pipeThrough(remembering) }
      },
    },
  })
}

type StreamPart =
  Awaited<ReturnType<LanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer P>
    ? P
    : never

/** The limits of the API, in characters. */
const MAX_QUESTION_LENGTH = 32_000
const MAX_CONTENT_LENGTH = 400_000
/** As JSON. The body of a request has up to 1 MiB, and a turn has two texts. */
const MAX_CONTENT_BYTES = 500_000

/** A text that the API accepts: not too long, without half a character (that a cut leaves) and NUL. */
const accepted = (text: string, maxLength: number): string => {
  const cut = text.slice(0, maxLength).toWellFormed().replaceAll('\0', ' ')
  const { length } = new TextEncoder().encode(JSON.stringify(cut))
  if (length <= MAX_CONTENT_BYTES) return cut
  return accepted(cut, Math.floor((cut.length * MAX_CONTENT_BYTES) / length))
}

/** A question of the user, and its number in the conversation, from 1. */
interface Question {
  text: string
  ordinal: number
  /** Whether the model has not yet called a tool for it. */
  isNew: boolean
}

const questionOf = (prompt: LanguageModelV4Prompt): Question | undefined => {
  const questions = prompt.filter((message) => message.role === 'user')
  const texts = (questions.at(-1)?.content ?? []).flatMap((part) =>
    part.type === 'text' ? part.text : [],
  )
  const text = accepted(texts.join('\n'), MAX_CONTENT_LENGTH)
  if (text.trim() === '') return undefined
  return { text, ordinal: questions.length, isNew: prompt.at(-1)?.role === 'user' }
}

/** After the instructions of the app, so that providers can cache these. */
const withContext = (prompt: LanguageModelV4Prompt, content: string): LanguageModelV4Prompt => {
  if (content === '') return prompt
  const start = prompt.findIndex(({ role }) => role !== 'system')
  return prompt.toSpliced(start < 0 ? prompt.length : start, 0, { role: 'system', content })
}

const createMemory = ({ client, thread, remember = true, onError, ...options }: MemoryOptions) => {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const { methods } = client
  const limited = (...signals: (AbortSignal | undefined)[]) =>
    AbortSignal.any([
      ...[isLimit(timeoutMs) ? AbortSignal.timeout(timeoutMs) : undefined, ...signals].filter(
        (each) => each !== undefined,
      ),
    ])
  let last: { key: string; text: Promise<string> } | undefined
  const recover = async <T>(
    action: 'context' | 'remember',
    call: Promise<T>,
    signal?: AbortSignal,
  ) => {
    try {
      return await call
    } catch (error) {
      if (!signal?.aborted) void quietly(() => onError?.(error, action))
      return undefined
    }
  }
  const requestContext = async ({ text }: Question, signal: AbortSignal | undefined) => {
    const args = {
      query: accepted(text, MAX_QUESTION_LENGTH),
      thread: `${PROGRAM}:${thread}`,
      ...(options.maxTokens && { max_tokens: options.maxTokens }),
      ...(options.minTrust && { min_trust: options.minTrust }),
    }
    const call = methods.context(args, { timeoutMs, signal: limited(signal) })
    const result = await recover('context', call, signal)
    return result?.text ?? ''
  }
  return {
    /** The steps of a tool loop get the same context. */
    async contextOf({ prompt, abortSignal }: LanguageModelV4CallOptions): Promise<string> {
      const question = questionOf(prompt)
      if (!question) return ''
      const key = `${question.ordinal} ${question.text}`
      if (question.isNew || last?.key !== key)
        last = { key, text: requestContext(question, abortSignal) }
      return last.text
    },
    /** Only the last step of a turn has another finish than a tool call. */
    async remember({ prompt }: LanguageModelV4CallOptions, answer: string, finish: string) {
      const question = questionOf(prompt)
      if (!remember || !question || !REMEMBERED_FINISHES.includes(finish)) return
      const { text, ordinal } = question
      const completion = accepted(answer, MAX_CONTENT_LENGTH)
      const messages = [
        { turn: await turnOf(ordinal, text), role: 'user' as const, content: text, ordinal },
        ...(completion.trim() === ''
          ? []
          : [
              {
                // Another answer to the same question is another turn.
                turn: await turnOf(ordinal, text, completion),
                role: 'assistant' as const,
                content: completion,
                ordinal,
              },
            ]),
      ]
      const body = { client: PROGRAM, channel: 'hook' as const, session: thread, messages }
      await recover('remember', methods.capture(body, { timeoutMs, signal: limited() }))
    },
  }
}

const REMEMBERED_FINISHES = ['stop', 'length', 'other']

/** The same message at the same place of a conversation is stored once. */
const turnOf = async (ordinal: number, ...texts: string[]): Promise<string> => {
  const bytes = new TextEncoder().encode(JSON.stringify(texts))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `${ordinal}-${[...hash.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
