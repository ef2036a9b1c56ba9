import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const MIGRATIONS = join(ROOT, 'migrations')
const files = [...new Glob('*.sql').scanSync(MIGRATIONS)].sort()
const journal: { entries: { idx: number; tag: string; when: number }[] } = await Bun.file(
  join(MIGRATIONS, 'meta/_journal.json'),
).json()

test('the migrations create exactly the tables that the code declares', async () => {
  const last = String(journal.entries.at(-1)?.idx).padStart(4, '0')
  const child = Bun.spawn(['bun', join(ROOT, 'tests/structure/drift.ts'), last], { cwd: ROOT })
  const { tables, drift } = JSON.parse(await new Response(child.stdout).text())
  expect(tables).toBeGreaterThan(5)
  expect(drift).toEqual([])
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
