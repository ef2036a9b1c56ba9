import { describe, expect, test } from 'bun:test'
import {
  createUserCode,
  formatUserCode,
  readUserCode,
} from '../../server/account/access/device/service.ts'
import { createApiKey, isWellFormedKey, keyPrefix } from '../../server/account/access/keys/token.ts'
import {
  emailProblem,
  normalizeEmail,
  usernameFrom,
} from '../../server/account/users/email-address.ts'

const many = <T>(make: () => T) => Array.from({ length: 1000 }, make)

describe('API keys', () => {
  test('a key has the prefix, 43 random characters and a checksum of 6, and is unique', () => {
    const keys = many(createApiKey)
    for (const key of keys) expect(key).toMatch(/^svc_[0-9A-Za-z]{49}$/)
    expect(new Set(keys).size).toBe(1000)
    expect(new Set(keys.flatMap((key) => [...key.slice(4, 47)])).size).toBe(62)
    expect(keyPrefix('svc_abcdefgh')).toBe('svc_abcd')
  })

  test('a key with one changed character is malformed', () => {
    const key = createApiKey()
    expect(isWellFormedKey(key)).toBe(true)
    for (let i = 0; i < key.length; i++) {
      const other = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1)
      expect(isWellFormedKey(other)).toBe(false)
    }
    for (const text of ['', 'svc_', key.slice(1), `${key}0`, key.toUpperCase()])
      expect(isWellFormedKey(text)).toBe(false)
  })
})

describe('user codes', () => {
  test('a user code has eight consonants and is read in any case and spacing', () => {
    for (const code of many(createUserCode)) {
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/)
      const shown = formatUserCode(code)
      expect(shown).toHaveLength(9)
      for (const typed of [shown, shown.toLowerCase(), ` ${code} `, shown.replace('-', ' - ')])
        expect(readUserCode(typed)).toBe(code)
    }
  })
})

describe('email addresses', () => {
  test('an address is compared trimmed and in lower case', () => {
    expect(normalizeEmail('  Ada@Example.COM\n')).toBe('ada@example.com')
  })

  test('an address has at most 64 characters before the @ and 255 in total', () => {
    const domain = (length: number) => `${`${'d'.repeat(60)}.`.repeat(4).slice(0, length - 4)}.com`
    expect(emailProblem(`${'a'.repeat(64)}@${domain(190)}`)).toBeUndefined()
    expect(emailProblem(`${'a'.repeat(65)}@example.com`)).toBe('malformed')
    expect(emailProblem(`ada@${'d'.repeat(64)}.com`)).toBe('malformed')
    expect(emailProblem('ada@mailinator.com')).toBe('disposable')
  })

  test('a username has lower-case letters, digits and single dashes', () => {
    expect(usernameFrom('Ada.Lovelace+news@example.com')).toBe('ada-lovelace-news')
    expect(usernameFrom('zoë@example.com')).toBe('zoe')
    expect(usernameFrom('__@example.com')).toBe('user')
    expect(usernameFrom('李@example.com')).toBe('user')
    expect(usernameFrom(`${'a'.repeat(29)}.b@example.com`)).toBe('a'.repeat(29))
    expect(usernameFrom(`${'a'.repeat(64)}@example.com`)).toBe('a'.repeat(30))
  })
})
