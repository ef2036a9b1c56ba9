import { onTestFinished } from 'bun:test'
import type { useServer } from '../harness/server.ts'
import { newSynced } from './sync-support.ts'

type Target = ReturnType<typeof useServer>

type Forward = () => Promise<Response>
type Intercept = (path: string, forward: Forward) => Promise<Response>

/** A proxy before the server, which a test can make fail. */
const startProxy = (server: Target) => {
  const proxy = { intercept: ((_, forward) => forward()) as Intercept, url: '' }
  const listener = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch(incoming) {
      const { pathname, search } = new URL(incoming.url)
      const forward = async () => {
        const headers = new Headers(incoming.headers)
        headers.delete('host')
        const body = ['GET', 'HEAD'].includes(incoming.method) ? undefined : await incoming.bytes()
        const response = await fetch(server.current.url + pathname + search, {
          method: incoming.method,
          headers,
          ...(body && { body }),
        })
        // The body was decompressed.
        const given = new Headers(response.headers)
        given.delete('content-encoding')
        given.delete('content-length')
        return new Response(response.body, { status: response.status, headers: given })
      }
      return proxy.intercept(pathname, forward)
    },
  })
  onTestFinished(() => listener.stop(true))
  proxy.url = `http://127.0.0.1:${listener.port}`
  return proxy
}

/** A folder that is synced through a proxy. */
export const throughProxy = async (server: Target) => {
  const proxy = startProxy(server)
  const folder = await newSynced({ url: proxy.url }, await newSynced(server.current))
  return { proxy, folder }
}
