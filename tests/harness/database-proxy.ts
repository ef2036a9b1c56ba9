import { createServer, connect as dial, type Socket } from 'node:net'

/** Ends the messages of a statement. */
const SYNC = Buffer.from('S\0\0\0\x04')

/** Forwards the connections of one process to PostgreSQL, and can hold them at a statement. */
export const startDatabaseProxy = async (databaseUrl: string) => {
  const direct = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const ports = new Set<number>()
  let armed: { text: string; caught: () => void } | undefined
  const proxy = createServer((client) => {
    const upstream = dial(Number(direct.port || 5432), direct.hostname)
    let isHeld = false
    let caught: (() => void) | undefined
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    }
    client
      .on('data', (bytes: Buffer) => {
        if (isHeld) return
        upstream.write(bytes)
        if (armed && bytes.includes(armed.text)) {
          caught = armed.caught
          armed = undefined
        }
        // The driver asks for the types of parameters first, and sends the values in a second message.
        if (!caught || !bytes.subarray(-SYNC.length).equals(SYNC)) return
        isHeld = true
        caught()
      })
      .on('close', () => upstream.destroy())
    upstream
      .on('connect', () => ports.add(upstream.localPort ?? 0))
      .on('data', (bytes) => client.write(bytes))
      .on('close', () => client.destroy())
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const url = new URL(direct)
  url.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
  return {
    url: url.href,
    /** The ports of its connections, as PostgreSQL sees them: an SQL list. */
    ports: () => [0, ...ports].join(', '),
    /**
     * Holds the connection that sends a statement with `text`: PostgreSQL gets it and nothing after it, as
     * if the process were frozen then. @returns when it has been sent.
     */
    holdAfter(text: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      armed = { text, caught: resolve }
      return promise
    },
    [Symbol.dispose]() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
