import { domainToASCII } from 'node:url'
import isEmail from 'validator/lib/isEmail'

/** RFC 5321, section 4.5.3.1.1: octets of the local part. */
const MAX_LOCAL_BYTES = 64
/** RFC 1035, section 2.3.4. */
const MAX_LABEL = 63
/** A top-level domain has a letter. One character is enough, as in the shortest address of the contract. */
const TOP_LEVEL = /^(?=.*\p{L})[\p{L}\p{M}\p{N}-]+$/u
/** Characters that are invisible or look like a space. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/**
 * Whether a text is one unambiguous email address. Besides malformed addresses it refuses quoted local
 * parts, which may contain spaces and an @, invisible characters, and characters with a compatibility
 * form, such as full-width letters, which look like another address.
 */
export const isEmailAddress = (text: string): boolean => {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  return (
    // The validator's own limits are one character short of the contract's.
    isEmail(text, { ignore_max_length: true, require_tld: false }) &&
    !local.includes('"') &&
    Buffer.byteLength(local) <= MAX_LOCAL_BYTES &&
    labels.length > 1 &&
    labels.every((label) => label.length <= MAX_LABEL) &&
    TOP_LEVEL.test(labels.at(-1) ?? '') &&
    !INVISIBLE.test(text) &&
    text.normalize('NFKC') === text
  )
}

/** Characters that the conversion of a domain would decode, and no domain has. */
const NO_DOMAIN = /[%\s/\\?#:@[\]]/

/**
 * The one form in which an address is stored and compared: trimmed, in lower case and NFC, and its domain in ASCII
 * (UTS #46), because `exämple.com` and `xn--exmple-cua.com` are one mailbox. A domain that `isEmailAddress` refuses
 * stays as it is.
 */
export const canonicalAddress = (text: string): string => {
  const address = text.trim().normalize('NFC').toLowerCase()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const isConvertible =
    !INVISIBLE.test(domain) && !NO_DOMAIN.test(domain) && domain.normalize('NFKC') === domain
  const ascii = isConvertible && !isAscii(domain) ? domainToASCII(domain) : ''
  return ascii ? address.slice(0, -domain.length) + ascii : address
}

/** Whether a text has only characters of ASCII, such as an address that every mail server accepts. */
export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)
