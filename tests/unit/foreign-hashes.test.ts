import { describe, expect, test } from 'bun:test'
import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { formatHash } from '../../server/account/users/hashes/hash.ts'
import { parseHash } from '../../server/account/users/hashes/parse.ts'
import { verifyForeignHash } from '../../server/account/users/hashes/verify.ts'
import { createPasswords } from '../../server/account/users/passwords.ts'
import { CHEAP_HASHING } from '../harness/server.ts'

const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')
const unpadded = (bytes: Buffer | string) => base64(bytes).replace(/=+$/, '')

/** Hashes that other implementations published, and such as they write them. */
const PUBLISHED: Record<string, [password: string, hash: string]> = {
  'bcrypt of crypt_blowfish ($2a$)': [
    'U*U',
    '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  ],
  'Argon2i with a parallelism of four, of the reference implementation': [
    'password',
    `$argon2i$v=19$m=65536,t=2,p=4$c29tZXNhbHQ$${unpadded(
      Buffer.from('45d7ac72e76f242b20b77b9bf9bf9d5915894e669a24e6c6', 'hex'),
    )}`,
  ],
  'scrypt of RFC 7914, section 12': [
    'pleaseletmein',
    `$scrypt$ln=14,r=8,p=1$${unpadded('SodiumChloride')}$${unpadded(
      Buffer.from(
        '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
        'hex',
      ),
    )}`,
  ],
  'Firebase, of the tests of Supabase': [
    'mytestpassword',
    '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw==$C0sHCg9ek77hsg==$zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw==',
  ],
  'PBKDF2 of RFC 6070': [
    'password',
    `$pbkdf2$4096$${unpadded('salt')}$${unpadded(
      Buffer.from('4b007901b765489abead49d926f721d065a429c1', 'hex'),
    )}`,
  ],
  'PBKDF2 of Django': [
    'correct horse',
    `pbkdf2_sha256$1000$seasalt$${base64(pbkdf2Sync('correct horse', 'seasalt', 1_000, 32, 'sha256'))}`,
  ],
  'PBKDF2 with SHA-512': [
    'correct horse',
    `$pbkdf2-sha512$i=1000,l=64$${unpadded('seasalt')}$${unpadded(
      pbkdf2Sync('correct horse', 'seasalt', 1_000, 64, 'sha512'),
    )}`,
  ],
  'scrypt of a password in NFKC': [
    'ﬁancée 10²',
    `$scrypt$ln=10,r=8,p=1,nfkc=1$${unpadded('seasalt')}$${unpadded(
      scryptSync('fiancée 102', 'seasalt', 64, { N: 1_024 }),
    )}`,
  ],
}

describe('a hash of another system', () => {
  for (const [name, [password, hash]] of Object.entries(PUBLISHED))
    test(`${name}: verifies its password and no other, and survives its stored form`, async () => {
      const parsed = parseHash(hash)
      if (!('hash' in parsed)) throw new Error(parsed.problem)
      const stored = formatHash(parsed.hash)
      for (const text of [hash, stored]) {
        expect(await verifyForeignHash(password, text)).toBe(true)
        expect(await verifyForeignHash(`${password} `, text)).toBe(false)
        expect(await verifyForeignHash('', text)).toBe(false)
      }
    })

  test('bcrypt reads the first 72 bytes of a password, as everywhere', async () => {
    const start = 'x'.repeat(72)
    const hash = await Bun.password.hash(start, { algorithm: 'bcrypt', cost: 4 })
    expect(await verifyForeignHash(`${start}and more`, hash)).toBe(true)
    expect(await verifyForeignHash(start.slice(1), hash)).toBe(false)
  })

  test('the empty password matches no hash, even its own', async () => {
    const hash = `$scrypt$ln=10,r=8,p=1$${unpadded('salt')}$${unpadded(scryptSync('', 'salt', 32, { N: 1_024 }))}`
    expect(await verifyForeignHash('', hash)).toBe(false)
  })
})

const FIREBASE_WITH_LARGE_N = PUBLISHED['Firebase, of the tests of Supabase']?.[1].replace(
  'n=14,r=8',
  'n=16,r=1',
) as string
const hash32 = unpadded(Buffer.alloc(32, 7))
const bcrypt = (cost: string) => `$2b$${cost}$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`

describe('a hash that would cost too much, or that every password could meet, is refused', () => {
  for (const [hash, problem] of [
    [bcrypt('31'), 'The cost of bcrypt must be from 4 to 14'],
    [bcrypt('15'), 'The cost of bcrypt must be from 4 to 14'],
    [bcrypt('03'), 'The cost of bcrypt must be from 4 to 14'],
    [`$argon2id$v=19$m=4194304,t=3,p=4$c29tZXNhbHQ$${hash32}`, 'The KiB of memory of Argon2'],
    [`$argon2id$v=19$m=65536,t=1000,p=1$c29tZXNhbHQ$${hash32}`, 'The passes of Argon2'],
    [`$argon2id$v=19$m=65536,t=1,p=9999$c29tZXNhbHQ$${hash32}`, 'The parallelism of Argon2'],
    [`$argon2id$v=19$m=262144,t=4,p=1$c29tZXNhbHQ$${hash32}`, 'KiB · passes of Argon2'],
    [`$argon2id$v=19$m=8,t=1,p=4$c29tZXNhbHQ$${hash32}`, 'The KiB of memory of Argon2'],
    [`$scrypt$ln=31,r=8,p=1$c2FsdA$${hash32}`, 'scrypt must need at most 128 MiB'],
    [`$scrypt$ln=999,r=8,p=1$c2FsdA$${hash32}`, 'scrypt must need at most 128 MiB'],
    [`$scrypt$ln=14,r=8,p=5000$c2FsdA$${hash32}`, 'N · r · p of scrypt must be at most'],
    [`$scrypt$ln=0,r=8,p=1$c2FsdA$${hash32}`, 'The cost of scrypt must be positive'],
    [`$scrypt$ln=16,r=1,p=1$c2FsdA$${hash32}`, 'N of scrypt must be less than 2^(16 · r)'],
    [FIREBASE_WITH_LARGE_N, 'N of scrypt must be less than 2^(16 · r)'],
    [`$scrypt$ln=14,r=8,p=1$c2FsdA$`, 'must have at least 16 bytes'],
    [`$pbkdf2-sha256$i=999999999$c2FsdA$${hash32}`, 'The iterations of PBKDF2'],
    [`$pbkdf2-sha256$i=0$c2FsdA$${hash32}`, 'The iterations of PBKDF2'],
    [`$pbkdf2-sha256$i=1000$c2FsdA$AAAA`, 'must have at least 16 bytes'],
    // The last character of a salt or a hash has bits that no byte has.
    [bcrypt('05').replace('CC.E5', 'CCCE5'), 'Not a hash of'],
    [bcrypt('05').replace(/W$/, 'X'), 'Not a hash of'],
    [`$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHR$${hash32}`, 'Not a hash of'],
    [`$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQAA$${hash32}`, 'Not a hash of'],
    [`$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$${hash32.slice(0, -1)}d`, 'Not a hash of'],
    [`$pbkdf2-md5$i=1000$c2FsdA$${hash32}`, 'Not a hash of'],
    ['5f4dcc3b5aa765d61d8327deb882cf99', 'Not a hash of'],
    ['password', 'Not a hash of'],
    ['', 'Not a hash of'],
    [`$scrypt$ln=14,r=8,p=1$c2FsdA$${'A'.repeat(3_000)}`, 'at most 2000 characters'],
  ] as const)
    test(`${hash.slice(0, 40)}: ${problem}`, async () => {
      const parsed = parseHash(hash)
      expect('problem' in parsed && parsed.problem).toContain(problem)
      expect(await verifyForeignHash('password', hash)).toBe(false)
    })
})

test('a hash that svc did not make with its current cost is to be renewed', async () => {
  const passwords = createPasswords(CHEAP_HASHING)
  const own = await passwords.renew('password')
  expect(passwords.isCurrent(own)).toBe(true)
  const [, argon2] =
    PUBLISHED['Argon2i with a parallelism of four, of the reference implementation'] ?? []
  for (const hash of [bcrypt('10'), argon2 ?? '', own.replace('t=1', 't=2')])
    expect(passwords.isCurrent(hash)).toBe(false)
})

test('imported hashes are verified within the bound of parallel hashing', async () => {
  const passwords = createPasswords(CHEAP_HASHING)
  const [password = '', hash = ''] = PUBLISHED['Firebase, of the tests of Supabase'] ?? []
  const checked = await Promise.all(
    Array.from({ length: 8 }, (_, i) => passwords.verify(i % 2 ? password : 'wrong', hash)),
  )
  expect(checked).toEqual(checked.map((_, i) => i % 2 === 1))
})
