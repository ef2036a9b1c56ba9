import { createHash } from 'node:crypto'

export interface EmbeddingRequest {
  model: string
  input: string[]
  authorization: string | null
  dimensions: number | undefined
}

/** Answers a request differently than a correct server would. */
export type Misbehaviour = (
  request: EmbeddingRequest,
  answer: EmbeddingAnswer,
) => Response | undefined | Promise<Response | undefined>

interface EmbeddingAnswer {
  object: 'list'
  data: { object: 'embedding'; index: number; embedding: number[] }[]
}

export interface EmbeddingServer extends AsyncDisposable {
  /** The base URL of its API. */
  url: string
  /** Every request, in order. */
  requests: EmbeddingRequest[]
  /** Every text that was embedded. */
  texts(): string[]
  dimensions: number
  misbehave: Misbehaviour | undefined
}

/**
 * An OpenAI-compatible embedding server. Its model consists of hashes, yet returns similar vectors
 * for texts that share words, parts of words, or words of the same group of `synonyms`.
 */
export const startEmbeddingServer = async ({
  dimensions = 512,
  synonyms = [],
}: {
  dimensions?: number
  synonyms?: string[][]
} = {}): Promise<EmbeddingServer> => {
  const meanings = new Map(
    synonyms.flatMap((words) => words.map((word) => [stem(word), stem(words[0] ?? '')] as const)),
  )
  const requests: EmbeddingRequest[] = []
  const http = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    // A test may delay the response.
    idleTimeout: 0,
    async fetch(request) {
      if (new URL(request.url).pathname !== '/v1/embeddings' || request.method !== 'POST')
        return Response.json({ error: { message: 'Not found' } }, { status: 404 })
      const body = (await request.json()) as {
        model: string
        input: string | string[]
        dimensions?: number
      }
      const received = {
        model: body.model,
        input: [body.input].flat(),
        authorization: request.headers.get('authorization'),
        dimensions: body.dimensions,
      }
      requests.push(received)
      const length = body.dimensions ?? server.dimensions
      const data = received.input.map((text, index) => ({
        object: 'embedding' as const,
        index,
        embedding: embed(text, length, meanings, received.model),
      }))
      const answer = { object: 'list' as const, data }
      const otherwise = await server.misbehave?.(received, answer)
      return otherwise ?? Response.json(answer)
    },
  })
  const server: EmbeddingServer = {
    url: `http://127.0.0.1:${http.port}/v1`,
    requests,
    texts: () => requests.flatMap(({ input }) => input),
    dimensions,
    misbehave: undefined,
    async [Symbol.asyncDispose]() {
      await http.stop(true)
    },
  }
  return server
}

/** Stop words, which have a low weight. */
const COMMON = new Set(
  `a about after all also am an and any are as at be been but by can could did do does for from get
  go had has have he her him his how i if in is it its just like me my no not now of on one or our
  out she so some that the their them there they this to up us was we were what when where which who
  why will with would you your`.split(/\s+/),
)
const COMMON_WEIGHT = 0.1
const PART_WEIGHT = 0.25
/** The number of dimensions that one word or one part of a word sets. */
const SPREAD = 16

const embed = (
  text: string,
  dimensions: number,
  meanings: Map<string, string>,
  model: string,
): number[] => {
  const vector = new Array<number>(dimensions).fill(0)
  const add = (feature: string, weight: number) => {
    for (const [place, sign] of placesOf(`${model} ${feature}`, dimensions))
      vector[place] = (vector[place] ?? 0) + sign * weight
  }
  for (const written of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const word = stem(written)
    const meaning = meanings.get(word) ?? word
    const weight = COMMON.has(written) ? COMMON_WEIGHT : 1
    add(meaning, weight)
    for (const part of partsOf(meaning)) add(part, weight * PART_WEIGHT)
  }
  return vector
}

const stem = (word: string) => word.toLowerCase().replace(/(?<=.{3})(ing|ed|es|s|ly)$/, '')

const partsOf = (word: string): string[] => {
  const framed = `<${word}>`
  return Array.from({ length: Math.max(framed.length - 3, 0) }, (_, i) => framed.slice(i, i + 4))
}

const known = new Map<string, [place: number, sign: number][]>()

const placesOf = (feature: string, dimensions: number): [place: number, sign: number][] => {
  const key = `${dimensions} ${feature}`
  const found = known.get(key)
  if (found) return found
  const digest = createHash('sha256').update(feature).digest()
  const places = Array.from({ length: SPREAD }, (_, i): [number, number] => [
    digest.readUInt16LE((i * 3) % 29) % dimensions,
    (digest[(i * 7 + 2) % 32] ?? 0) % 2 ? 1 : -1,
  ])
  known.set(key, places)
  return places
}
