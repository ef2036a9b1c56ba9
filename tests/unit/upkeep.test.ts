import { expect, test } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'
import { startUpkeep } from '../../server/platform/db/upkeep.ts'

test('the embedded database vacuums what was written, so that an index alone can answer', async () => {
  const client = new PGlite()
  await client.exec(`create table words (id int primary key, word text);
    insert into words select n, repeat('x', 200) from generate_series(1, 20000) n`)
  const visible = async () => {
    const { rows } = await client.query<{ pages: number }>(
      `select relallvisible as pages from pg_class where relname = 'words'`,
    )
    return rows[0]?.pages ?? 0
  }
  expect(await visible()).toBe(0)
  const upkeep = startUpkeep(client, 10)
  while ((await visible()) === 0) await Bun.sleep(5)
  upkeep[Symbol.dispose]()
  expect(await visible()).toBeGreaterThan(400)
  await client.close()
})
