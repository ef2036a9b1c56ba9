const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i

/**
 * Adds the scheme to a server URL without one, such as `localhost:3000`. A domain name gets HTTPS. HTTP is for
 * addresses, and for names without a dot, which are of this machine or of its network and need a port.
 */
export const withScheme = (text: string): string => {
  const url = SCHEME.test(text) ? undefined : URL.parse(`http://${text}`)
  if (!url) return text
  const labels = url.hostname.split('.')
  const isLocal = labels.length === 1 || /^(?:local|localhost|\d+)$/i.test(labels.at(-1) ?? '')
  const isWord = /^[\w-]+$/.test(text) && text !== 'localhost'
  return isWord ? text : `${isLocal ? 'http' : 'https'}://${text}`
}
