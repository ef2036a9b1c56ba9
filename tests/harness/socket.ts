import { connect } from 'node:net'
import type { Server } from '../../server/start.ts'

export interface RawAnswer {
  /** 0 when the connection closed without a response. */
  status: number
  headers: Headers
  text: string
}

/** Sends raw bytes, for requests that no HTTP client sends. Reads until the end. */
export const sendRaw = (
  server: Pick<Server, 'url'>,
  lines: string[],
  body: string | Uint8Array = '',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(parse(received))).on('error', reject)
    socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
    socket.write(body)
  })

const parse = (received: string): RawAnswer => {
  const [head = '', ...rest] = received.split('\r\n\r\n')
  const [status = '', ...fields] = head.split('\r\n')
  return {
    status: Number(status.split(' ')[1] ?? 0),
    headers: new Headers(fields.map((line) => line.split(/: ?(.*)/s, 2) as [string, string])),
    text: rest.join('\r\n\r\n'),
  }
}
