/** By either name a browser or a program reaches a server on its own machine. */
const HERE = ['localhost', '127.0.0.1']

/** The server's base URL, by the name that a request came by where it has two. */
export const reachedAs = (request: Request, baseUrl: string): string => {
  const base = new URL(baseUrl)
  const asked = request.headers.get('host')
  if (!HERE.includes(base.hostname)) return baseUrl
  const name = HERE.find((each) => asked === base.host.replace(base.hostname, each))
  return name ? baseUrl.replace(base.hostname, name) : baseUrl
}

/** Whether two URLs lead to the same place, the names of this machine taken for one. */
export const isSamePlace = (one: string, other: string): boolean => plain(one) === plain(other)

const plain = (text: string): string =>
  (URL.parse(text)?.href ?? text).replace('//127.0.0.1:', '//localhost:').replace(/\/$/, '')
