import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout } from 'bun:test'
import { createLog } from '../../../server/platform/log.ts'
import { createModels } from '../../../server/platform/models/models.ts'
import { TIMING, type Timing } from '../../../server/platform/models/timing.ts'
import type {
  LocalReason,
  ModelEvent,
  ModelRequest,
  Models,
  ProviderName,
} from '../../../server/platform/models/types.ts'
import { type ModelServer, startModelServer } from '../../harness/model-server.ts'
import { quietPort } from '../../harness/ports.ts'

export const KEY = 'sk-of-the-suite-and-not-for-a-log'
/** A secret of the tests: in prompts, in model output and in server errors. */
export const PRIVATE = 'a word between the two of us'

export interface ModelsOptions {
  /** The configured providers: all at the one server, with the model `<name>-model` each. */
  providers?: ProviderName[]
  /** A base URL other than the model server's. */
  urls?: Partial<Record<ProviderName, string>>
  fallsBackToLocal?: boolean
  contextTokens?: number
  /** The options of the first provider. */
  timeouts?: Partial<Timing['timeouts'][ProviderName]>
  breaker?: Partial<Timing['breaker']>
  retry?: Partial<Timing['retry']>
}

/** One model server for a file, and model routers for it; each test's log is checked for secrets. */
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
          contextTokens: options.contextTokens ?? 1_000,
          fallsBackToLocal: options.fallsBackToLocal ?? true,
        },
        createLog('debug', { write: (line) => log.push(line) }),
        {
          timeouts: {
            ...TIMING.timeouts,
            [first]: { ...TIMING.timeouts[first], ...options.timeouts },
          },
          retry: { ...TIMING.retry, pauseMs: 1, ...options.retry },
          breaker: { ...TIMING.breaker, ...options.breaker },
        },
      )
    },
  }
}

export const request = (overrides: Partial<ModelRequest> = {}): ModelRequest => ({
  system: `You keep ${PRIVATE}.`,
  messages: [{ role: 'user', content: `Say ${PRIVATE}.` }],
  ...overrides,
})

/** Answers without a model, and states the reason. */
export const local = (why: LocalReason) => ['No model: ', why, '.']

export interface Answer {
  events: ModelEvent[]
  text: string
  who: string | undefined
  /** The error that ended it, if any. */
  error: unknown
}

/** Reads an answer to its end or its error; `onEvent` stops it by returning true. */
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

/** A signal that is never aborted. */
export const noAbort = (): AbortSignal => new AbortController().signal

/** An address where no server listens. */
export const deadUrl = async (): Promise<string> => `http://127.0.0.1:${await quietPort()}/v1`
