import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyArchive } from '../../server/system/backup/verify-archive.ts'
import { remember } from '../../shared/contract/index.ts'
import { canMount, mountSmall } from '../harness/mount.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'
import { exportOf } from '../memory/transfer-support.ts'
import {
  admin,
  adminJson,
  at,
  embeddedPlace,
  operate,
  type Place,
  populate,
  preparedPlace,
  refusalOf,
  scratch,
  serverPlace,
  stop,
  upload,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const MEMORIES = 300
const WRITERS = 4
/** Of each writer; together about 200 writes a second. */
const WRITES_PER_SECOND = 50
const WRITES_BEFORE = 200

interface Write {
  memoryId: string
  content: string
  supersedes: string | undefined
  acknowledgedAt: number
}

/** Writes at a steady rate until it is stopped. Every second memory supersedes the one before. */
const writeSteadily = (user: TestUser) => {
  const writes: Write[] = []
  const enough = Promise.withResolvers<void>()
  let isWriting = true
  const write = async (writer: number) => {
    let previous: string | undefined
    for (let n = 0; isWriting; n++) {
      const begun = performance.now()
      const content = `Writer ${writer} saw the number ${n}.`
      const supersedes = n % 2 === 1 ? previous : undefined
      const body = { content, ...(supersedes && { supersedes }) }
      previous = (await user.client.call(remember, { body })).memory_id
      writes.push({ memoryId: previous, content, supersedes, acknowledgedAt: Date.now() })
      if (writes.length === WRITES_BEFORE) enough.resolve()
      await Bun.sleep(Math.max(0, 1000 / WRITES_PER_SECOND - (performance.now() - begun)))
    }
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return {
    writes,
    enough: enough.promise,
    async stop() {
      isWriting = false
      await writing
    },
  }
}

const download = async (url: string, { key }: TestUser, id: string) =>
  (
    await fetch(new URL(`/api/files/${id}/content`, url), {
      headers: { authorization: `Bearer ${key}` },
    })
  ).text()

const expectConsistent = async (place: Place) =>
  expect(await operate(place).check()).toMatchObject({ memories: [], blobs: { missing: [] } })

test('a backup under writes has every write that was acknowledged before it, and nothing half', async () => {
  const place = await preparedPlace()
  const file = join(scratch(), 'backup.tar.zst')
  await using server = spawnServer({ ...place })
  const url = await server.url
  const user = await populate(place, url, MEMORIES)
  const writer = writeSteadily(user)
  await writer.enough
  const { taken_at } = await adminJson(place, 'backup', file)
  await writer.stop()
  const count = writer.writes.length
  const before = writer.writes.filter(({ acknowledgedAt }) => acknowledgedAt < Date.parse(taken_at))
  expect(before.length).toBeGreaterThanOrEqual(WRITES_BEFORE)
  expect(count).toBeGreaterThan(before.length)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await stop(server)

  const restored = embeddedPlace()
  await adminJson(restored, 'restore', file)
  await expectConsistent(restored)
  await withServer(restored, async (later) => {
    const memories = await exportOf({ url: later }, user)
    const byId = new Map(memories.map((memory) => [memory.memory_id, memory]))
    const differing = before.filter(({ memoryId, content, supersedes = null }) => {
      const memory = byId.get(memoryId)
      return memory?.content_text !== content || (memory.supersedes ?? null) !== supersedes
    })
    expect(differing).toEqual([])
    // A write during the backup is there or not: the archive has no other memories.
    const written = new Set(writer.writes.map(({ memoryId }) => memoryId))
    const added = memories.filter(({ content_text }) => content_text.startsWith('Writer '))
    expect(added.filter(({ memory_id }) => !written.has(memory_id))).toEqual([])
    expect(added.length).toBeLessThan(count)
    expect(memories.length - added.length).toBe(MEMORIES)
    const half = memories.filter(
      ({ memory_id, supersedes, superseded_by }) =>
        (supersedes && byId.get(supersedes)?.superseded_by !== memory_id) ||
        (superseded_by && byId.get(superseded_by)?.supersedes !== memory_id),
    )
    expect(half).toEqual([])
    // The sequences continue after the restored rows.
    await at(user, later).client.call(remember, { body: { content: 'A new one.' } })
    expect(await exportOf({ url: later }, user)).toHaveLength(memories.length + 1)
  })
})

test('a backup of a stopped server has files, secret and sign-ins, and restores into a PostgreSQL server', async () => {
  const place = await preparedPlace()
  const file = join(scratch(), 'backup.tar.zst')
  const before = await withServer(place, async (url) => {
    const user = await populate(place, url, MEMORIES)
    const fileId = await upload(url, user, 'The quick brown fox.')
    return { user, fileId, view: await viewOf(user, url) }
  })
  expect(await adminJson(place, 'backup', file)).toMatchObject({ files: 1, missing: [] })

  const restored = await serverPlace()
  await operate(restored).restore(file)
  const secret = (at: Place) => readFileSync(join(at.SVC_DATA_DIR, 'auth-secret'), 'utf8')
  expect(secret(restored)).toBe(secret(place))
  await expectConsistent(restored)
  await withServer(restored, async (url) => {
    expect(await viewOf(before.user, url)).toEqual(before.view)
    expect(await download(url, before.user, before.fileId)).toBe('The quick brown fox.')
    const body = { email: before.user.email, password: 'correct horse battery staple' }
    expect((await request({ url }, 'POST', '/api/auth/signin', { body })).status).toBe(200)
  })

  const back = embeddedPlace()
  await operate(restored).backup(`${file}.second`)
  await operate(back).restore(`${file}.second`)
  await withServer(back, async (url) => expect(await viewOf(before.user, url)).toEqual(before.view))
})

test('a backup needs a database and a secret, and replaces a file only with --force', async () => {
  const empty = embeddedPlace()
  const file = join(scratch(), 'backup.tar.zst')
  expect(await refusalOf(operate(empty).backup(file))).toContain('has no database')
  const place = await preparedPlace()
  await withServer(place, (url) => newUser({ url }))
  const secret = join(place.SVC_DATA_DIR, 'auth-secret')
  renameSync(secret, `${secret}.lost`)
  expect(await refusalOf(operate(place).backup(file))).toContain('has no secret')
  renameSync(`${secret}.lost`, secret)
  expect(existsSync(file)).toBe(false)
  await operate(place).backup(file)
  const { code, stderr } = await admin(place, 'backup', file)
  expect([code, stderr]).toEqual([1, expect.stringContaining('exists; choose another file')])
  await adminJson(place, 'backup', file, '--force')
  const missing = join(scratch(), 'no', 'backup.tar.zst')
  const unwritable = await refusalOf(operate(place).backup(missing))
  expect(unwritable).toContain(`${missing} cannot be written`)
  expect(readdirSync(join(file, '..'))).toEqual(['backup.tar.zst'])
})

describe.if(canMount)('on a small file system', () => {
  test('a full or read-only one is named, and no partial archive remains', async () => {
    const place = await preparedPlace()
    await withServer(place, (url) => populate(place, url, 500))
    const directory = scratch()
    using _ = mountSmall(directory, '16k')
    const file = join(directory, 'backup.tar.zst')
    expect(await refusalOf(operate(place).backup(file))).toContain('the disk is full')
    expect(readdirSync(directory)).toEqual([])
    Bun.spawnSync(['mount', '-o', 'remount,ro', directory])
    expect(await refusalOf(operate(place).backup(file))).toContain('read-only')

    const archive = join(scratch(), 'backup.tar.zst')
    await operate(place).backup(archive)
    const target = { SVC_DATA_DIR: scratch() }
    using _target = mountSmall(target.SVC_DATA_DIR, '40m')
    const { code, stderr } = await admin(target, 'restore', archive)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no space is left|disk .*is full/)])
  })
})

test('a backup has the secret of an interrupted replacement, which it finishes', async () => {
  const place = await preparedPlace()
  const path = (name: string) => join(place.SVC_DATA_DIR, name)
  const secret = readFileSync(path('auth-secret'), 'utf8')
  renameSync(path('auth-secret'), path('auth-secret.incoming'))
  writeFileSync(path('auth-secret'), 'x'.repeat(43))
  const marker = { names: ['auth-secret', 'postgres'], kept: 'replaced' }
  writeFileSync(path('replacement.json'), JSON.stringify(marker))
  const file = join(scratch(), 'backup.tar.zst')
  await operate(place).backup(file)
  expect((await verifyArchive({ path: file })).authSecret).toBe(secret)
})
