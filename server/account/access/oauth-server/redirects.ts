const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Known apps whose URI scheme is not a reversed domain name. Without a list, any system scheme would be
 * allowed.
 */
const KNOWN_APPS = new Set(
  'antigravity claude cursor goose jetbrains kiro lmstudio obsidian postman raycast trae vscode vscode-insiders vscodium warp windsurf zed'
    .split(' ')
    .map((name) => `${name}:`),
)

/** A scheme that is a domain name in reverse order (RFC 8252, 7.1), such as `com.example.app:`. */
const REVERSED_DOMAIN = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)(?:\.[a-z0-9-]+)+:$/

/**
 * Allows HTTPS, HTTP on the loopback interface, and private-use schemes (RFC 8252, section 7). Schemes
 * that an operating system or a browser handles itself, such as `smb:` or `javascript:`, are refused.
 */
export const isRedirectUri = (text: string): boolean => {
  const url = /^[\x21-\x7e]{1,2000}$/.test(text) ? URL.parse(text) : null
  if (!url || text.includes('#') || url.username || url.password) return false
  const { protocol, hostname } = url
  if (protocol === 'https:') return true
  if (protocol === 'http:') return LOOPBACK.has(hostname)
  return KNOWN_APPS.has(protocol) || REVERSED_DOMAIN.test(protocol)
}

/** Exact comparison, except for the port of an HTTP loopback address (RFC 8252, section 7.3). */
export const isSameRedirect = (registered: string, requested: string): boolean => {
  if (registered === requested) return true
  const [one, other] = [URL.parse(registered), URL.parse(requested)]
  if (!one || !other || one.protocol !== 'http:' || !LOOPBACK.has(one.hostname)) return false
  return withoutPort(registered, one) === withoutPort(requested, other)
}

const withoutPort = (text: string, { port }: URL): string =>
  port ? text.replace(`:${port}`, '') : text

/** The target of a redirect: a site, an app on this computer, or the app that opens links of a scheme. */
export const redirectTarget = (
  redirectUri: string,
): { kind: 'site' | 'local' | 'scheme'; name: string } => {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return { kind: 'site', name: host }
  if (protocol === 'http:') return { kind: 'local', name: host }
  return { kind: 'scheme', name: `${protocol}//` }
}
