import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packTar } from 'modern-tar'
import { SQUASHED } from '../../server/platform/db/migrations.ts'
import { openExclusive } from '../../server/platform/db/transfer/databases.ts'
import { readArchive } from '../../server/system/backup/archive-reader.ts'
import { createArchive } from '../../server/system/backup/archive-writer.ts'
import type { BackupManifest } from '../../server/system/backup/manifest.ts'
import { newMachine } from '../cli/svc.ts'
import { makeDatabase } from '../embedded/support.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import type { TestUser } from '../harness/server.ts'
import {
  admin,
  adminJson,
  embeddedPlace,
  operate,
  type Place,
  populate,
  preparedPlace,
  refusalOf,
  scratch,
  serverPlace,
  spawnAdmin,
  startedPlace,
  untilBlocked,
  untilStatement,
  upload,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const MEMORIES = 300
const directory = mkdtempSync(join(tmpdir(), 'svc-restore-'))
const file = join(directory, 'backup.tar.zst')
let user: TestUser
let view: Awaited<ReturnType<typeof viewOf>>

beforeAll(async () => {
  const place = { SVC_DATA_DIR: join(directory, 'data') }
  await makeDatabase(place.SVC_DATA_DIR)
  await withServer(place, async (url) => {
    user = await populate(place, url, MEMORIES)
    await upload(url, user, 'The quick brown fox.')
    view = await viewOf(user, url)
  })
  await operate(place).backup(file)
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const refusal = (place: Place, path: string, overwrites = false) =>
  refusalOf(operate(place).restore(path, overwrites))

/** The archive with changed entries. */
const changed = (change: (name: string, text: string) => string): Promise<string> =>
  rewritten((name, bytes) => [
    [name, name.endsWith('.json') ? change(name, bytes.toString()) : bytes],
  ])

/** The archive with other entries, and their checksums. */
const rewritten = async (
  rewrite: (name: string, bytes: Buffer) => [name: string, content: Buffer | string][],
): Promise<string> => {
  const path = join(scratch(), 'changed.tar.zst')
  const signal = new AbortController().signal
  await using archive = await createArchive(path, { overwrites: false, signal })
  for await (const { name, content } of readArchive({ path: file })) {
    const bytes = Buffer.concat(await Array.fromAsync(content))
    if (name === 'SHA256SUMS') continue
    for (const [newName, newContent] of rewrite(name, bytes)) await archive.add(newName, newContent)
  }
  await archive.finish()
  return path
}

/** The archive with a changed manifest. */
const withManifest = (change: (manifest: BackupManifest) => void): Promise<string> =>
  changed((name, text) => {
    if (name !== 'manifest.json') return text
    const manifest = JSON.parse(text)
    change(manifest)
    return JSON.stringify(manifest)
  })

/** An archive that ends in its second entry, which has `size` bytes according to its header. */
const archiveWith = async (
  name: string,
  size: number,
  type: 'file' | 'symlink' | 'link' = 'file',
): Promise<string> => {
  const path = join(scratch(), 'made.tar.zst')
  const body = '{"format":1,"svc":"0.1.0"}'
  const tar = Buffer.from(
    await packTar([
      { header: { name: 'header.json', size: body.length }, body },
      {
        header: { name, size: 0, type, ...(type.endsWith('link') && { linkname: '/etc/passwd' }) },
      },
    ]),
  )
  const header = tar.subarray(1024, 1536)
  header.write(size.toString(8).padStart(11, '0'), 124)
  header.fill(' ', 148, 156)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  writeFileSync(path, Bun.zstdCompressSync(tar.subarray(0, 2048)))
  return path
}

describe('a restore refuses', () => {
  test('a restore refuses a damaged, cut, foreign or missing file, and leaves nothing', async () => {
    const place = embeddedPlace()
    const damaged = join(scratch(), 'damaged.tar.zst')
    const bytes = readFileSync(file)
    for (const at of [0.0003, 0.3, 0.6, 0.95]) {
      const copy = Buffer.from(bytes)
      const index = Math.floor(copy.length * at)
      copy[index] = (copy[index] ?? 0) ^ 0xff
      writeFileSync(damaged, copy)
      expect(await refusal(place, damaged)).toContain('is damaged')
    }
    writeFileSync(damaged, bytes)
    for (const length of [bytes.length - 8, Math.floor(bytes.length / 2), 0]) {
      truncateSync(damaged, length)
      expect(await refusal(place, damaged)).toContain('is damaged')
    }
    writeFileSync(damaged, 'not an archive')
    expect(await refusal(place, damaged)).toContain('is damaged')
    expect(await refusal(place, join(scratch(), 'nothing'))).toContain('cannot be read (ENOENT)')
    expect(existsSync(place.SVC_DATA_DIR)).toBe(false)
  })

  test('a restore refuses a newer format, a newer schema or one that is too old, and unknown columns and tables', async () => {
    const format = await changed((_, text) => text.replace('"format":1', '"format":2'))
    expect(await refusal(embeddedPlace(), format)).toContain('has the format 2')
    const schema = await changed((name, text) =>
      name === 'manifest.json' ? text.replace(/("migrations": \[)/, '$1 1,') : text,
    )
    expect(await refusal(embeddedPlace(), schema)).toContain('was made by a newer svc')
    const old = await withManifest((manifest) => {
      manifest.migrations = SQUASHED.slice(0, -1)
    })
    expect(await refusal(embeddedPlace(), old)).toMatch(
      /too old for this svc\. Restore it with the last commit with migrations\/0036_folded_labels\.sql .*, start that once, and back up again$/,
    )
    const column = await changed((name, text) =>
      name === 'manifest.json' ? text.replace('"avatar_url"', '"avatar\\" from users; --"') : text,
    )
    expect(await refusal(embeddedPlace(), column)).toContain(
      'has the column public.users.avatar" from',
    )
    const table = await changed((name, text) =>
      name === 'manifest.json'
        ? text.replace(
            '"tables": [',
            '$& { "name": "users; drop table users cascade; --", "columns": [], "rows": 0 },',
          )
        : text,
    )
    expect(await refusal(embeddedPlace(), table)).toContain('has the table users; drop table')
  })

  test('a restore refuses invalid metadata, rows that do not load, and names and sizes that svc does not write', async () => {
    const reasons = async (change: (name: string, text: string) => string) =>
      refusal(embeddedPlace(), await changed(change))
    const inManifest = (from: string | RegExp, to: string) =>
      reasons((name, text) => (name === 'manifest.json' ? text.replace(from, to) : text))
    expect(await inManifest(/"rows": \d+/, '"rows": "many"')).toContain(
      'is damaged: manifest.json/tables/0/rows: Expected integer',
    )
    expect(await inManifest(/"sequences": \[[\s\S]*?\]/, '"sequences": null')).toContain(
      'is damaged: manifest.json/sequences: Expected array',
    )
    expect(await inManifest(/^/, 'x'.repeat(2 ** 20))).toMatch(
      /is damaged: "manifest.json" has \d+ bytes, and at most 1048576 fit/,
    )
    expect(await reasons((name, text) => (name === 'header.json' ? '[]' : text))).toContain(
      'is damaged: header.json: Expected object',
    )
    expect(await inManifest(/"id",(\s+)"email",/, '"email",$1"id",')).toContain(
      'is damaged: its rows do not load',
    )
    expect(await inManifest(/("name": "public.users"[\s\S]*?"rows": )\d+/, '$17')).toContain(
      'is damaged: public.users has 1 rows, and its manifest says 7',
    )
    for (const name of [
      ...[
        'blobs/../secret',
        'blobs/a/b',
        'blobs/.hidden',
        '../escaped',
        '/etc/passwd',
        'notes.txt',
      ],
      ...['tables/public.users', 'tables/public.users/0', 'tables/../../x/1', './header.json'],
    ])
      expect(await refusal(embeddedPlace(), await archiveWith(name, 3))).toContain(
        `is damaged: "${name}" is not the name of an entry of a backup`,
      )
    for (const type of ['symlink', 'link'] as const)
      expect(await refusal(embeddedPlace(), await archiveWith('blobs/x', 0, type))).toContain(
        `is damaged: "blobs/x" is a ${type}, not a file`,
      )
    // Refused by its size before its bytes are read, which this archive does not have.
    expect(await refusal(embeddedPlace(), await archiveWith('blobs/large', 2 ** 30))).toContain(
      'is damaged: "blobs/large" has 1073741824 bytes',
    )
  })

  test('a restore refuses an incomplete archive whose checksums match', async () => {
    const place = await serverPlace()
    const lacks = async (change: (manifest: BackupManifest) => void) =>
      refusal(place, await withManifest(change))
    const noTables = await rewritten((name, bytes) =>
      name.startsWith('tables/')
        ? []
        : [
            [
              name,
              name === 'manifest.json'
                ? JSON.stringify({ ...JSON.parse(bytes.toString()), tables: [], sequences: [] })
                : bytes,
            ],
          ],
    )
    expect(await refusal(place, noTables)).toContain(
      'is damaged: its manifest lacks the table public.',
    )
    expect(await lacks(({ tables }) => tables.splice(3, 1))).toContain('manifest lacks the table')
    expect(await lacks(({ tables }) => tables.push(...tables.slice(0, 1)))).toContain(
      'is damaged: its manifest has a table twice',
    )
    expect(await lacks(({ tables }) => tables[0]?.columns.pop())).toContain(
      'is damaged: its manifest lacks the column public.',
    )
    expect(await lacks(({ sequences }) => sequences.pop())).toContain(
      'is damaged: its manifest lacks the sequence',
    )
    expect(await lacks((manifest) => manifest.blobs++)).toContain(
      'is damaged: it has 1 files, and its manifest says 2',
    )
    const noFile = await rewritten((name, bytes) =>
      name.startsWith('blobs/') ? [] : [[name, bytes]],
    )
    expect(await refusal(place, noFile)).toContain('it has 0 files')
    for (const kind of ['secrets/', 'tables/public.users/']) {
      const twice = await rewritten((name, bytes) =>
        name.startsWith(kind)
          ? [
              [name, bytes],
              [name, bytes],
            ]
          : [[name, bytes]],
      )
      expect(await refusal(place, twice)).toMatch(/is damaged: it has "[^"]+" twice/)
    }
    const noSecret = await rewritten((name, bytes) =>
      name.startsWith('secrets/') ? [] : [[name, bytes]],
    )
    expect(await refusal(place, noSecret)).toContain('is damaged: it has no secret, and')
    const noRows = await rewritten((name, bytes) =>
      name.startsWith('tables/public.users/') ? [] : [[name, bytes]],
    )
    expect(await refusal(place, noRows)).toContain('is damaged: ')
  })

  test('a restore refuses an existing database without --force, another secret, and a running server', async () => {
    const place = await preparedPlace()
    const server = await startedPlace()
    for (const target of [place, server]) {
      const other = await withServer(target, (url) => populate(target, url, 3))
      expect(await refusal(target, file)).toContain('--force')
      const another = { ...target, SVC_AUTH_SECRET: 'y'.repeat(40) }
      expect(await refusal(another, file, true)).toContain('SVC_AUTH_SECRET is not the secret')
      await using running = spawnServer({ ...target })
      const url = await running.url
      expect(await refusal(target, file, true)).toMatch(/stop (it|its servers)/)
      expect((await viewOf(other, url)).memories).toHaveLength(3)
      running.child.kill('SIGTERM')
      await running.child.exited
      await operate(target).restore(file, true)
      await withServer(target, async (later) => expect(await viewOf(user, later)).toEqual(view))
    }
    expect(readdirSync(place.SVC_DATA_DIR)).toContain('postgres.replaced')
  })
})

test('a server that starts while the database is open for a restore waits for its end', async () => {
  const place = await serverPlace()
  await using opened = new AsyncDisposableStack()
  opened.use(
    await openExclusive({ databaseUrl: place.SVC_DATABASE_URL, dataDir: place.SVC_DATA_DIR }),
  )
  await using server = spawnServer({ ...place })
  const first = await Promise.race([
    untilBlocked(place.SVC_DATABASE_URL).then(() => 'waits'),
    server.url.then(() => 'runs'),
  ])
  expect(first).toBe('waits')
  await opened.disposeAsync()
  await server.url
})

test('a restore to another major version of PostgreSQL advises to index again', async () => {
  const older = await changed((name, text) =>
    name === 'manifest.json' ? text.replace(/"postgres": "[^"]*"/, '"postgres": "9.6"') : text,
  )
  const place = await serverPlace()
  const { stderr } = await admin(place, 'restore', older)
  expect(stderr).toMatch(
    /PostgreSQL \d+ stems some words differently than 9\. .* svc admin check --repair/,
  )
  const same = await admin(place, 'restore', file, '--force')
  expect([same.code, same.stderr]).toEqual([0, expect.not.stringContaining('--repair')])
})

test.skipIf(Bun.which('strace') === null)(
  'a restore syncs the files to disk before they replace the old ones',
  async () => {
    const place = embeddedPlace()
    const output = join(scratch(), 'strace.txt')
    const machine = newMachine()
    const child = Bun.spawn(
      [
        ...['strace', '-f', '--seccomp-bpf', '-y', '-e', 'trace=fsync,rename', '-o', output],
        ...machine.command('admin', 'restore', file),
      ],
      { env: { ...machine.env, ...place }, stdout: 'ignore', stderr: 'ignore' },
    )
    expect(await child.exited).toBe(0)
    const calls = readFileSync(output, 'utf8')
    const draft = `${place.SVC_DATA_DIR}/blobs.restoring`
    const blob = new RegExp(`fsync\\(\\d+<${draft}/[\\w.-]+>`).exec(calls)
    const directory = new RegExp(`fsync\\(\\d+<${draft}>`).exec(calls)
    const replacement = new RegExp(`rename\\("${draft}"`).exec(calls)
    expect([blob, directory, replacement]).not.toContain(null)
    expect(blob?.index).toBeLessThan(directory?.index ?? 0)
    expect(directory?.index).toBeLessThan(replacement?.index ?? 0)
  },
)

describe('kill -9 during a restore', () => {
  test('the embedded database stays as it was, and the restore can be repeated', async () => {
    const place = await preparedPlace()
    const other = await withServer(place, (url) => populate(place, url, 3))
    const drafts = () => readdirSync(place.SVC_DATA_DIR).filter((name) => /restoring/.test(name))
    const interrupt = async (isReached: () => boolean) => {
      const child = spawnAdmin(place, 'restore', file, '--force')
      await eventually(isReached, { every: 1 })
      child.kill('SIGKILL')
      await child.exited
    }
    const whileCreating = () => drafts().some((name) => name.startsWith('postgres.restoring.new'))
    const whileFilling = () =>
      existsSync(join(place.SVC_DATA_DIR, 'postgres.restoring', 'postmaster.pid'))
    for (const isReached of [whileCreating, whileFilling]) {
      await interrupt(isReached)
      expect(drafts()).toContainEqual(expect.stringContaining('postgres.restoring'))
      await withServer(place, async (url) =>
        expect((await viewOf(other, url)).memories).toHaveLength(3),
      )
      expect(drafts()).toEqual([])
    }
    await interrupt(whileFilling)
    await adminJson(place, 'restore', file, '--force')
    expect(drafts()).toEqual([])
    await withServer(place, async (url) => expect(await viewOf(user, url)).toEqual(view))
  })

  test('the database of a server stays as it was', async () => {
    const place = await startedPlace()
    const other = await withServer(place, (url) => populate(place, url, 3))
    const child = spawnAdmin(place, 'restore', file, '--force')
    await untilStatement(place.SVC_DATABASE_URL, 'copy %')
    child.kill('SIGKILL')
    await child.exited
    await withServer(place, async (url) =>
      expect((await viewOf(other, url)).memories).toHaveLength(3),
    )
  })

  test('a replacement that was interrupted between two renames is finished at the next start', async () => {
    const place = embeddedPlace()
    await operate(place).restore(file)
    const path = (name: string) => join(place.SVC_DATA_DIR, name)
    renameSync(path('postgres'), path('postgres.incoming'))
    const marker = { names: ['blobs', 'auth-secret', 'postgres'], kept: 'replaced' }
    writeFileSync(path('replacement.json'), JSON.stringify(marker))
    await withServer(place, async (url) => expect(await viewOf(user, url)).toEqual(view))
    expect(existsSync(path('replacement.json'))).toBe(false)
  })
})
