import type { ApiFailure } from './errors.ts'
import { reasonTable } from './reason-table.ts'

/** The length of the hash of a text, in characters. */
export const HASH_LENGTH = 4

export const hashOf = (text: string): string => {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0
  return hash.toString(36).slice(-HASH_LENGTH).padStart(HASH_LENGTH, '0')
}

/** `memory_not_found` of `Memory not found`; undefined for another text. */
export const missingOf = (text: string): string | undefined =>
  /^[\w ]+ not found$/.test(text) ? text.toLowerCase().replaceAll(' ', '_') : undefined

/** The names of the statuses, for errors whose text has values. */
const STATUS_REASONS: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  422: 'invalid_input',
  429: 'rate_limited',
  500: 'internal',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
}

/** The name of an error: of its body or its endpoint, of a text that is always the same, or of its status. */
export const nameOf = ({ reason, detail, status }: ApiFailure): string => {
  const text = typeof detail === 'string' ? detail : ''
  const entry = reasonTable.split(' ').find((each) => each.slice(0, HASH_LENGTH) === hashOf(text))
  const known = reason ?? entry?.slice(HASH_LENGTH) ?? missingOf(text)
  return known ?? STATUS_REASONS[status] ?? `http_${status}`
}
