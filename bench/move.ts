import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportMemories, recall } from '../shared/contract/index.ts'
import { count, readArgs } from './lib/args.ts'
import { createDatabase, openBeside } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { accountOn, newAccount, startServer } from './lib/server.ts'
import { timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

const QUESTIONS = 50

const { values: args } = readArgs(
  'bench/move.ts: backs up, restores and checks memories, moves them to PostgreSQL and back, and compares the export and recall; fails if they differ',
  { memories: count('number of memories', 100_000) },
)

const CLI = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

interface Place {
  dataDir: string
  url: string | undefined
}

const admin = async ({ dataDir, url }: Place, ...words: string[]): Promise<void> => {
  const { HOME, PATH } = process.env
  const child = Bun.spawn([process.execPath, CLI, 'admin', ...words], {
    env: { HOME, PATH, SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: url },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text())
}

await using embedded = await createDatabase('embedded')
await using postgres = await createDatabase('postgres')
await using back = await createDatabase('embedded')
await using restored = await createDatabase('embedded')

const turns = conversations(args.memories, 3)
const next = random(7)
const questions = turns.slice(0, QUESTIONS).map((turn) => questionAbout(turn, next))

const fill = async () => {
  await using server = await startServer(embedded)
  const account = await newAccount(server)
  await writeTurns(account, turns)
  await using beside = await openBeside(embedded)
  // Engines find facts, which change recall.
  await untilNoTasks(beside.database)
  return account
}
const account = await fill()

/** The hash of the export, and the memories and scores of each recall. */
const viewOf = async (place: Place) => {
  await using server = await startServer(place)
  const { client } = accountOn(server, account)
  const hash = new Bun.CryptoHasher('sha256')
  for await (const memory of await client.call(exportMemories)) hash.update(JSON.stringify(memory))
  const recalls = []
  for (const query of questions) {
    const found = await client.call(recall, { body: { query } })
    recalls.push(found.memories.map(({ memory_id, score }) => [memory_id, score]))
  }
  return { export: hash.digest('hex'), recalls }
}

const before = await viewOf(embedded)
if (before.recalls.some((found) => found.length === 0)) throw new Error('a recall found nothing')

/** Versions of PostgreSQL stem some words differently, so only the embedded databases must be equal. */
const differences = (view: typeof before, { url }: Place): string[] => {
  const same = view.recalls.filter((found, i) => Bun.deepEquals(found, before.recalls[i])).length
  const isEqual = view.export === before.export
  if (!isEqual || (!url && same < QUESTIONS)) process.exitCode = 1
  return [isEqual ? 'yes' : 'no', `${same} of ${QUESTIONS}`]
}

const rows: string[][] = []
const measure = async (name: string, work: Promise<void>, after?: Place) => {
  const [ms] = await timed(() => work)
  rows.push([
    name,
    (ms / 1000).toFixed(1),
    ...(after ? differences(await viewOf(after), after) : ['', '']),
  ])
}

const archive = join(restored.dataDir, 'backup.tar.zst')
const source = { ...postgres, dataDir: back.dataDir }
await measure('backup', admin(embedded, 'backup', archive))
await measure('restore', admin(restored, 'restore', archive), restored)
await measure('check', admin(embedded, 'check'))
await measure('move to PostgreSQL', admin(embedded, 'move', '--to', postgres.url ?? ''), {
  ...postgres,
  dataDir: embedded.dataDir,
})
await measure('move back', admin(source, 'move', '--to', 'embedded'), back)

const mib = (statSync(archive).size / 2 ** 20).toFixed(1)
console.log(`\n${args.memories.toLocaleString('en')} memories, an archive of ${mib} MiB\n`)
printTable(['', 'seconds', 'equal export', 'equal recalls'], rows)
