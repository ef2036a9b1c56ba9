import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { knownMigrations } from '../../server/platform/db/migrations.ts'
import { openArchive } from '../../server/system/backup/load-archive.ts'
import { backupOf, expectOpens, FIXTURES, fixturePlace } from './schema-fixture.ts'
import { embeddedPlace, operate, serverPlace } from './support.ts'

setDefaultTimeout(300_000)

const names = readdirSync(FIXTURES).flatMap((name) => /^schema-(\w+)\.json$/.exec(name)?.[1] ?? [])

test('the current schema has a fixture', async () => {
  const archives = await Promise.all(names.map((name) => openArchive({ path: backupOf(name) })))
  expect(archives.map(({ manifest }) => manifest.migrations)).toContainEqual(knownMigrations())
})

for (const name of names) {
  test(`a backup with the schema ${name} restores and opens`, async () => {
    for (const place of [embeddedPlace(), await serverPlace()]) {
      await operate(place).restore(backupOf(name))
      await expectOpens(place, name)
      expect(await operate(place).check()).toMatchObject({ memories: [] })
    }
  })

  test(`a data directory with the schema ${name} opens`, async () => {
    await expectOpens(await fixturePlace(name), name)
  })
}
