import { randomInt } from 'node:crypto'

/** Consonants only (RFC 8628, section 6.1): no two look alike, and no words are formed. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

export const createUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** Formats a code for display: two groups of four. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalizes a typed code. Case, dashes and spaces do not matter. */
export const readUserCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '')
