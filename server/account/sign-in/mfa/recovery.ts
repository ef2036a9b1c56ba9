import { randomInt } from 'node:crypto'
import { hashSecret } from '../../../platform/secrets.ts'

/** Crockford's Base32 in lower case. It leaves out i, l, o and u, which are easily misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 4
const GROUP_LENGTH = 4
const CODES = 10

/** Ten codes of 80 random bits each. */
export const createRecoveryCodes = (): string[] => Array.from({ length: CODES }, createCode)

const createCode = () =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(
      '',
    ),
  ).join('-')

/** SHA-256 of a code. Case, dashes and spaces do not matter. */
export const hashRecoveryCode = (typed: string): string =>
  hashSecret(typed.toLowerCase().replace(/[^a-z0-9]/g, ''))
