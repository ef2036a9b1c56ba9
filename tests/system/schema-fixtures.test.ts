import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { knownMigrations } from '../../server/platform/db/migrations.ts'
import { createClient } from '../../shared/client.ts'
import { recall, signIn } from '../../shared/contract/index.ts'
import type { TestUser } from '../harness/server.ts'
import { exportOf } from '../memory/transfer-support.ts'
import { embeddedPlace, operate, type Place, serverPlace, withServer } from './support.ts'

setDefaultTimeout(300_000)

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
const versions = readdirSync(FIXTURES).flatMap(
  (name) => /^schema-(\d+)\.json$/.exec(name)?.[1] ?? [],
)

/** Compares what the fixture's user sees with the record, and writes. */
const expectOpens = (place: Place, version: string) =>
  withServer(place, async (url) => {
    const { email, password, key, exported } = await Bun.file(
      join(FIXTURES, `schema-${version}.json`),
    ).json()
    expect(await exportOf({ url }, { key } as TestUser)).toMatchObject(exported)
    const session = createClient({ baseUrl: url })
    expect(await session.call(signIn, { body: { email, password } })).toMatchObject({
      user: { email },
    })
    const client = createClient({ baseUrl: url, credential: key })
    const { memories } = await client.call(recall, { body: { query: 'Where is the spare key?' } })
    expect(memories[0]?.content_text).toBe('The spare key is under the blue pot.')
  })

test('the current schema has a fixture', () => {
  expect(versions).toContain(String(knownMigrations().length))
})

for (const version of versions) {
  test(`a backup with the schema ${version} restores and opens`, async () => {
    for (const place of [embeddedPlace(), await serverPlace()]) {
      await operate(place).restore(join(FIXTURES, `schema-${version}.tar.zst`))
      await expectOpens(place, version)
      expect(await operate(place).check()).toMatchObject({ memories: [] })
    }
  })

  test(`a data directory with the schema ${version} opens`, async () => {
    const place = embeddedPlace()
    mkdirSync(place.SVC_DATA_DIR, { recursive: true, mode: 0o700 })
    const archive = await Bun.file(join(FIXTURES, `schema-${version}.data.tar.zst`)).bytes()
    const { exitCode } = Bun.spawnSync(['tar', '-C', place.SVC_DATA_DIR, '-xf', '-'], {
      stdin: Bun.zstdDecompressSync(archive),
    })
    expect(exitCode).toBe(0)
    await expectOpens(place, version)
  })
}
