import { isEmailAddress } from '../../platform/mail/address.ts'

/** No quotes, comments, names, lists, white space or non-ASCII characters, which mail servers parse differently. */
const PLAIN = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$/
/** RFC 5321, section 4.5.3.1.3: a path of 256 characters with its brackets. */
const MAX_LENGTH = 254

/**
 * Reads a recipient's address.
 * @returns the address for the envelope, with its domain in lower case; undefined unless it is one plain
 * address.
 */
export const readAddress = (text: string): string | undefined => {
  if (text.length > MAX_LENGTH || !PLAIN.test(text) || !isEmailAddress(text)) return undefined
  const at = text.indexOf('@')
  return text.slice(0, at) + text.slice(at).toLowerCase()
}

/** Keeps the first of addresses that differ only in case. */
export const withoutDuplicates = (addresses: string[]): string[] =>
  [...Map.groupBy(addresses, (address) => address.toLowerCase()).values()].flatMap((same) =>
    same.slice(0, 1),
  )
