import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArchive } from '../../server/system/backup/archive-reader.ts'
import { inSystemTerminal, newMachine } from '../cli/svc.ts'
import { makeDatabase } from '../embedded/support.ts'
import type { TestUser } from '../harness/server.ts'
import {
  adminJson,
  embeddedPlace,
  type Place,
  populate,
  scratch,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const PASSPHRASE = 'several words that no one guesses'

const directory = mkdtempSync(join(tmpdir(), 'svc-encrypted-'))
const place: Place = { SVC_DATA_DIR: join(directory, 'data') }
afterAll(() => rmSync(directory, { recursive: true, force: true }))
let user: TestUser
let view: Awaited<ReturnType<typeof viewOf>>

beforeAll(async () => {
  await makeDatabase(place.SVC_DATA_DIR)
  await withServer(place, async (url) => {
    user = await populate(place, url, 5)
    view = await viewOf(user, url)
  })
}, 300_000)

const secretOf = ({ SVC_DATA_DIR }: Place) =>
  readFileSync(join(SVC_DATA_DIR, 'auth-secret'), 'utf8')

const run = async (at: Place, args: string[], passphrase?: string) => {
  const env = { ...at, ...(passphrase !== undefined && { SVC_BACKUP_PASSPHRASE: passphrase }) }
  const { code, stdout, stderr } = await newMachine().svc(['admin', ...args, '--json'], { env })
  return { code, stderr, result: code === 0 ? JSON.parse(stdout) : undefined }
}

const expectView = (at: Place) =>
  withServer(at, async (url) => expect(await viewOf(user, url)).toEqual(view))

test('an encrypted backup restores with its passphrase, and a wrong, missing or short one is named', async () => {
  const file = join(scratch(), 'backup.tar.zst.age')
  const short = await run(place, ['backup', file], 'too short')
  expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('at least 12 characters')])
  const unasked = await run(place, ['backup', '--encrypt', file])
  expect([unasked.code, unasked.stderr]).toEqual([
    2,
    expect.stringContaining('Set SVC_BACKUP_PASSPHRASE, or use --passphrase-file.'),
  ])
  expect(existsSync(file)).toBe(false)

  const { result } = await run(place, ['backup', file], PASSPHRASE)
  expect(result).toMatchObject({ encrypted: true, has_secret: true })
  expect(readFileSync(file, 'latin1')).toStartWith('age-encryption.org/v1\n-> scrypt ')
  const target = embeddedPlace()
  const missing = await run(target, ['restore', file])
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining('The backup needs a passphrase'),
  ])
  const wrong = await run(target, ['restore', file], `${PASSPHRASE}?`)
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining(`The passphrase is not that of ${file}`),
  ])
  expect(existsSync(target.SVC_DATA_DIR)).toBe(false)

  const passphraseFile = join(scratch(), 'passphrase')
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`)
  await adminJson(target, 'restore', file, '--passphrase-file', passphraseFile)
  expect(secretOf(target)).toBe(secretOf(place))
  await expectView(target)

  truncateSync(file, 70_000)
  const damaged = await run(embeddedPlace(), ['restore', file], PASSPHRASE)
  expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('is damaged')])
})

test('a file that age encrypted in another way, or with much work, is refused before it is read', async () => {
  const file = join(scratch(), 'other.age')
  const header = (stanza: string) =>
    `age-encryption.org/v1\n-> ${stanza}\n${'x'.repeat(43)}\n--- ${'x'.repeat(43)}\n`
  for (const [stanza, reason] of [
    [`X25519 ${'x'.repeat(43)}`, 'is not encrypted with a passphrase'],
    [`scrypt ${'x'.repeat(22)} 30`, 'has the scrypt work factor 30'],
  ] as const) {
    writeFileSync(file, header(stanza))
    const { code, stderr } = await run(embeddedPlace(), ['restore', file], PASSPHRASE)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} ${reason}`)])
  }
})

test('a passphrase is asked for twice at the terminal, and not shown', async () => {
  const file = join(scratch(), 'backup.tar.zst.age')
  const machine = newMachine()
  const backup = inSystemTerminal(machine, ['admin', 'backup', '--encrypt', file], { ...place })
  await backup.sees(/Passphrase of the backup: /)
  backup.type(`${PASSPHRASE}\r`)
  await backup.sees(/The same again: /)
  backup.type(`${PASSPHRASE}\r`)
  await backup.sees(/Without its passphrase it cannot be restored/)
  expect(await backup.child.exited).toBe(0)

  const target = embeddedPlace()
  const restore = inSystemTerminal(machine, ['admin', 'restore', file], { ...target })
  await restore.sees(/Passphrase of .*: /)
  restore.type(`${PASSPHRASE}\r`)
  await restore.sees(/Restored \d+ rows/)
  expect(await restore.child.exited).toBe(0)
  expect(backup.seen() + restore.seen()).not.toContain(PASSPHRASE)
  expect(secretOf(target)).toBe(secretOf(place))
})

test('a backup without the secret restores with that of the server, and names what is needed and void', async () => {
  const file = join(scratch(), 'backup.tar.zst')
  const { stderr } = await newMachine().svc(['admin', 'backup', file, '--no-secret'], {
    env: { ...place },
  })
  expect(stderr).toContain('It has no secret: keep SVC_AUTH_SECRET or auth-secret too.')
  const names = []
  for await (const { name } of readArchive({ path: file })) names.push(name)
  expect(names).not.toContain('secrets/auth-secret')

  const target = embeddedPlace()
  const refused = await run(target, ['restore', file])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      /has no secret, and neither has .*; set SVC_AUTH_SECRET to the secret .* all users must sign in again, and authenticator apps and open invites become void/,
    ),
  ])
  expect(existsSync(target.SVC_DATA_DIR)).toBe(false)
  const configured = { ...target, SVC_AUTH_SECRET: secretOf(place) }
  await adminJson(configured, 'restore', file)
  expect(existsSync(join(target.SVC_DATA_DIR, 'auth-secret'))).toBe(false)
  await expectView(configured)

  const secret = secretOf(place)
  await adminJson(place, 'restore', file, '--force')
  expect(secretOf(place)).toBe(secret)
  await expectView(place)
})
