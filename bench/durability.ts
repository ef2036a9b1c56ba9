import { mkdirSync, rmSync } from 'node:fs'
import { count, readArgs, text } from './lib/args.ts'
import { kill, missingOn, postgresPid, snapshot, startWriters } from './lib/crash.ts'
import { temporaryDirectory } from './lib/database.ts'
import { accountOn, newAccount, startServer } from './lib/server.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/durability.ts: kills svc, its PostgreSQL or both with kill -9 under load, or takes a snapshot of the files, and checks every acknowledged memory; exits with 1 if one is missing',
  {
    rounds: count('number of rounds, which alternate between the kinds of crash', 50),
    writers: count('number of accounts that write at the same time', 8),
    most: count('the longest time until the crash, in ms', 1_500),
    svc: text('the executable of a release; empty for this clone', ''),
  },
)

const WAYS = ['kill svc', 'kill PostgreSQL', 'kill both', 'snapshot'] as const

const dataDir = temporaryDirectory()
const copyDir = `${dataDir}-copy`
const start = (directory: string) =>
  startServer({ dataDir: directory, url: undefined }, {}, undefined, args.svc)
const results = new Map(WAYS.map((way) => [way, { rounds: 0, acknowledged: 0, missing: 0 }]))

const accounts = await (async () => {
  await using server = await start(dataDir)
  return await Promise.all(Array.from({ length: args.writers }, () => newAccount(server)))
})()

/** Writes memories and crashes. @returns the directory to check and the memories that must be there. */
const crash = async (way: (typeof WAYS)[number], round: number) => {
  await using server = await start(dataDir)
  const clients = accounts.map((account) => accountOn(server, account))
  const writers = startWriters(clients, `round ${round}`)
  // The crash must happen while memories are written.
  while (writers.acknowledged.length === 0) await Bun.sleep(1)
  await Bun.sleep(Math.random() * args.most)
  const before = [...writers.acknowledged]
  if (way === 'snapshot') snapshot(server.pid, dataDir, copyDir)
  else {
    if (way !== 'kill PostgreSQL') kill(server.pid)
    if (way !== 'kill svc') kill(postgresPid(dataDir))
  }
  if (way === 'kill PostgreSQL') {
    // svc restarts PostgreSQL, and the writers continue.
    const count = writers.acknowledged.length + args.writers * 2
    while (writers.acknowledged.length < count) await Bun.sleep(5)
  }
  await writers.stop()
  return way === 'snapshot'
    ? { directory: copyDir, acknowledged: before }
    : { directory: dataDir, acknowledged: writers.acknowledged }
}

try {
  for (let round = 0; round < args.rounds; round++) {
    const way = WAYS[round % WAYS.length] ?? 'kill svc'
    mkdirSync(copyDir)
    const { directory, acknowledged } = await crash(way, round)
    await using server = await start(directory)
    const missing = await missingOn(server, acknowledged)
    const result = results.get(way)
    if (result) {
      result.rounds++
      result.acknowledged += acknowledged.length
      result.missing += missing.length
    }
    for (const content of missing) console.log(`missing after ${way}: ${content}`)
    await server[Symbol.asyncDispose]()
    rmSync(copyDir, { recursive: true, force: true })
  }
} finally {
  for (const path of [dataDir, copyDir]) rmSync(path, { recursive: true, force: true })
}

printTable(
  ['', 'rounds', 'acknowledged', 'missing'],
  [...results].map(([way, result]) => [way, ...Object.values(result).map(String)]),
)
process.exitCode = [...results.values()].some(({ missing }) => missing > 0) ? 1 : 0
