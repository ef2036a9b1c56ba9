import { isDisposableEmail } from 'disposable-email-domains-js'
import isEmail from 'validator/lib/isEmail'

/** Addresses are kept and compared trimmed and in lower case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** Whether an account could have this address at all: what is longer, or holds a NUL, is not even stored. */
export const couldBeEmail = (email: string): boolean => email.length <= 255 && !email.includes('\0')

export type EmailFault = 'malformed' | 'disposable'

/** What is wrong with an address that somebody wants to sign up with, if anything. */
export const emailFault = (email: string): EmailFault | undefined => {
  // The validator stops at 254 characters, one short of the contract; 64 are before the @ (RFC 5321).
  if (!isEmail(email, { ignore_max_length: true }) || email.lastIndexOf('@') > 64)
    return 'malformed'
  return isDisposableEmail(email) ? 'disposable' : undefined
}

/** Usernames are made of the part before the @: lower-case letters, digits and dashes. */
export const usernameFrom = (email: string): string =>
  (email.split('@')[0] ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 30) || 'user'
