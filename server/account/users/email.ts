import { isDisposableEmail } from 'disposable-email-domains-js'
import isEmail from 'validator/lib/isEmail'
import { ApiError } from '../../platform/http/error.ts'

/** Addresses are kept and compared trimmed and in lower case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** Whether an account could have this address at all: what is longer, or holds a NUL, is not even stored. */
export const couldBeEmail = (email: string): boolean => email.length <= 255 && !email.includes('\0')

export type EmailFault = 'malformed' | 'disposable'

/** What is wrong with an address that somebody wants, if anything. */
export const emailFault = (email: string): EmailFault | undefined => {
  if (!isEmail(email, { ignore_max_length: true }) || !hasLegalParts(email)) return 'malformed'
  return isDisposableEmail(email) ? 'disposable' : undefined
}

/**
 * Reads the address that somebody wants their account to have.
 * @throws ApiError 400 for one that is malformed or disposable.
 */
export const readEmail = (text: string): string => {
  const email = normalizeEmail(text)
  const fault = emailFault(email)
  if (fault === 'malformed') throw new ApiError(400, 'Invalid email address')
  if (fault === 'disposable') throw new ApiError(400, 'Disposable email addresses are not allowed')
  return email
}

export const emailTaken = () => new ApiError(409, 'Email already registered')

/**
 * The validator's limit of 254 characters is one short of the contract's, so the lengths of the
 * parts are measured here: 64 before the @ (RFC 5321), 63 for a label of the domain (RFC 1035).
 */
const hasLegalParts = (email: string): boolean => {
  const at = email.lastIndexOf('@')
  const labels = email.slice(at + 1).split('.')
  return at <= 64 && labels.every((label) => label.length <= 63)
}

/** Those the service goes by itself, where people write to each other. */
const RESERVED_USERNAMES = new Set(['icog', 'deleted'])

/** Usernames are made of the part before the @: lower-case letters, digits and dashes. */
export const usernameFrom = (email: string): string => {
  const name = (email.split('@')[0] ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 30)
    .replace(/-$/, '')
  return RESERVED_USERNAMES.has(name) ? `${name}-user` : name || 'user'
}
