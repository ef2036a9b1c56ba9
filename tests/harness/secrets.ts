/** Secrets that were sent to a server or received from it. Its log must contain none of them. */
const secretsOf = new Map<string, Set<string>>()

const SECRET_FIELD =
  /^(password|\w+_password|token|\w+_token|key|api_key|code|\w+_code|recovery_codes|secret|\w+_secret|otpauth_url|state)$/
/** Shorter values occur in a log by chance, except for the six digits of an authenticator code. */
const MIN_LENGTH = 12
const SIX_DIGITS = /^\d{6}$/

/** One request and its response, as far as they contain secrets. */
export interface Exchange {
  request: { headers: Record<string, string>; body: unknown; url: URL }
  answer: { headers: Headers; body: unknown }
}

/** Records the passwords, tokens, keys, codes and cookie values of a request and its response. */
export const noteSecrets = (url: string, { request, answer }: Exchange): void => {
  const secrets = secretsOf.get(url) ?? new Set()
  secretsOf.set(url, secrets)
  const location = answer.headers.get('location')
  const found = [
    ...inFields(typeof request.body === 'string' ? parsed(request.body) : request.body),
    ...inFields(answer.body),
    ...inQuery(request.url.searchParams),
    ...(location ? inQuery(new URL(location, url).searchParams) : []),
    ...inHeaders(request.headers),
    ...answer.headers.getSetCookie().flatMap((line) => cookieValues(line.split(';')[0])),
  ]
  for (const secret of found)
    if (secret.length >= MIN_LENGTH || SIX_DIGITS.test(secret)) secrets.add(secret)
}

/** @throws Error when a line of the log contains a secret of the server at `url`, which are then forgotten. */
export const assertNoSecrets = (url: string, log: string[]): void => {
  const text = log.join('')
  const secrets = secretsOf.get(url) ?? []
  secretsOf.delete(url)
  for (const secret of secrets)
    if (contains(text, secret)) {
      const line = log.find((each) => contains(each, secret))
      throw new Error(`a secret is in the log: ${secret} in ${line}`)
    }
}

/** Six digits count only as a separate word: ids contain digits too. */
const contains = (text: string, secret: string): boolean =>
  text.includes(secret) &&
  (!SIX_DIGITS.test(secret) || new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`).test(text))

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return Object.fromEntries(new URLSearchParams(body))
  }
}

/** Only a test of nesting depth goes deeper than this. */
const MAX_DEPTH = 100

const inFields = (value: unknown, name = '', depth = 0): string[] => {
  if (typeof value === 'string') return SECRET_FIELD.test(name) ? [value] : []
  if (!value || typeof value !== 'object' || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, each]) =>
    inFields(each, Array.isArray(value) ? name : key, depth + 1),
  )
}

const inQuery = (query: URLSearchParams): string[] =>
  [...query].flatMap(([name, value]) => inFields(value, name))

const inHeaders = (headers: Record<string, string>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (name === 'authorization') return value.split(' ').slice(1)
    if (name === 'x-api-key') return [value]
    return name === 'cookie' ? value.split(';').flatMap(cookieValues) : []
  })

const cookieValues = (pair = ''): string[] => {
  const value = pair.slice(pair.indexOf('=') + 1).trim()
  return value ? [value] : []
}
