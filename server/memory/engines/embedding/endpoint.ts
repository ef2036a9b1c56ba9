import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { budgets } from '../../../platform/budgets.ts'
import { createLimitedFetch } from '../../../platform/fetch/limited-fetch.ts'
import { failureOf, ModelFailure } from '../../../platform/models/failure.ts'
import {
  cut,
  MAX_CHARACTERS,
  MAX_DIMENSIONS,
  normalize,
  PROVIDER,
  type Vector,
  type VectorSource,
} from './source.ts'

/** The texts of one request. */
const BATCH = 64
/** A text that the model refuses is halved until it is this short. */
const MIN_CHARACTERS = 500

const limitedFetch = createLimitedFetch(budgets.embeddings)

export interface EmbeddingSettings {
  /** The base of an OpenAI-compatible API, or the address of its `/embeddings`. */
  url: string
  model: string
  apiKey: string | undefined
  /** Undefined: the model's own. */
  dimensions: number | undefined
}

const EmbeddingResponse = Type.Object({
  data: Type.Array(
    Type.Object({
      embedding: Type.Array(Type.Number(), { minItems: 1, maxItems: MAX_DIMENSIONS }),
      index: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
})

/** How long a recall waits for the vector of its question, over the network. */
const QUESTION_BUDGET_MS = 300

/** Calls `POST /embeddings` of OpenAI's API, which Ollama, LM Studio and vLLM have too. */
export const createEmbeddingEndpoint = (settings: EmbeddingSettings): VectorSource => {
  const url = embeddingsUrl(settings.url)
  const requestVectors = async (input: string[], signal: AbortSignal): Promise<Vector[]> => {
    const response = await limitedFetch(url, {
      method: 'POST',
      signal,
      headers: {
        'content-type': 'application/json',
        ...(settings.apiKey && { authorization: `Bearer ${settings.apiKey}` }),
      },
      body: JSON.stringify({
        model: settings.model,
        input,
        encoding_format: 'float',
        ...(settings.dimensions && { dimensions: settings.dimensions }),
      }),
    })
    if (!response.ok) {
      await response.body?.cancel()
      const responseHeaders = Object.fromEntries(response.headers)
      throw failureOf({ statusCode: response.status, responseHeaders }, PROVIDER)
    }
    return readVectors(await readResponse(response), input.length, settings.dimensions)
  }

  const embedOnce = async (texts: string[], signal: AbortSignal): Promise<Vector[]> => {
    try {
      return await requestVectors(texts, signal)
    } catch (error) {
      if (signal.aborted) throw new ModelFailure('timeout', { provider: PROVIDER })
      throw failureOf(error, PROVIDER)
    }
  }

  /** Splits refused batches and texts, so that one refused text does not cost the others their vectors. */
  const embedSplitting = async (
    texts: string[],
    signal: AbortSignal,
    refusals: ModelFailure[],
  ): Promise<Vector[]> => {
    try {
      return await embedOnce(texts, signal)
    } catch (error) {
      if (!(error instanceof ModelFailure) || !isTextRefused(error)) throw error
      if (texts.length > 1) {
        const middle = Math.ceil(texts.length / 2)
        const first = await embedSplitting(texts.slice(0, middle), signal, refusals)
        return [...first, ...(await embedSplitting(texts.slice(middle), signal, refusals))]
      }
      const [text = ''] = texts
      if (text.length > MIN_CHARACTERS)
        return embedSplitting(
          [cut(text, Math.max(text.length / 2, MIN_CHARACTERS))],
          signal,
          refusals,
        )
      refusals.push(error)
      return [undefined]
    }
  }

  return {
    name: settings.model,
    batch: BATCH,
    isRemote: true,
    questionBudgetMs: QUESTION_BUDGET_MS,
    identity: () => settings.model,
    async embed(texts, _purpose, signal) {
      const refusals: ModelFailure[] = []
      const short = texts.map((text) => cut(text, MAX_CHARACTERS))
      const vectors = await embedSplitting(short, signal, refusals)
      // A refusal of all texts is not about their content.
      if (refusals[0] && refusals.length === texts.length) throw refusals[0]
      return vectors
    },
    stop: async () => {},
  }
}

/** Too long, or too many at once. */
const isTextRefused = ({ kind, details: { status } }: ModelFailure) =>
  kind === 'refused' && status !== undefined && [400, 413, 422].includes(status)

const embeddingsUrl = (base: string): string => {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/(\/embeddings)?$/, '/embeddings')
  return url.href
}

const malformed = () => new ModelFailure('malformed', { provider: PROVIDER })

const readResponse = async (response: Response): Promise<Static<typeof EmbeddingResponse>> => {
  const body: unknown = await response.json().catch((error) => {
    throw error instanceof SyntaxError ? malformed() : error
  })
  if (!Value.Check(EmbeddingResponse, body)) throw malformed()
  return body
}

/** Some servers return vectors in another order, with `index`. */
const readVectors = (
  { data }: Static<typeof EmbeddingResponse>,
  count: number,
  dimensions: number | undefined,
): Vector[] => {
  const vectors = new Map(data.map(({ embedding, index }, i) => [index ?? i, embedding]))
  const length = dimensions ?? data[0]?.embedding.length
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index)
    if (vector?.length !== length || vector === undefined) throw malformed()
    return normalize(vector)
  })
}
