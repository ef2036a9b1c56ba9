/**
 * Writes the fixtures of the current schema, which later versions must open: `bun scripts/schema-fixture.ts`.
 * Run it before the release that has the schema, and commit its output:
 * `tests/fixtures/schema-N.tar.zst` is a backup, `tests/fixtures/schema-N.data.tar.zst` a data directory, and
 * `tests/fixtures/schema-N.json` what a user sees of both.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { temporaryDirectory } from '../bench/lib/database.ts'
import { startServer } from '../bench/lib/server.ts'
import { createClient } from '../shared/client.ts'
import {
  createKey,
  exportMemories,
  remember,
  rememberBatch,
  signUp,
} from '../shared/contract/index.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const version = readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql')).length
const base = join(ROOT, 'tests/fixtures', `schema-${version}`)
const directory = temporaryDirectory()
const dataDir = join(directory, 'data')

const email = 'ada@example.com'
const password = 'correct horse battery staple'

/** Fills an account over HTTP. @returns what a test compares. */
const fill = async () => {
  await using server = await startServer({ dataDir, url: undefined })
  const client = createClient({ baseUrl: server.url })
  const { access_token } = await client.call(signUp, {
    body: { email, password, confirm_password: password },
  })
  const session = createClient({ baseUrl: server.url, credential: access_token })
  const { key } = await session.call(createKey, { body: { name: 'fixture' } })
  const user = createClient({ baseUrl: server.url, credential: key })
  const memories = [
    { content: 'My sister Grace lives in Lisbon.', author: 'Ada' },
    { content: 'The spare key is under the blue pot.', tags: ['home'] },
    { content: 'Did the ferry leave at 7:45?', thread: 'trip' },
    { content: 'No, it left at 8:10 from pier 4.', thread: 'trip' },
    { content: '会議は木曜日の午後三時です。' },
    { content: 'Deploy v2.10.3 with /opt/deploy/run.sh.', memory_type: 'procedural' as const },
  ]
  const written = await user.call(rememberBatch, { body: { memories } })
  const supersedes = written.memories[0]?.memory_id ?? null
  await user.call(remember, { body: { content: 'Grace moved to Porto.', supersedes } })
  const exported = []
  for await (const memory of await user.call(exportMemories)) exported.push(memory)
  return { email, password, key, exported }
}

const run = (command: string[], env: Record<string, string> = {}): void => {
  const { exitCode, stderr } = Bun.spawnSync(command, {
    cwd: ROOT,
    env: { ...process.env, ...env },
  })
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
}

const expected = await fill()
const place = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: '' }
run([process.execPath, 'cli/main.ts', 'admin', 'backup', `${base}.tar.zst`, '--force'], place)
const { stdout } = Bun.spawnSync(['tar', '-C', dataDir, '-cf', '-', 'postgres', 'auth-secret'])
// The databases of a cluster are copies of each other, which a window of 128 MB covers.
const params = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_windowLog]: 27,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
}
await Bun.write(`${base}.data.tar.zst`, zstdCompressSync(stdout, { params }))
await Bun.write(`${base}.json`, JSON.stringify(expected))
run([process.execPath, 'x', 'biome', 'format', '--write', `${base}.json`])
rmSync(directory, { recursive: true })
console.log(`${base}.*`)
