import { afterAll, beforeAll, expect, setDefaultTimeout } from 'bun:test'
import { newVerifiedUser } from '../harness/http.ts'
import { type Answer, request, startServer, type TestServer } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'

export const post = (server: Pick<TestServer, 'url'>, url: unknown, token: string) =>
  request(server, 'POST', '/api/url', { token, body: { url } })

/** A server, and sites that it treats as the public internet, for the tests of a file. */
export const useSites = () => {
  // Some tests start further servers and wait for their mail.
  setDefaultTimeout(120_000)
  let web: Web | undefined
  let server: TestServer | undefined
  beforeAll(async () => {
    web = await startWeb()
    // Generous for a busy machine; one test covers the timeout.
    server = await startServer({}, undefined, { fetching: { ...web.fetching, timeoutMs: 60_000 } })
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await web?.[Symbol.asyncDispose]()
  })
  const running = () => {
    if (!server || !web)
      throw new Error('the server starts before the tests, not while they are declared')
    return { server, web }
  }

  /** Each user reads ten pages, which is the limit of a minute. */
  const readers: Promise<string>[] = []
  let reads = 0
  const read = async (url: unknown): Promise<Answer> => {
    const { server } = running()
    const reader = Math.floor(reads++ / 10)
    readers[reader] ??= newVerifiedUser(server).then(({ key }) => key)
    return post(server, url, await readers[reader])
  }

  return {
    get server() {
      return running().server
    },
    get web() {
      return running().web
    },
    read,

    /** Reads a page with this body. */
    async readPage(body: string | Uint8Array, type?: string) {
      const headers: Record<string, string> = type ? { 'content-type': type } : {}
      const host = running().web.site(() => new Response(body, { headers }))
      return read(`http://${host}/page`)
    },

    /** The error of a page that cannot be read. */
    async failure(url: string, expected = 502) {
      const { status, body } = await read(url)
      expect([url, status, Object.keys(body), typeof body.detail]).toEqual([
        url,
        expected,
        ['detail'],
        'string',
      ])
      return body.detail as string
    },
  }
}
