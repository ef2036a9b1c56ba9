import { beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { claimAdmin } from '../admin/support.ts'
import { bcryptHash, firebaseHash, hashConfig, ndjson } from '../admin/user-import-support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  PASSWORD as ADMIN_PASSWORD,
  cookieValue,
  request,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'
import { type Machine, signedInMachine } from './svc.ts'

const server = useServer()
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
}, 120_000)

const PASSWORD = 'pass phrase of an import'

const signIn = (email: string) =>
  request(server.current, 'POST', '/api/auth/signin', { body: { email, password: PASSWORD } })
const write = (machine: Machine, name: string, content: string | Uint8Array): string => {
  const path = join(machine.env.HOME ?? '', name)
  writeFileSync(path, content)
  return path
}
/** With a session of its own: a refresh token works once. */
const adminMachine = async (): Promise<Machine> => {
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', {
    body: { email: admin.email, password: ADMIN_PASSWORD },
  })
  const user = { ...admin, refreshToken: cookieValue(cookie) }
  return (await signedInMachine(server.current, server.current.url, user)).machine
}

test('svc admin users import checks a file, imports it, and reports lines that failed', async () => {
  const machine = await adminMachine()
  const email = uniqueEmail()
  const file = write(
    machine,
    'users.ndjson',
    ndjson([{ email, password_hash: await bcryptHash(PASSWORD) }, { email: 'x' }]),
  )
  const dry = await machine.svc(['admin', 'users', 'import', file, '--dry-run'])
  expect([dry.code, dry.stdout]).toEqual([1, '1 would be imported, 0 already there, 1 failed\n'])
  expect(dry.stderr).toContain('2: email: Invalid email address\n')
  expect((await signIn(email)).status).toBe(401)
  const real = await machine.svc(['admin', 'users', 'import', file])
  expect([real.code, real.stdout]).toEqual([1, '1 imported, 0 already there, 1 failed\n'])
  expect((await signIn(email)).status).toBe(200)
  const again = await machine.svc(['admin', 'users', 'import', '-', '--json'], {
    stdin: JSON.stringify({ email }),
  })
  expect(again.code).toBe(0)
  expect(JSON.parse(again.stdout)).toMatchObject({ imported: 0, existing: 1, failed_count: 0 })
})

test('svc admin users import reads an export of Firebase with its hash parameters', async () => {
  const machine = await adminMachine()
  const user = { localId: 'a1', email: uniqueEmail(), ...firebaseHash(PASSWORD) }
  const file = write(machine, 'users.json', JSON.stringify({ users: [user] }, null, 2))
  const shown = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: ${hashConfig.base64_signer_key},
  base64_salt_separator: Bw==,
  rounds: ${hashConfig.rounds},
  mem_cost: ${hashConfig.mem_cost},
}`
  const config = write(machine, 'hash-config.txt', shown)
  const command = ['admin', 'users', 'import', file, '--firebase-config']
  const empty = await machine.svc([...command, write(machine, 'empty.txt', 'nothing')])
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('base64_signer_key')])
  expect(await machine.svc([...command, config])).toMatchObject({
    code: 0,
    stdout: '1 imported, 0 already there, 0 failed\n',
  })
  expect((await signIn(user.email)).status).toBe(200)

  const other = { localId: 'b2', email: uniqueEmail(), ...firebaseHash(PASSWORD) }
  const compressed = write(machine, 'users.json.gz', gzipSync(JSON.stringify({ users: [other] })))
  const imported = await machine.svc([...command.with(3, compressed), config])
  expect(imported.stdout).toBe('1 imported, 0 already there, 0 failed\n')
  expect((await signIn(other.email)).status).toBe(200)
})
