import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'
import { openDatabaseSession } from '../../server/platform/db/transfer/session.ts'
import { createDatabase } from '../harness/database.ts'
import { catalogOf } from './catalog.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MIGRATIONS = join(ROOT, 'migrations')
const files = [...new Glob('*.sql').scanSync(MIGRATIONS)].sort()
const journal: { entries: { idx: number; tag: string; when: number }[] } = await Bun.file(
  join(MIGRATIONS, 'meta/_journal.json'),
).json()

const last = String(journal.entries.at(-1)?.idx).padStart(4, '0')
const child = Bun.spawn(['bun', join(ROOT, 'tests/structure/drift.ts'), last], { cwd: ROOT })
const declared: { tables: number; drift: string[]; statements: string[] } = JSON.parse(
  await new Response(child.stdout).text(),
)

test('the last snapshot has exactly the tables that the code declares', () => {
  expect(declared.tables).toBeGreaterThan(5)
  expect(declared.drift).toEqual([])
})

/** The parts of the schema that drizzle has no notation for. */
const WRITTEN_BY_HAND = [
  'function audit_log_append_only()',
  'trigger CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_append_only()',
]
test('a migrated database has the columns, keys, indexes and defaults that the code declares, and the parts that are written by hand', async () => {
  await using cleanup = new AsyncDisposableStack()
  const open = async (isEmpty: boolean) => {
    const { env, drop } = await createDatabase({ isEmpty })
    cleanup.defer(drop)
    return cleanup.use(await openDatabaseSession(env.SVC_DATABASE_URL)).sql
  }
  const created = await open(true)
  await created.unsafe(declared.statements.join(';\n'))
  const expected = await catalogOf(created)
  const migrated = await catalogOf(await open(false))
  expect(expected.length).toBeGreaterThan(500)
  expect(migrated.filter((line) => !expected.includes(line))).toEqual(WRITTEN_BY_HAND)
  expect(expected.filter((line) => !migrated.includes(line))).toEqual([])
})

test('every migration is in the journal, in order, and none is missing', () => {
  expect(files).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`))
  const times = journal.entries.map(({ when }) => when)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('every migration begins with a comment that states its reason', async () => {
  for (const file of files) {
    const [first = ''] = (await Bun.file(join(MIGRATIONS, file)).text()).split('\n')
    expect([file, first]).toEqual([file, expect.stringMatching(/^-- \w.{20,}$/)])
  }
})
