import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const COMMIT = '0123456789abcdef0123456789abcdef01234567'

export interface ModelHub extends AsyncDisposable {
  url: string
  /** Every request: its path, and the range after it. */
  requests: string[]
  /** Answers a request for a file differently than a correct hub would. */
  misbehave: ((path: string, request: Request, bytes: Buffer) => Response | undefined) | undefined
}

/**
 * A hub at the protocol of huggingface.co: small files with git's hash as ETag, large ones behind a redirect
 * whose response has their SHA-256.
 * @param directory has `organization/name/file`.
 */
export const startModelHub = (directory: string): ModelHub => {
  const requests: string[] = []
  const http = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      const range = request.headers.get('range')
      requests.push(range ? `${pathname} ${range}` : pathname)
      const [, repository = '', file = ''] =
        /^\/([^/]+\/[^/]+)\/(?:resolve\/[^/]+|stored)\/(.+)$/.exec(pathname) ?? []
      const path = join(directory, repository, file)
      if (!existsSync(path) || !statSync(path).isFile())
        return new Response('Entry not found', { status: 404 })
      const bytes = readFileSync(path)
      const otherwise = hub.misbehave?.(pathname, request, bytes)
      if (otherwise) return otherwise
      if (pathname.includes('/stored/')) return ranged(bytes, range, {})
      const headers = { 'x-repo-commit': COMMIT }
      if (!file.endsWith('.onnx')) {
        const hash = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes)
        return ranged(bytes, range, { ...headers, etag: `"${hash.digest('hex')}"` })
      }
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return new Response(null, {
        status: 302,
        headers: {
          ...headers,
          'x-linked-etag': `"${sha256}"`,
          'x-linked-size': `${bytes.length}`,
          location: `/${repository}/stored/${file}`,
        },
      })
    },
  })
  const hub: ModelHub = {
    url: `http://127.0.0.1:${http.port}`,
    requests,
    misbehave: undefined,
    async [Symbol.asyncDispose]() {
      await http.stop(true)
    },
  }
  return hub
}

const ranged = (bytes: Buffer, range: string | null, headers: Record<string, string>) => {
  const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
  if (start && start >= bytes.length) return new Response(null, { status: 416, headers })
  const body = new Uint8Array(bytes.subarray(start))
  if (!start) return new Response(body, { headers })
  const content = `bytes ${start}-${bytes.length - 1}/${bytes.length}`
  return new Response(body, { status: 206, headers: { ...headers, 'content-range': content } })
}
