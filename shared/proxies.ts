/** Which proxy the environment gives to requests, and which requests pass none. */

/** The type of the global `fetch`, which only this file calls. */
export type Fetch = typeof fetch

type Symbols = Readonly<Record<symbol, unknown>>

/**
 * The options of a request whose address is this machine. Bun has one for it. Node.js with `NODE_USE_ENV_PROXY` has a
 * global dispatcher with two for proxies, and one for the hosts of `NO_PROXY`, which it uses for no other address.
 */
const withoutProxy = (): object => {
  const dispatcher = (globalThis as Symbols)[Symbol.for('undici.globalDispatcher.1')]
  const direct = Object.getOwnPropertySymbols(dispatcher ?? {}).find(
    ({ description }) => description === 'no proxy agent',
  )
  return { proxy: false, ...(direct && { dispatcher: (dispatcher as Symbols)[direct] }) }
}

/**
 * Whether the host name of a `URL` is this machine. Its own network name is not recognized: it may be the address
 * of a proxy elsewhere.
 */
export const isThisMachine = (hostname: string): boolean => {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name) ||
    ['0.0.0.0', '[::]', '[::1]', '[::ffff:0:0]'].includes(name) ||
    /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(name)
  )
}

/**
 * `fetch` that passes no proxy on the way to this machine: a proxy would get the key in clear, and could not
 * reach the server.
 */
export const fetchPastProxy = (
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> => {
  const { hostname } = new URL(input instanceof Request ? input.url : input)
  return fetch(input, isThisMachine(hostname) ? { ...init, ...withoutProxy() } : init)
}

type Variables = Readonly<Record<string, string | undefined>>

/** @returns the name of the variable whose proxy a request passes, such as `HTTPS_PROXY`; undefined without one. */
export const proxyVariable = (
  { protocol, hostname, host }: URL,
  env: Variables = environment(),
): string | undefined => {
  const excepted = (env.no_proxy || env.NO_PROXY || '').split(',').map((each) => each.trim())
  const isExcepted = excepted.some((entry) => {
    const name = entry.toLowerCase().replace(/^\*?\./, '')
    return entry === '*' || (name !== '' && [hostname, host].some((own) => isWithin(own, name)))
  })
  if (isExcepted || isThisMachine(hostname)) return undefined
  const scheme = `${protocol.slice(0, -1)}_proxy`
  const names = [scheme, scheme.toUpperCase(), 'all_proxy', 'ALL_PROXY']
  return names.find((name) => env[name])
}

const isWithin = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

/** The environment of a runtime whose `fetch` reads it: Bun, Deno, and Node.js with `NODE_USE_ENV_PROXY`. */
const environment = (): Variables => {
  const { process } = globalThis as { process?: { env?: Variables; versions?: Variables } }
  const env = process?.env ?? {}
  const { bun, deno } = process?.versions ?? {}
  return bun || deno || env.NODE_USE_ENV_PROXY === '1' ? env : {}
}

/** The end of an error about a request, which names the proxy that may be its reason. */
export const throughProxy = (variable: string | undefined): string =>
  variable === undefined ? '' : ` through the proxy of ${variable}`
