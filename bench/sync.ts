import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { printTable } from './lib/table.ts'
import { conversations } from './lib/text.ts'

const { values: args } = readArgs(
  'bench/sync.ts: syncs a folder of Markdown files with an account, by processes of svc',
  {
    files: count('number of files', 10_000),
    edits: count('number of files that are edited', 100),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'embedded'),
  },
)

const MAIN = resolve(import.meta.dir, '../cli/main.ts')

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-sync-'))
const pathOf = (name: string, i: number) => join(folder, name, `${i % 100}`, `Note ${i}.md`)

/** Runs `svc sync`. @returns seconds and the peak of its resident memory. */
const sync = async (url: string, { key }: Account, name: string, expected: string) => {
  const startedAt = performance.now()
  const child = Bun.spawn([process.execPath, MAIN, 'sync', '--yes', join(folder, name)], {
    env: { PATH: process.env.PATH, HOME: folder, SVC_URL: url, SVC_API_KEY: key },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await child.stdout.text()
  if ((await child.exited) !== 0 || !text.includes(expected)) throw new Error(`svc sync: ${text}`)
  const seconds = (performance.now() - startedAt) / 1000
  return { seconds, mib: (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20 }
}

const writeFiles = (name: string) => {
  for (let i = 0; i < 100; i++) mkdirSync(join(folder, name, `${i}`), { recursive: true })
  for (const [i, { content }] of conversations(args.files, 3).entries())
    writeFileSync(pathOf(name, i), `${content} (${i})\n`)
}

const measure = async (kind: DatabaseKind) => {
  await using database = await createDatabase(kind)
  await using server = await startServer(database)
  const account = await newAccount(server)
  const number = args.files.toLocaleString('en')
  const edits = args.edits.toLocaleString('en')
  writeFiles(kind)
  const edit = () => {
    for (let i = 0; i < args.edits; i++)
      writeFileSync(
        pathOf(kind, i),
        readFileSync(pathOf(kind, i), 'utf8').replace(/\n$/, ' Edited.\n'),
      )
  }
  const steps: [string, number, string, string, (() => void)?][] = [
    ['files into an empty account', args.files, kind, `${number} remembered`],
    ['again, without changes', args.files, kind, 'Everything is in sync.'],
    [
      'again, without changes and without reading files',
      args.files,
      kind,
      'Everything is in sync.',
    ],
    [`${edits} edited files`, args.edits, kind, `${edits} superseded`, edit],
    ['memories into an empty folder', args.files, `${kind}-other`, `${number} files created`],
  ]
  const rows = []
  for (const [step, size, name, expected, prepare] of steps) {
    prepare?.()
    const { seconds, mib } = await sync(server.url, account, name, expected)
    const rate = Math.round(size / seconds).toLocaleString('en')
    rows.push([kind, step, seconds.toFixed(1), rate, Math.round(mib)])
  }
  return rows
}

try {
  const rows = []
  for (const kind of kindsOf(args.database)) rows.push(...(await measure(kind)))
  console.log(`\n${args.files.toLocaleString('en')} files\n`)
  printTable(['database', '', 'seconds', 'files/s', 'peak MiB'], rows)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
