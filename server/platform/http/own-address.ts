/** Host names by which a client on the same machine reaches the server. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1']

/** Returns the base URL with the local host name that the request used, if the server is local. */
export const reachedAs = (request: Request, baseUrl: string): string => {
  const base = new URL(baseUrl)
  const host = request.headers.get('host')
  if (!LOCAL_HOSTS.includes(base.hostname)) return baseUrl
  const name = LOCAL_HOSTS.find((each) => host === base.host.replace(base.hostname, each))
  return name ? baseUrl.replace(base.hostname, name) : baseUrl
}

/** Whether two URLs are equal, with `localhost` equal to `127.0.0.1` and a final slash ignored. */
export const isSamePlace = (one: string, other: string): boolean =>
  normalize(one) === normalize(other)

const normalize = (text: string): string =>
  (URL.parse(text)?.href ?? text).replace('//127.0.0.1:', '//localhost:').replace(/\/$/, '')
