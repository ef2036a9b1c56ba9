import { randomInt } from 'node:crypto'
import { hashSecret } from '../keys/token.ts'

/** Crockford's Base32, in lower case: without i, l, o and u, which are misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 4
const GROUP_LENGTH = 4
const CODES = 10

/** Ten codes of 80 random bits each, to be written down. */
export const createRecoveryCodes = (): string[] => Array.from({ length: CODES }, createCode)

const createCode = () =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(
      '',
    ),
  ).join('-')

/** SHA-256 of a code as somebody typed it: in any case, with or without dashes or spaces. */
export const hashRecoveryCode = (typed: string): string =>
  hashSecret(typed.toLowerCase().replace(/[^a-z0-9]/g, ''))
