import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { failureOf, ModelFailure } from '../../platform/models/failure.ts'

/** Longer text is cut: models take a few hundred to some thousand tokens. */
const MAX_CHARACTERS = 8_000
/** What a model that refuses a text is offered in its place, and then half of it, and so on. */
const MIN_CHARACTERS = 500
/** An answer of 128 vectors of 4,096 numbers has 12 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_DIMENSIONS = 16_000

export interface EmbeddingSettings {
  /** The base of an OpenAI-compatible API, or the address of its `/embeddings`. */
  url: string
  model: string
  apiKey: string | undefined
  /** Asked for where it is given; otherwise the model decides. */
  dimensions: number | undefined
}

/** Of unit length; undefined for a text that the model cannot tell anything of. */
export type Vector = number[] | undefined

export interface EmbeddingEndpoint {
  /**
   * The vectors of texts, in their order, all of one length.
   * @throws ModelFailure as models do; `malformed` for anything but one such vector a text.
   */
  embed(texts: string[], signal: AbortSignal): Promise<Vector[]>
}

const Answer = Type.Object({
  data: Type.Array(
    Type.Object({
      embedding: Type.Array(Type.Number(), { minItems: 1, maxItems: MAX_DIMENSIONS }),
      index: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
})

/** `POST /embeddings`, as OpenAI has it and Ollama, LM Studio and vLLM speak it too. */
export const createEmbeddingEndpoint = (settings: EmbeddingSettings): EmbeddingEndpoint => {
  const url = addressOf(settings.url)
  const ask = async (input: string[], signal: AbortSignal): Promise<Vector[]> => {
    const response = await fetch(url, {
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
    return vectorsOf(await answerOf(response), input.length, settings.dimensions)
  }

  const tryTexts = async (texts: string[], signal: AbortSignal): Promise<Vector[]> => {
    try {
      return await ask(texts, signal)
    } catch (error) {
      if (signal.aborted) throw new ModelFailure('timeout', { provider: PROVIDER })
      throw failureOf(error, PROVIDER)
    }
  }

  /** A text that the model does not take must not keep the others from their vectors. */
  const embed = async (
    texts: string[],
    signal: AbortSignal,
    refusals: ModelFailure[],
  ): Promise<Vector[]> => {
    try {
      return await tryTexts(texts, signal)
    } catch (error) {
      if (!(error instanceof ModelFailure) || !isAboutTexts(error)) throw error
      if (texts.length > 1) {
        const middle = Math.ceil(texts.length / 2)
        const first = await embed(texts.slice(0, middle), signal, refusals)
        return [...first, ...(await embed(texts.slice(middle), signal, refusals))]
      }
      const [text = ''] = texts
      if (text.length > MIN_CHARACTERS)
        return embed([cut(text, Math.max(text.length / 2, MIN_CHARACTERS))], signal, refusals)
      refusals.push(error)
      return [undefined]
    }
  }

  return {
    async embed(texts, signal) {
      const refusals: ModelFailure[] = []
      const short = texts.map((text) => cut(text, MAX_CHARACTERS))
      const vectors = await embed(short, signal, refusals)
      // It is not for what they say that it refuses them all.
      if (refusals[0] && refusals.length === texts.length) throw refusals[0]
      return vectors
    },
  }
}

/** Too long, or too much at once. */
const isAboutTexts = ({ kind, details: { status } }: ModelFailure) =>
  kind === 'refused' && status !== undefined && [400, 413, 422].includes(status)

const PROVIDER = 'embedding'

const addressOf = (given: string): string => {
  const url = new URL(given)
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/(\/embeddings)?$/, '/embeddings')
  return url.href
}

/** Not through the middle of a character that takes two places. */
const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

const malformed = () => new ModelFailure('malformed', { provider: PROVIDER })

const answerOf = async (response: Response): Promise<Static<typeof Answer>> => {
  const declared = Number(response.headers.get('content-length') ?? 0)
  if (declared > MAX_ANSWER_BYTES) throw malformed()
  const answer: unknown = await response.json().catch((error) => {
    throw error instanceof SyntaxError ? malformed() : error
  })
  if (!Value.Check(Answer, answer)) throw malformed()
  return answer
}

/** Some servers answer in another order than they were asked; `index` tells. */
const vectorsOf = (
  { data }: Static<typeof Answer>,
  count: number,
  dimensions: number | undefined,
): Vector[] => {
  const vectors = new Map(data.map(({ embedding, index }, place) => [index ?? place, embedding]))
  const length = dimensions ?? data[0]?.embedding.length
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index)
    if (vector?.length !== length || vector === undefined) throw malformed()
    return unit(vector)
  })
}

const unit = (vector: number[]): Vector => {
  const norm = Math.hypot(...vector)
  return Number.isFinite(norm) && norm > 0 ? vector.map((value) => value / norm) : undefined
}
