import { createServer, type Socket } from 'node:net'
import type { FetcherOptions } from '../../server/platform/fetch/fetcher.ts'

export type Site = (request: Request) => Response | Promise<Response>

/**
 * A simulated internet: host names that resolve to public addresses, and servers that answer there.
 * Connections to any other address reach a server that counts them.
 */
export interface Web extends AsyncDisposable {
  /** An option of `startServer`. */
  fetching: FetcherOptions
  /** Adds a site with a new name. @returns its host name. */
  site(answer: Site): string
  /** Adds a site with TLS, at `secure.test` and at any other name with the same certificate. */
  secureSite(answer: Site, host?: string): string
  /** Adds a server that writes raw bytes. @returns its host name. */
  rawSite(talk: (socket: Socket) => void): string
  /** Sets the answers of DNS for a name, one per lookup; the last one repeats. */
  name(host: string, ...answers: string[][]): string
  /** The address of a site in DNS. */
  addressOf(host: string): string
  /** Every name that was looked up, with repetitions. */
  lookups: string[]
  /** Every connection attempt, as `address port`. */
  connections: string[]
  /** The number of connections to an address without a site. */
  forbidden(): number
}

/** An option of `startServer`: every host name is the server on a port of this machine. */
export const fetchingFrom = (port: number): FetcherOptions => ({
  resolve: async () => ['203.0.113.1'],
  isAllowed: () => true,
  route: () => ({ host: '127.0.0.1', port }),
})

export const startWeb = async (): Promise<Web> => {
  const stack = new AsyncDisposableStack()
  const answers = new Map<string, Site>()
  const names = new Map<string, string[][]>()
  const sites = new Map<string, number>()
  const lookups: string[] = []
  const connections: string[] = []
  let forbidden = 0

  const listen = (talk: (socket: Socket) => void): number => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      talk(socket)
    }).listen(0, '127.0.0.1')
    const sockets = new Set<Socket>()
    server.on('connection', (socket) => sockets.add(socket))
    stack.defer(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const address = server.address()
    if (!address || typeof address === 'string') throw new Error('not listening')
    return address.port
  }
  const trap = listen((socket) => {
    forbidden += 1
    socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nsecret')
  })
  const answer = async (request: Request) => {
    const site = answers.get(request.headers.get('host') ?? '')
    return site ? site(request) : new Response('no such site', { status: 421 })
  }
  const web = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
  const secure = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer, tls: CERTIFICATE })
  stack.defer(() => web.stop(true))
  stack.defer(() => secure.stop(true))

  /** Public addresses that are simulated: nothing is ever sent to them. */
  const newAddress = (port: number | undefined) => {
    const address = `93.184.${sites.size >> 8}.${sites.size & 255}`
    sites.set(address, port ?? 0)
    return address
  }
  const put = (host: string, port: number | undefined) => {
    names.set(host, [[newAddress(port)]])
    return host
  }
  const newName = () => `${crypto.randomUUID()}.test`

  return {
    fetching: {
      ca: CERTIFICATE.cert,
      async resolve(host) {
        lookups.push(host)
        const answers = names.get(host)
        if (!answers) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
        return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
      },
      route({ host, port }) {
        connections.push(`${host} ${port}`)
        return { host: '127.0.0.1', port: sites.get(host) ?? trap }
      },
    },
    site(respond) {
      const host = put(newName(), web.port)
      answers.set(host, respond)
      return host
    },
    secureSite(respond, host = 'secure.test') {
      answers.set(host, respond)
      return put(host, secure.port)
    },
    rawSite: (talk) => put(newName(), listen(talk)),
    name(host, ...answers) {
      names.set(host, answers)
      return host
    },
    addressOf: (host) => names.get(host)?.[0]?.[0] ?? '',
    lookups,
    connections,
    forbidden: () => forbidden,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** A certificate for `secure.test`, trusted by the tests only. */
export const CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUTGDsRw9US1DnRxZi2oqlS4Ef69YwCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLc2VjdXJlLnRlc3QwIBcNMjYxMTIxMTQxODUwWhgPMjEyNjEw
MjgxNDE4NTBaMBYxFDASBgNVBAMMC3NlY3VyZS50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE9pfleZnRUNyEBf6segrmtipLDlaoUXQau9LLWqKSLaqmBj1G
lJw7nHUEDNo8c6bxPqBqIc5+GrEU9X0wxEHJy6NrMGkwHQYDVR0OBBYEFNpzU1Z6
eZ+e9lJNca5LAbD5Mp6GMB8GA1UdIwQYMBaAFNpzU1Z6eZ+e9lJNca5LAbD5Mp6G
MA8GA1UdEwEB/wQFMAMBAf8wFgYDVR0RBA8wDYILc2VjdXJlLnRlc3QwCgYIKoZI
zj0EAwIDSAAwRQIhAK5y8QXT0VaEh+Sg+q9wN0P6aca/GAMoyAhgumpLa2zYAiBE
W7sJceTAX6i4PL5FI1S4azjZ+qKAg6u9zJRJE0jM9w==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdATyzdL1bPiVkZ2N
nqkeDJJO2FjcH4TkpvSCiH0HRlmhRANCAAT2l+V5mdFQ3IQF/qx6Cua2KksOVqhR
dBq70staopItqqYGPUaUnDucdQQM2jxzpvE+oGohzn4asRT1fTDEQcnL
-----END PRIVATE KEY-----`,
}
