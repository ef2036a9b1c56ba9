import { exportMemories, importMemories } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import { growthDuring } from './lib/resident.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations } from './lib/text.ts'
import { memoryOf } from './lib/write.ts'

/** Uncounted requests that open connections, plan statements and grow the heap. */
const WARM_UP = 2_000

const { values: args } = readArgs(
  'bench/transfer.ts: imports memories, exports them, and imports the export into another account',
  {
    memories: count('number of memories', 100_000),
    metadata: count('characters of metadata of each memory', 1_000),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

/** An import file that is generated as it is read, which bounds memory. */
const fileOf = (size: number): ReadableStream<Uint8Array> => {
  const note = 'x'.repeat(args.metadata)
  const turns = conversations(size, 3)
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const page = turns.slice(next, next + 100)
      if (page.length === 0) return controller.close()
      const lines = page.map((turn, i) => {
        const memory_id = Bun.randomUUIDv7()
        const content_text = `${turn.content} (${next + i})`
        return JSON.stringify({ ...memoryOf(turn), memory_id, content_text, metadata: { note } })
      })
      next += page.length
      controller.enqueue(Buffer.from(`${lines.join('\n')}\n`))
    },
  })
}

const importInto = async ({ client }: Account, file: ReadableStream<Uint8Array>) => {
  const { imported, failed } = await client.call(importMemories, { file })
  if (failed.length) throw new Error(`line ${failed[0]?.line}: ${failed[0]?.detail}`)
  return imported
}

const countOf = async ({ client }: Account): Promise<number> => {
  let lines = 0
  for await (const _ of await client.call(exportMemories)) lines++
  return lines
}

/** The export of an account as a stream of bytes. */
const exportOf = async (url: string, { key }: Account): Promise<ReadableStream<Uint8Array>> => {
  const { body } = await fetch(new URL(exportMemories.path, url), {
    headers: { authorization: `Bearer ${key}` },
  })
  if (!body) throw new Error('The export has no body')
  return body
}

const measure = async (kind: DatabaseKind) => {
  await using database = await createDatabase(kind)
  await using server = await startServer(database)
  const warm = await newAccount(server)
  await importInto(warm, fileOf(WARM_UP))
  await countOf(warm)

  const [from, to] = [await newAccount(server), await newAccount(server)]
  const steps = {
    import: () => importInto(from, fileOf(args.memories)),
    export: () => countOf(from),
    'export into an import': async () => importInto(to, await exportOf(server.url, from)),
  }
  const rows = []
  for (const [step, work] of Object.entries(steps)) {
    const [ms, [mib, memories]] = await timed(() => growthDuring(server.pid, work))
    if (memories !== args.memories) throw new Error(`${step}: ${memories} of ${args.memories}`)
    const rate = Math.round((memories / ms) * 1000).toLocaleString('en')
    rows.push([kind, step, (ms / 1000).toFixed(1), rate, Math.round(mib)])
  }
  return rows
}

const rows = []
for (const kind of kindsOf(args.database)) rows.push(...(await measure(kind)))
const mib = Math.round((args.memories * (args.metadata + 500)) / 2 ** 20)
console.log(`\n${args.memories.toLocaleString('en')} memories, a file of about ${mib} MiB\n`)
printTable(['database', '', 'seconds', 'memories/s', 'peak growth MiB'], rows)
