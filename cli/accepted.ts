import { usageError } from './errors.ts'

export const DEFAULT_URL = 'http://localhost:3000'
export const DEFAULT_PROFILE = 'default'

/** A key goes into a header, which takes visible ASCII alone. The message does not repeat it. */
export const readKey = (text: string, source: string): string => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw usageError(`${source} is not an API key.`, 'An API key starts with svc_. Run: svc login')
}

/**
 * @param source where the text is from. It is not repeated, because it may hold a password.
 * @throws CliError for what is not the address of a server.
 */
export const readUrl = (text: string, source = '--url'): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bare =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && url.pathname === '/'
  if (bare && !url.search && !url.hash) return url.origin
  throw usageError(
    `The URL of the server is not one (${source}).`,
    `Give it with http:// or https:// and nothing behind the port, as in --url ${DEFAULT_URL}`,
  )
}

/** @throws CliError for what cannot name a profile. */
export const readProfileName = (text: string): string => {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text) && text !== '__proto__') return text
  throw usageError(
    'The name of the profile will not do.',
    'Use letters, digits, dots, dashes and underscores: --profile work',
  )
}
