import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const VARIABLES = [
  'HTTP_PROXY',
  'http_proxy',
  'HTTPS_PROXY',
  'https_proxy',
  'ALL_PROXY',
  'all_proxy',
]

/** A proxy that records each request and each tunnel, and refuses it. */
export const startRecorder = async () => {
  const seen: string[] = []
  const proxy = createServer(({ url = '' }, response) => {
    seen.push(url)
    response.writeHead(502).end()
  })
  proxy.on('connect', ({ url }, socket) => {
    seen.push(`CONNECT ${url}`)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  const listening = Promise.withResolvers<void>()
  proxy.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    seen,
    /** All variables that name it. */
    env: Object.fromEntries(VARIABLES.map((variable) => [variable, url])),
    async [Symbol.asyncDispose]() {
      proxy.close()
    },
  }
}
