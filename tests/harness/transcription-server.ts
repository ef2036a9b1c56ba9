export interface TranscriptionRequest {
  path: string
  authorization: string | null
  model: string
  format: string
  language: string | null
  file: { name: string; size: number }
}

export interface TranscriptionServer extends AsyncDisposable {
  /** The base of its API. */
  url: string
  /** All that it was asked, in order. */
  requests: TranscriptionRequest[]
  /** Answers in another way than with the size of the file, when it gives an answer. */
  answer: ((request: TranscriptionRequest) => Response | undefined | Promise<Response>) | undefined
  /** Settles when a request's connection ends before it was answered. */
  left: Promise<void>
}

/** A server of OpenAI's `POST /audio/transcriptions` that hears nothing but how long audio is. */
export const startTranscriptionServer = (): TranscriptionServer => {
  const left = Promise.withResolvers<void>()
  const http = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      request.signal.addEventListener('abort', () => left.resolve())
      const form = await request.formData()
      const file = form.get('file') as File
      const text = (field: string) => (form.get(field) as string | null) ?? null
      const asked = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get('authorization'),
        model: text('model') ?? '',
        format: text('response_format') ?? '',
        language: text('language'),
        file: { name: file.name, size: file.size },
      }
      server.requests.push(asked)
      const otherwise = await server.answer?.(asked)
      if (otherwise) return otherwise
      const said = { text: ` I heard ${file.size} bytes. ` }
      return Response.json(
        asked.format === 'verbose_json'
          ? { ...said, language: 'english', duration: 1.5, segments: [] }
          : said,
      )
    },
  })
  const server: TranscriptionServer = {
    url: `http://127.0.0.1:${http.port}/v1`,
    requests: [],
    answer: undefined,
    left: left.promise,
    async [Symbol.asyncDispose]() {
      await http.stop(true)
    },
  }
  return server
}
