import { fileURLToPath } from 'node:url'
import { importMemories } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { cpuSeconds } from './lib/cpu.ts'
import { createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import type { Mix, Sample } from './lib/mix.ts'
import { untilEnginesAreDone, verify } from './lib/pending.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const KINDS: Sample['kind'][] = ['remember', 'recall', 'me']
const ADMIN = 'bench-admin@example.com'
const WARM_UP_SECONDS = 5
/** Longer than any import. */
const UNTIL_STOPPED_SECONDS = 3_600

const { values: args } = readArgs(
  'bench/load.ts: N remember, N recall and 2 N GET /api/me per second, each sent at its scheduled time and timed from then (ms)',
  {
    rate: count('N', 50),
    seconds: count('duration in seconds', 30),
    people: count('number of accounts that send requests', 30),
    memories: count('number of initial memories of each account', 300),
    import: count(
      'number of memories of another account to import at the same time; 0 for no import',
      0,
    ),
    processes: count('number of processes of the server that answer requests', 1),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

interface Load {
  samples: Sample[]
  /** CPU time of the server and its embedded database per request. */
  cpuMs: number
}

/** Starts the mix in a separate process, which ends after `seconds` or when it is stopped. */
const startMix = (server: BenchServer, mix: Omit<Mix, 'url' | 'memories' | 'rate'>) => {
  const child = Bun.spawn(
    [process.execPath, fileURLToPath(new URL('lib/mix.ts', import.meta.url))],
    {
      stdin: 'pipe',
      stdout: 'pipe',
    },
  )
  const cpuBefore = cpuSeconds(server.pid)
  child.stdin.write(
    `${JSON.stringify({ ...mix, url: server.url, memories: args.memories, rate: args.rate })}\n`,
  )
  child.stdin.flush()
  const result = async (): Promise<Load> => {
    const samples: Sample[] = JSON.parse(await new Response(child.stdout).text())
    const cpuMs = ((cpuSeconds(server.pid) - cpuBefore) * 1000) / samples.length
    return { samples, cpuMs }
  }
  return { result: result(), stop: () => child.stdin.end() }
}

/** An import file with the memories of another account. */
const importFile = (size: number): string =>
  conversations(size, 1_000_003)
    .map(({ content, ...turn }, i) =>
      JSON.stringify({
        ...memoryOf({ ...turn, content }),
        content: undefined,
        memory_id: Bun.randomUUIDv7(),
        content_text: `${content} (${i})`,
      }),
    )
    .join('\n')

/** Runs the mix during an import. */
const loadDuringImport = async (server: BenchServer, importer: Account, keys: string[]) => {
  const file = importFile(args.import)
  const mix = startMix(server, { keys, seed: 3, seconds: UNTIL_STOPPED_SECONDS })
  const [ms, { imported }] = await timed(() => importer.client.call(importMemories, { file }))
  mix.stop()
  if (imported !== args.import) throw new Error(`${imported} of ${args.import} were imported`)
  console.log(`${imported} memories were imported in ${(ms / 1000).toFixed(1)} s`)
  return mix.result
}

const rowsOf = (phase: string, load: Load, base?: Load) =>
  KINDS.map((kind) => {
    const of = ({ samples }: Load) => samples.filter((sample) => sample.kind === kind)
    const ms = of(load).map((sample) => sample.ms)
    const p95 = quantile(ms, 0.95)
    const ratio =
      base &&
      p95 /
        quantile(
          of(base).map((sample) => sample.ms),
          0.95,
        )
    return [
      phase,
      kind,
      ms.length,
      of(load).filter(({ failed }) => failed).length,
      ...[0.5, 0.95, 0.99].map((q) => quantile(ms, q).toFixed(1)),
      ratio?.toFixed(2) ?? '',
      load.cpuMs.toFixed(2),
    ]
  })

const measure = async (kind: DatabaseKind) => {
  await using database = await createDatabase(kind)
  await using server = await startServer(database, {
    SVC_ADMIN_EMAILS: ADMIN,
    SVC_PROCESSES: String(args.processes),
  })
  const admin = await newAccount(server, ADMIN)
  await verify(admin, database.dataDir)
  const people: Account[] = []
  for (let seed = 1; seed <= args.people; seed++) {
    const account = await newAccount(server)
    await writeTurns(account, conversations(args.memories, seed))
    people.push(account)
  }
  const keys = people.map(({ key }) => key)
  await untilEnginesAreDone(admin)
  await startMix(server, { keys, seed: 1_000, seconds: WARM_UP_SECONDS }).result

  const alone = await startMix(server, { keys, seed: 2_000, seconds: args.seconds }).result
  const rows = rowsOf('alone', alone)
  const done = await untilEnginesAreDone(admin)
  console.log(`${kind}: the engines were done ${done.toFixed(1)} s after the load`)
  if (args.import) {
    const importer = await newAccount(server)
    rows.push(...rowsOf('import', await loadDuringImport(server, importer, keys), alone))
    const after = await startMix(server, { keys, seed: 4_000, seconds: args.seconds }).result
    rows.push(...rowsOf('after it', after, alone))
    const seconds = await untilEnginesAreDone(admin)
    console.log(`${kind}: the engines were done ${seconds.toFixed(1)} s after that`)
  }
  printTable(
    ['load', 'request', 'sent', 'errors', 'p50', 'p95', 'p99', 'p95 / alone', 'CPU ms/request'],
    rows,
  )
}

for (const kind of kindsOf(args.database)) await measure(kind)
