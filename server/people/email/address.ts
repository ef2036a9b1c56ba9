import isEmail from 'validator/lib/isEmail'

/** No quotes, comments, names, lists, white space or anything beyond ASCII: nothing to read in two ways. */
const PLAIN = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$/
/** RFC 5321, section 4.5.3.1.3: a path of 256 with its brackets. */
const MAX_LENGTH = 254

/**
 * Reads an address that mail is to go to.
 * @returns it as it goes into the envelope, with its domain in lower case; undefined for what is not
 * one plain address.
 */
export const readAddress = (given: string): string | undefined => {
  if (given.length > MAX_LENGTH || !PLAIN.test(given) || !isEmail(given)) return undefined
  const at = given.indexOf('@')
  return given.slice(0, at) + given.slice(at).toLowerCase()
}

/** Addresses that differ in case alone are one mailbox: the first is kept. */
export const withoutDoubles = (addresses: string[]): string[] =>
  [...Map.groupBy(addresses, (address) => address.toLowerCase()).values()].flatMap((same) =>
    same.slice(0, 1),
  )
