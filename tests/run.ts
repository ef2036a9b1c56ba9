/**
 * The whole check: format and lint, types, then every test on the embedded database and on a
 * PostgreSQL server. Without such a server the second half is left out, but not where CI is set.
 * Ends with the totals alone on a line.
 */
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { postgresUrl } from './harness/database.ts'

/** Runs a command, and shows what it says as it says it, or gives it back for later. */
const run = async (command: string[], env: Record<string, string> = {}, isShown = true) => {
  const child = Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdout: isShown ? 'inherit' : 'ignore',
    stderr: 'pipe',
  })
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stderr) {
    if (isShown) process.stderr.write(chunk)
    output += decoder.decode(chunk, { stream: true })
  }
  return { ok: (await child.exited) === 0, output }
}

const answers = (url: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port || 5432), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const count = (output: string, word: string) =>
  [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, 'gm'))].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  )

const heading = (text: string) => process.stdout.write(`\n== ${text}\n`)

heading('format and lint')
const linted = await run(['bun', 'x', 'biome', 'ci', '--error-on-warnings', '.'])
heading('types')
const typed = await run(['bun', 'x', 'tsc', '--noEmit'])

/** All at once: tests wait more than they compute. The first is shown while it runs. */
const SHARDS = { embedded: 3, postgres: 2 }

const filters = process.argv.slice(2)
const databases: (keyof typeof SHARDS)[] = ['embedded']
if (await answers(postgresUrl)) databases.push('postgres')
else if (process.env.CI) throw new Error(`no PostgreSQL answers at ${new URL(postgresUrl).host}`)
else heading('no PostgreSQL on this machine: testing on the embedded database alone')

/** What asks no database is tested once, and so is what only speaks to a server as people do. */
const TESTED_ONCE = ['browser', 'cli', 'models', 'start', 'structure', 'unit']
const withDatabase = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !TESTED_ONCE.includes(entry.name))
  .map(({ name }) => `tests/${name}/`)

const shards = databases.flatMap((database, index) =>
  Array.from({ length: SHARDS[database] }, (_, shard) => ({
    name: `${database}, ${shard + 1} of ${SHARDS[database]}`,
    // Programs tell where they are by the zone of their machine: the tests are in one place, wherever they run.
    env: { TEST_DATABASE: database, TZ: 'Etc/UTC' },
    shard: `--shard=${shard + 1}/${SHARDS[database]}`,
    paths: filters.length || index === 0 ? filters : withDatabase,
  })),
)
heading(`tests on ${databases.join(' and ')}`)
const runs = await Promise.all(
  shards.map(async ({ name, env, shard, paths }, index) => {
    const options = ['--timeout', '120000', '--pass-with-no-tests', shard]
    return { name, ...(await run(['bun', 'test', ...options, ...paths], env, index === 0)) }
  }),
)
const totals = { pass: 0, fail: 0, skip: 0 }
for (const [index, { name, output }] of runs.entries()) {
  if (index > 0) {
    heading(`tests on ${name}`)
    process.stderr.write(output)
  }
  for (const word of ['pass', 'fail', 'skip'] as const) totals[word] += count(output, word)
}
const ok = linted.ok && typed.ok && runs.every((tested) => tested.ok)
const skipped = totals.skip ? `, ${totals.skip} skipped` : ''
process.stdout.write(`\n${totals.pass} passed, ${totals.fail} failed${skipped}\n`)
process.exit(ok && totals.pass > 0 ? 0 : 1)
