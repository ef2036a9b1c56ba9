import { DEFAULT_URL, isApiKey, isProfileName, parseHttpUrl } from '../mcp/stdio/local-config.ts'
import { withScheme } from '../shared/server-url.ts'
import { usageError } from './errors.ts'

/** @throws CliError, whose message does not contain the text. */
export const parseApiKey = (text: string, source: string): string => {
  if (isApiKey(text)) return text
  throw usageError(`${source} is not an API key.`, 'An API key starts with svc_. Run: svc login')
}

/**
 * @param source the origin of the text. The error names it instead of the text, which may contain a
 * password.
 * @throws CliError unless the text is the origin of an HTTP server, with or without the scheme.
 */
export const parseServerUrl = (text: string, source = '--url'): string => {
  const url = parseHttpUrl(withScheme(text.trim()))
  const isOrigin = url && !url.username && !url.password && url.pathname === '/'
  if (isOrigin && !url.search && !url.hash) return url.origin
  throw usageError(
    `Invalid server URL (${source}).`,
    `It has a host, and optionally http:// or https:// and a port: --url ${DEFAULT_URL}`,
  )
}

/** @throws CliError */
export const parseProfileName = (text: string): string => {
  if (isProfileName(text)) return text
  throw usageError(
    'Invalid profile name.',
    'Use letters, digits, dots, dashes and underscores: --profile work',
  )
}
