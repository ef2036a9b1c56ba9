import { StartError } from '../operator-error.ts'

const LAST_PORT = 65_535

/**
 * Checks that the server can listen, before a start that takes seconds. Another process may use the port
 * until then, so `listen` reports the same error.
 * @throws StartError when it cannot.
 */
export const checkPort = async (hostname: string, port: number): Promise<void> => {
  await using _ = occupy(hostname, port, false)
}

/**
 * Reserves a free port until the app listens on it. The port is part of tokens and links, so it must be
 * known before the app is created.
 */
export const reservePort = (hostname: string) => occupy(hostname, 0, true)

/** @throws StartError when the app cannot listen. */
export const listen = (
  app: { listen(options: { hostname: string; port: number; reusePort: boolean }): unknown },
  hostname: string,
  port: number,
  isReserved: boolean,
): void => {
  try {
    app.listen({ hostname, port, reusePort: isReserved })
  } catch (cause) {
    throw cannotListen(hostname, port, cause)
  }
}

const occupy = (hostname: string, port: number, reusePort: boolean) => {
  try {
    const server = Bun.serve({ hostname, port, reusePort, fetch: () => new Response() })
    return { port: server.port ?? 0, [Symbol.asyncDispose]: () => server.stop(true) }
  } catch (cause) {
    throw cannotListen(hostname, port, cause)
  }
}

const cannotListen = (hostname: string, port: number, cause: unknown): StartError => {
  const { code } = cause as NodeJS.ErrnoException
  // Bun also reports EADDRINUSE for some hosts that do not resolve. Port 0 (any free port) cannot be in use.
  return new StartError(
    code === 'EADDRINUSE' && port !== 0
      ? `SVC_PORT: ${port} is in use; stop the process that uses it, or set another port, such as SVC_PORT=${neighbour(port)}`
      : `SVC_HOST: cannot listen on ${hostname}:${port} (${code})`,
    { cause },
  )
}

const neighbour = (port: number): number => (port === LAST_PORT ? port - 1 : port + 1)
