import { expect, test } from 'bun:test'
import { createPasswords } from '../../server/account/users/passwords.ts'

test('by default a password is hashed with argon2id, 64 MiB and two passes', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('correct horse battery staple')
  expect(hash).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$')
  expect(await passwords.verify('correct horse battery staple', hash)).toBe(true)
  expect(await passwords.verify('correct horse battery stapler', hash)).toBe(false)
})
