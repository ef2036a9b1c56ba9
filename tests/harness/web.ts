import { createServer, type Socket } from 'node:net'
import type { FetcherOptions } from '../../server/platform/fetch/fetcher.ts'

export type Site = (request: Request) => Response | Promise<Response>

/**
 * An internet of the suite's own: names with addresses as DNS would give them, and what answers
 * there. Whatever is no site of it leads to a server that counts who comes.
 */
export interface Web extends AsyncDisposable {
  /** For `startServer`. */
  fetching: FetcherOptions
  /** Puts a site at a name of its own. @returns its host name. */
  site(answer: Site): string
  /** Puts a site behind TLS, at `secure.test` and at any other name with the same certificate. */
  secureSite(answer: Site, host?: string): string
  /** Puts a server that says what it likes at a name of its own. @returns its host name. */
  rawSite(talk: (socket: Socket) => void): string
  /** What a name leads to, each time that it is looked up; the last stays. */
  name(host: string, ...answers: string[][]): string
  /** The address of a site, as DNS gives it. */
  addressOf(host: string): string
  /** Names, as often as they were looked up. */
  lookups: string[]
  /** Where connections were to be made, as `address port`. */
  connections: string[]
  /** How many connections came to what is no site. */
  forbidden(): number
}

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

  /** Public addresses that the suite plays: nothing is ever sent to them. */
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
        const given = names.get(host)
        if (!given) throw new Error('ENOTFOUND')
        return (given.length > 1 ? given.shift() : given[0]) ?? []
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
    name(host, ...given) {
      names.set(host, given)
      return host
    },
    addressOf: (host) => names.get(host)?.[0]?.[0] ?? '',
    lookups,
    connections,
    forbidden: () => forbidden,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Made for `secure.test` alone, and trusted by nobody but the suite. */
const CERTIFICATE = {
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
