import { randomInt } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { canonicalAddress, isEmailAddress } from '../../platform/mail/address.ts'
import { userError } from './errors.ts'

/** The form in which addresses are stored and compared. */
export const normalizeEmail = canonicalAddress

/** Whether the column can store the address. No account can have any other. */
export const isStorableEmail = (email: string): boolean =>
  email.length <= 255 && !email.includes('\0')

export type EmailProblem = 'malformed' | 'disposable'

/** @returns why an address cannot be used for an account or an invite, or undefined. */
export const emailProblem = (email: string): EmailProblem | undefined => {
  if (!isStorableEmail(email) || !isEmailAddress(email)) return 'malformed'
  return isDisposable(email) ? 'disposable' : undefined
}

let disposableDomains: Set<string> | undefined

/** Whether the domain of an address, or a parent domain, is a known provider of disposable mailboxes. */
const isDisposable = (email: string): boolean => {
  disposableDomains ??= disposableEmailBlocklistSet()
  const labels = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).split('.')
  // The loop leaves out the top-level domain.
  for (let first = 0; first < labels.length - 1; first++)
    if (disposableDomains.has(labels.slice(first).join('.'))) return true
  return false
}

/** @throws ApiError 400 for a malformed or disposable address. */
export const readEmail = (text: string): string => {
  const email = normalizeEmail(text)
  const problem = emailProblem(email)
  if (problem === 'malformed') throw userError('invalid_email')
  if (problem === 'disposable') throw userError('disposable_email')
  return email
}

/** Names under which the service itself appears in direct messages. */
/** Stands for a deleted account among what others keep. */
export const DELETED_USERNAME = 'deleted'

const RESERVED_USERNAMES = new Set(['icog', DELETED_USERNAME])

const FEW_DIGITS = 6
/** With these, no two of many millions of users with the same name collide. */
const MANY_DIGITS = 14

/** A username for an attempt to find a free one, from 0: digits follow the name, many from the third on. */
export const usernameCandidate = (name: string, attempt: number): string =>
  attempt === 0 ? name : `${name}-${randomDigits(attempt === 1 ? FEW_DIGITS : MANY_DIGITS)}`

const randomDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0')

/** Derives a username from the part before the @: lower-case letters, digits and dashes. */
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
