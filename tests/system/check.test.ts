import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  admin,
  adminJson,
  operate,
  populate,
  runSql,
  startedPlace,
  upload,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

/** Each statement damages one thing that `check` compares. */
const DAMAGES = {
  'memories whose index differs from their content': `
    update memories set terms = 'other' where seq in (select seq from memories order by seq limit 3)`,
  'statistics that differ from the memories':
    'update memory_stats set memory_count = memory_count + 7',
  'rows of memory_vectors without a memory': `
    insert into memory_vectors (owner_id, seq, model, bits, embedding)
    select owner_id, 999999, 1, '1', '\\x7f' from memories limit 1`,
  'rows of memory_history without a memory': `
    insert into memory_history (owner_id, memory_id, id, action, actor_kind)
    select owner_id, gen_random_uuid(), gen_random_uuid(), 'deleted', 'user' from memories limit 1`,
  'memories of a deleted owner': `
    insert into memory_stats (owner_id, memory_count, languages)
    values (gen_random_uuid(), 1, '{}')`,
}

test('a check finds each damage, and --repair removes it', async () => {
  const place = await startedPlace()
  const { user, view } = await withServer(place, async (url) => {
    const user = await populate(place, url, 200)
    return { user, view: await viewOf(user, url) }
  })
  expect(await operate(place).check()).toMatchObject({
    memories: [],
    blobs: { unused: [], missing: [] },
  })
  await runSql(place.SVC_DATABASE_URL, ...Object.values(DAMAGES))

  const found = await admin(place, 'check', '--json')
  expect(found.code).toBe(1)
  const problems = JSON.parse(found.stdout).memories.map(
    ({ problem }: { problem: string }) => problem,
  )
  expect(problems.toSorted()).toEqual(Object.keys(DAMAGES).toSorted())
  expect(found.stderr).toContain('svc admin check --repair')

  await adminJson(place, 'check', '--repair')
  expect(await operate(place).check()).toMatchObject({ memories: [] })
  await withServer(place, async (url) => expect(await viewOf(user, url)).toEqual(view))
})

test('a check finds missing files, and deletes unused ones of svc that are older than an hour', async () => {
  const place = await startedPlace()
  const blobs = join(place.SVC_DATA_DIR, 'blobs')
  await withServer(place, async (url) => {
    const user = await populate(place, url, 1)
    await upload(url, user, 'some notes')
  })
  const [used = ''] = readdirSync(blobs)
  for (const name of ['file-old', 'file-new', 'other-old']) writeFileSync(join(blobs, name), 'x')
  for (const name of ['file-old', 'other-old']) utimesSync(join(blobs, name), 1, 1)
  const { code, stdout } = await admin(place, 'check', '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { unused: ['file-old'], missing: [] }])
  await operate(place).check(true)
  expect(readdirSync(blobs).toSorted()).toEqual(['file-new', 'other-old', used].toSorted())

  rmSync(join(blobs, used))
  const missing = await admin(place, 'check', '--repair')
  expect(missing.code).toBe(1)
  expect(missing.stderr).toContain('1 files are missing')
})
