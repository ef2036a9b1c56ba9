import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout } from 'bun:test'
import { createLog } from '../../server/platform/log.ts'
import { createModels } from '../../server/platform/models/models.ts'
import { TIMING, type Timing } from '../../server/platform/models/timing.ts'
import type {
  LocalReason,
  ModelEvent,
  ModelRequest,
  Models,
  ProviderName,
} from '../../server/platform/models/types.ts'
import { type ModelServer, startModelServer } from '../harness/model-server.ts'
import { quietPort } from '../harness/ports.ts'

export const KEY = 'sk-of-the-suite-and-not-for-a-log'
/** In what a person wrote, in what a model said and in what a server answered. */
export const PRIVATE = 'a word between the two of us'

export interface ModelsOptions {
  /** Which are configured: all at the one server, told apart by their models, `<name>-model`. */
  providers?: ProviderName[]
  /** Elsewhere than at the server. */
  urls?: Partial<Record<ProviderName, string>>
  fallsBackToLocal?: boolean
  /** With the first of them. */
  patience?: Partial<Timing['patience'][ProviderName]>
  breaker?: Partial<Timing['breaker']>
  retry?: Partial<Timing['retry']>
}

/** One model server for a file, and routers before it, whose log is looked through after each test. */
export const useModels = () => {
  // A busy machine takes seconds.
  setDefaultTimeout(120_000)
  let server: ModelServer | undefined
  const log: string[] = []
  beforeAll(async () => {
    server = await startModelServer()
  })
  afterEach(() => {
    const text = log.splice(0).join('')
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(PRIVATE)
    current().reset()
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
  })
  const current = (): ModelServer => {
    if (!server) throw new Error('the server starts before the tests')
    return server
  }

  return {
    get server() {
      return current()
    },
    log,
    /** The lines of the log with this message. */
    logged: (msg: string) => log.map((line) => JSON.parse(line)).filter((line) => line.msg === msg),
    create({ providers = ['openai'], urls = {}, ...options }: ModelsOptions = {}): Models {
      const [first = 'openai'] = providers
      return createModels(
        {
          providers: providers.map((name) => ({
            name,
            baseUrl: urls[name] ?? current().url,
            apiKey: KEY,
            model: `${name}-model`,
          })),
          contextTokens: 1_000,
          fallsBackToLocal: options.fallsBackToLocal ?? true,
        },
        createLog('debug', { write: (line) => log.push(line) }),
        {
          patience: {
            ...TIMING.patience,
            [first]: { ...TIMING.patience[first], ...options.patience },
          },
          retry: { ...TIMING.retry, pauseMs: 1, ...options.retry },
          breaker: { ...TIMING.breaker, ...options.breaker },
        },
      )
    },
  }
}

export const request = (given: Partial<ModelRequest> = {}): ModelRequest => ({
  system: `You keep ${PRIVATE}.`,
  messages: [{ role: 'user', content: `Say ${PRIVATE}.` }],
  ...given,
})

/** Answers without a model, and says why it had to. */
export const local = (why: LocalReason) => ['No model: ', why, '.']

export interface Answer {
  events: ModelEvent[]
  text: string
  who: string | undefined
  /** What ended it, if it did not end well. */
  error: unknown
}

/** Reads an answer to its end, good or bad; `onEvent` may stop it by answering true. */
export const read = async (
  stream: AsyncIterable<ModelEvent>,
  onEvent: (event: ModelEvent) => unknown = () => {},
): Promise<Answer> => {
  const answer: Answer = { events: [], text: '', who: undefined, error: undefined }
  try {
    for await (const event of stream) {
      answer.events.push(event)
      if (event.type === 'start') answer.who = event.provider
      if (event.type === 'text') answer.text += event.text
      if ((await onEvent(event)) === true) break
    }
  } catch (error) {
    answer.error = error
  }
  return answer
}

/** A signal that nobody aborts. */
export const patient = (): AbortSignal => new AbortController().signal

/** An address where nobody listens. */
export const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await quietPort()}/v1`
