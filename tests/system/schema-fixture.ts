import { expect } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../shared/client.ts'
import { recall, signIn } from '../../shared/contract/index.ts'
import type { TestUser } from '../harness/server.ts'
import { exportOf } from '../memory/transfer-support.ts'
import { embeddedPlace, type Place, withServer } from './support.ts'

export const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))

/** The backup of a fixture. */
export const backupOf = (name: string): string => join(FIXTURES, `schema-${name}.tar.zst`)

/** A copy of the data directory of a fixture. */
export const fixturePlace = async (name: string): Promise<Place> => {
  const place = embeddedPlace()
  mkdirSync(place.SVC_DATA_DIR, { recursive: true, mode: 0o700 })
  const archive = await Bun.file(join(FIXTURES, `schema-${name}.data.tar.zst`)).bytes()
  const { exitCode } = Bun.spawnSync(['tar', '-C', place.SVC_DATA_DIR, '-xf', '-'], {
    stdin: Bun.zstdDecompressSync(archive),
  })
  expect(exitCode).toBe(0)
  return place
}

/** Compares what the fixture's user sees with the record, signs in, and recalls. */
export const expectOpens = (place: Place, name: string) =>
  withServer(place, async (url) => {
    const { email, password, key, exported } = await Bun.file(
      join(FIXTURES, `schema-${name}.json`),
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
