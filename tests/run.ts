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

const filters = process.argv.slice(2)
const databases = ['embedded']
if (await answers(postgresUrl)) databases.push('postgres')
else if (process.env.CI) throw new Error(`no PostgreSQL answers at ${new URL(postgresUrl).host}`)
else heading('no PostgreSQL on this machine: testing on the embedded database alone')

/** What asks no database is tested once. */
const WITHOUT_DATABASE = ['models', 'structure', 'unit']
const withDatabase = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !WITHOUT_DATABASE.includes(entry.name))
  .map(({ name }) => `tests/${name}/`)

/** Both at once: tests wait more than they compute. The first is shown while it runs. */
heading(`tests on ${databases.join(' and ')}`)
const runs = await Promise.all(
  databases.map(async (database, index) => {
    const paths = filters.length || index === 0 ? filters : withDatabase
    const command = ['bun', 'test', '--timeout', '60000', ...paths]
    return { database, ...(await run(command, { TEST_DATABASE: database }, index === 0)) }
  }),
)
const totals = { pass: 0, fail: 0, skip: 0 }
for (const [index, { database, output }] of runs.entries()) {
  if (index > 0) {
    heading(`tests on ${database}`)
    process.stderr.write(output)
  }
  for (const word of ['pass', 'fail', 'skip'] as const) totals[word] += count(output, word)
}
const ok = linted.ok && typed.ok && runs.every((tested) => tested.ok)
const skipped = totals.skip ? `, ${totals.skip} skipped` : ''
process.stdout.write(`\n${totals.pass} passed, ${totals.fail} failed${skipped}\n`)
process.exit(ok && totals.pass > 0 ? 0 : 1)
