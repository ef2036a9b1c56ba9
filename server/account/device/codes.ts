import { randomInt } from 'node:crypto'

/** Consonants only (RFC 8628, section 6.1): nothing looks alike, and no word comes out. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

export const createUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** As it is shown to a person: two groups of four. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** As somebody typed it: in any case, with or without the dash or spaces. */
export const readUserCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '')
