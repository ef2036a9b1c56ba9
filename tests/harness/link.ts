import { connect, createServer, type Socket } from 'node:net'
import { quietPort } from './ports.ts'

/** A TCP connection to PostgreSQL that a test can cut or stall. */
export interface Link extends Disposable {
  port: number
  /** Resets all connections, as a network failure does, and accepts new ones. */
  reset(): void
  /** Closes all connections and refuses new ones until `open`. */
  cut(): void
  /** Delivers nothing in either direction until `open`, as a network does that drops packets. */
  stall(): void
  open(): void
}

/** A link to the server of a database, and the URL of the database through it. */
export const startDatabaseLink = async (databaseUrl: string): Promise<Link & { url: string }> => {
  const url = new URL(databaseUrl)
  const link = await startLink(Number(url.port || DEFAULT_PORT), url.hostname)
  url.host = `127.0.0.1:${link.port}`
  return { ...link, url: url.href }
}

const DEFAULT_PORT = 5432

/** Forwards a port of its own to `target`. */
export const startLink = async (target: number, host = '127.0.0.1'): Promise<Link> => {
  const port = await quietPort()
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  let state: 'open' | 'cut' | 'stalled' = 'open'
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from)
    if (state === 'stalled') from.pause()
    from.on('data', (chunk) => to.write(chunk))
    // A reset is expected; `close` follows.
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    if (state === 'cut') return void client.resetAndDestroy()
    clients.add(client)
    client.on('close', () => clients.delete(client))
    const upstream = connect(target, host)
    forward(client, upstream)
    forward(upstream, client)
  })
  const listening = Promise.withResolvers<void>()
  server.listen(port, '127.0.0.1', listening.resolve)
  await listening.promise
  return {
    port,
    reset() {
      for (const socket of clients) socket.resetAndDestroy()
    },
    cut() {
      state = 'cut'
      for (const socket of sockets) socket.destroy()
    },
    stall() {
      state = 'stalled'
      for (const socket of sockets) socket.pause()
    },
    open() {
      state = 'open'
      for (const socket of sockets) socket.resume()
    },
    [Symbol.dispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
