import { afterAll, beforeAll, expect, setDefaultTimeout } from 'bun:test'
import { type Answer, request, startServer, type TestServer } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import { newVerifiedUser } from './support.ts'

export const post = (server: Pick<TestServer, 'url'>, url: unknown, token: string) =>
  request(server, 'POST', '/api/url', { token, body: { url } })

/** A server of a file's own, and sites that it takes for the public internet. */
export const useSites = () => {
  // Some tests start servers of their own, and wait for their mail.
  setDefaultTimeout(60_000)
  let web: Web | undefined
  let server: TestServer | undefined
  beforeAll(async () => {
    web = await startWeb()
    // A busy machine is given time: how long a page may take is tested by itself.
    server = await startServer({}, undefined, { fetching: { ...web.fetching, timeoutMs: 60_000 } })
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await web?.[Symbol.asyncDispose]()
  })
  const running = () => {
    if (!server || !web) throw new Error('it starts before the tests, not while they are declared')
    return { server, web }
  }

  /** Asks as somebody who has asked less than ten times. */
  const readers: Promise<string>[] = []
  let asked = 0
  const read = async (url: unknown): Promise<Answer> => {
    const { server } = running()
    const reader = Math.floor(asked++ / 10)
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

    /** The page at a site that answers with this. */
    async readPage(body: string | Uint8Array, type?: string) {
      const headers: Record<string, string> = type ? { 'content-type': type } : {}
      const host = running().web.site(() => new Response(body, { headers }))
      return read(`http://${host}/page`)
    },

    /** Why a page cannot be had. */
    async failure(url: string) {
      const { status, body } = await read(url)
      expect([url, status, Object.keys(body), typeof body.detail]).toEqual([
        url,
        502,
        ['detail'],
        'string',
      ])
      return body.detail as string
    },
  }
}
