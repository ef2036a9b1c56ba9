import { createCipheriv, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { request, type TestServer, type TestUser } from '../harness/server.ts'

/** Imports text as a file, such as lines of JSON. */
export const importUsers = (
  server: Pick<TestServer, 'url'>,
  admin: Pick<TestUser, 'accessToken'>,
  file: string,
  query = '',
) =>
  request(server, 'POST', `/api/admin/users/import${query}`, {
    token: admin.accessToken,
    body: file,
    headers: { 'content-type': 'application/x-ndjson' },
  })

export const ndjson = (lines: readonly object[]): string =>
  lines.map((line) => JSON.stringify(line)).join('\n')

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** The parameters of a project, as the Firebase console shows them. */
export const hashConfig = {
  algorithm: 'SCRYPT',
  base64_signer_key: randomBytes(64).toString('base64'),
  base64_salt_separator: 'Bw==',
  rounds: 8,
  mem_cost: 4,
}

/** The `passwordHash` and `salt` of a user in an export of Firebase. */
export const firebaseHash = (password: string) => {
  const salt = randomBytes(10)
  const separator = Buffer.from(hashConfig.base64_salt_separator, 'base64')
  const cost = { N: 2 ** hashConfig.mem_cost, r: hashConfig.rounds, p: 1 }
  const key = scryptSync(password, Buffer.concat([salt, separator]), 32, cost)
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const sealed = cipher.update(Buffer.from(hashConfig.base64_signer_key, 'base64'))
  return { passwordHash: sealed.toString('base64'), salt: salt.toString('base64') }
}

/** `salt:key`, with the parameters that better-auth does not store. */
export const betterAuthHash = (password: string): string => {
  const salt = randomBytes(16).toString('hex')
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 }
  return `${salt}:${scryptSync(password.normalize('NFKC'), salt, 64, cost).toString('hex')}`
}

export const bcryptHash = (password: string): Promise<string> =>
  Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })

/** A hash of each kind, as cheap as the kind allows. */
export const HASHES: Record<string, (password: string) => Promise<unknown> | unknown> = {
  bcrypt: bcryptHash,
  argon2id: (password) =>
    Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 512, timeCost: 3 }),
  scrypt(password) {
    const salt = randomBytes(16)
    const hash = scryptSync(password, salt, 32, { N: 1_024, r: 8, p: 1 })
    return {
      kind: 'scrypt',
      n: 1_024,
      r: 8,
      p: 1,
      salt: salt.toString('base64'),
      hash: hash.toString('base64'),
    }
  },
  pbkdf2(password) {
    const salt = randomBytes(16)
    const hash = pbkdf2Sync(password, salt, 1_000, 32, 'sha256')
    return `$pbkdf2-sha256$i=1000$${unpadded(salt)}$${unpadded(hash)}`
  },
}
