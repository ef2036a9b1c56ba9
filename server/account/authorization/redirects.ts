const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes that a browser acts on itself, or that go in the clear. Others belong to programs. */
const NO_PROGRAM = new Set(
  'about blob data file filesystem ftp http https javascript mailto sms tel urn vbscript view-source ws wss'
    .split(' ')
    .map((name) => `${name}:`),
)

/**
 * Whether codes may be sent there: to a site over HTTPS, to a program on the person's machine by its
 * own scheme, or over HTTP on the loopback interface (RFC 8252, section 7).
 */
export const isRedirectUri = (text: string): boolean => {
  const url = /^[\x21-\x7e]{1,2000}$/.test(text) ? URL.parse(text) : null
  if (!url || text.includes('#') || url.username || url.password) return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' ? LOOPBACK.has(url.hostname) : isOfProgram(url)
}

/** Of browsers and systems themselves: what they open was never meant to take a code. */
const OF_SYSTEM = /^(chrome|edge|intent|jar|ms-|opera|res|resource|search)\b/

/**
 * A scheme should be a domain turned round (RFC 8252, 7.1), and often is not. What names nothing after
 * it is how systems start programs of their own.
 */
const isOfProgram = ({ protocol, host }: URL): boolean =>
  !NO_PROGRAM.has(protocol) && !OF_SYSTEM.test(protocol) && (protocol.includes('.') || host !== '')

/** Compares to the letter, save for the port of a program that listens where there is room (RFC 8252, 7.3). */
export const sameRedirect = (registered: string, given: string): boolean => {
  if (registered === given) return true
  const [one, other] = [URL.parse(registered), URL.parse(given)]
  if (!one || !other || one.protocol !== 'http:' || !LOOPBACK.has(one.hostname)) return false
  return withoutPort(registered, one) === withoutPort(given, other)
}

const withoutPort = (text: string, { port }: URL): string =>
  port ? text.replace(`:${port}`, '') : text

/** Where a redirect leads, as a person reads it. */
export const placeOf = (redirectUri: string): string => {
  const url = new URL(redirectUri)
  if (url.protocol === 'https:') return url.host
  if (url.protocol === 'http:') return `a program on this computer (${url.host})`
  return `the program that opens ${url.protocol}// links`
}
