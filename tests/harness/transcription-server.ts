export interface TranscriptionRequest {
  path: string
  authorization: string | null
  model: string
  format: string
  language: string | null
  file: { name: string; size: number }
}

export interface TranscriptionServer extends AsyncDisposable {
  /** The base URL of its API. */
  url: string
  /** Every request, in order. */
  requests: TranscriptionRequest[]
  /** Answers instead of the server when it returns a response. */
  answer: ((request: TranscriptionRequest) => Response | undefined | Promise<Response>) | undefined
  /** Settles when a request's connection closes before the response. */
  disconnected: Promise<void>
}

/** A server of OpenAI's `POST /audio/transcriptions` that returns the size of the file as text. */
export const startTranscriptionServer = (): TranscriptionServer => {
  const disconnected = Promise.withResolvers<void>()
  const http = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      request.signal.addEventListener('abort', () => disconnected.resolve())
      const form = await request.formData()
      const file = form.get('file') as File
      const text = (field: string) => (form.get(field) as string | null) ?? null
      const received = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get('authorization'),
        model: text('model') ?? '',
        format: text('response_format') ?? '',
        language: text('language'),
        file: { name: file.name, size: file.size },
      }
      server.requests.push(received)
      const otherwise = await server.answer?.(received)
      if (otherwise) return otherwise
      const body = { text: ` I heard ${file.size} bytes. ` }
      return Response.json(
        received.format === 'verbose_json'
          ? { ...body, language: 'english', duration: 1.5, segments: [] }
          : body,
      )
    },
  })
  const server: TranscriptionServer = {
    url: `http://127.0.0.1:${http.port}/v1`,
    requests: [],
    answer: undefined,
    disconnected: disconnected.promise,
    async [Symbol.asyncDispose]() {
      await http.stop(true)
    },
  }
  return server
}
