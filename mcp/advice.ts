import type { ApiFailure } from '../shared/client.ts'

/**
 * What to do about an answer outside 2xx that says what is wrong with the call itself.
 * @returns undefined for one that is about the credential or the server: that depends on the host.
 */
export const adviseAnswer = (failure: ApiFailure): string | undefined => {
  const { status, message } = failure
  if (status === 422) return `The arguments were not accepted: ${message}. Correct them and retry.`
  if (status === 429) return adviseRefusal(failure)
  if (status === 401 || status >= 500 || status < 400) return undefined
  const url = upgradeUrl(failure)
  return url ? `${sentence(message)} See ${url}` : message
}

/** Too fast, or more than the month has: only the first passes by waiting. */
const adviseRefusal = (failure: ApiFailure): string => {
  const url = upgradeUrl(failure)
  return url
    ? `${sentence(failure.message)} See ${url}`
    : `${sentence(failure.message)} Wait a minute and call again.`
}

const upgradeUrl = ({ detail }: ApiFailure): string | undefined => {
  const url = (detail as { upgrade_url?: unknown } | null | undefined)?.upgrade_url
  return typeof url === 'string' ? url : undefined
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
