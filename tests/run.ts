/**
 * Runs the checks of format, lint and types, then the tests on the PostgreSQL that svc ships with, without
 * the parts of parts.ts. `--part NAME` adds one of these, `--all` adds all. The part `oldest` needs a
 * PostgreSQL 15 at `TEST_POSTGRES_URL` or 127.0.0.1:5432; without one its tests are skipped, and with CI set
 * they fail. The part `citus` needs a cluster at `TEST_CITUS_URL`, and is skipped without one. Other
 * arguments select test files. Ends with the totals alone on a line.
 */
import { chmodSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from '../scripts/executable.ts'
import { writeContents } from '../scripts/release/contents.ts'
import { ROOT } from '../scripts/release/packages.ts'
import { isHost, targets } from '../scripts/release/targets.ts'
import { startPostgres } from './harness/postgres.ts'
import { temporaryDirectory } from './harness/temporary.ts'
import { type PartName, partNames, parts, patternsOf } from './parts.ts'

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, part: { type: 'string', multiple: true, default: [] } },
})
const unknownPart = options.part.find((name) => !partNames.some((part) => part === name))
if (unknownPart) throw new Error(`no part ${unknownPart}: ${partNames.join(', ')}`)
const isSelected = (name: PartName): boolean => options.all || options.part.includes(name)
const oldestUrl = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const citusUrl = process.env.TEST_CITUS_URL

/** Runs a command and either shows its output immediately or returns it. */
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

/** Processes that take the test files of a part in turn. Tests wait more than they compute. */
const WORKERS = 4
const WORKERS_ON_OLDEST = 1
const WORKERS_ON_CITUS = 1
/** How long each file took, so that the longest ones start first. CONTRIBUTING.md says how to write it. */
const TIMINGS = 'tests/timings.json'

/**
 * Files that need the machine alone, for their load or because the encoder answers in time on an idle one only: they
 * run after all others.
 */
const ALONE = [
  'tests/scale/rolling-restart.test.ts',
  'tests/platform/read-replica.test.ts',
  'tests/agents/week.test.ts',
]

interface Run {
  name: string
  /** Selects the server that tests create databases on. */
  env: { TEST_POSTGRES_URL: string } | { TEST_CITUS_URL: string }
  workers: number
  paths: string[]
}

const directory = temporaryDirectory('svc-test-run-')
const temporary = join(directory, 'tmp')
mkdirSync(temporary)
chmodSync(temporary, 0o1777)
/** A release for this system, if there is one. The tests start it some thousand times. */
const host = targets.find(isHost)
const svc = host ? join(directory, 'release/svc') : ''
const buildRelease = async () => {
  if (!host) return
  await buildExecutable({ outfile: svc, bytecode: true })
  await writeContents(host, join(ROOT, 'node_modules'), join(directory, 'release/lib'))
}

/** Three projects are checked at once, and checkers of one project repeat much of the work of each other. */
const checkers = String(Math.max(1, Math.floor(availableParallelism() / 3)))
/** Checks a project, and of one that was checked before only what has changed. */
const checkTypes = (project: string) => {
  const known = join(
    ROOT,
    'node_modules/.cache/types',
    `${project.replaceAll('/', '-')}.tsbuildinfo`,
  )
  const flags = ['--noEmit', '--incremental', '--tsBuildInfoFile', known, '--checkers', checkers]
  return run(['bun', 'x', 'tsc', ...flags, '-p', project])
}

heading('format, lint, types and the console')
const checks = await Promise.all([
  run(['bun', 'x', 'biome', 'ci', '--error-on-warnings', '.']),
  checkTypes('tsconfig.json'),
  checkTypes('console/tsconfig.json'),
  checkTypes('clients/npm/tsconfig.json'),
  // The first request of it would build it while all tests run, which can take longer than they wait.
  run(['bun', 'console/build.ts']).then(async (built) => {
    await buildRelease()
    return built
  }),
])

await using bundled = await startPostgres()
/** Selects all files but these. */
const without = (paths: string[]) => paths.map((path) => `--path-ignore-patterns=${path}`)
const leftOut = partNames.filter((name) => !isSelected(name)).flatMap((name) => parts[name].only)
const alone = ALONE.filter(
  (path) => !leftOut.some((one) => path === one || path.startsWith(`${one}/`)),
)
const excluded = [...alone, ...patternsOf(leftOut)]
const parallel: Run[] = [
  {
    name: 'the embedded PostgreSQL',
    env: { TEST_POSTGRES_URL: bundled.url },
    workers: WORKERS,
    paths: filters.length ? filters : without(excluded),
  },
]
const hasOldest = isSelected('oldest') && (await answers(oldestUrl))
if (hasOldest)
  parallel.push({
    name: 'PostgreSQL 15',
    env: { TEST_POSTGRES_URL: oldestUrl },
    workers: WORKERS_ON_OLDEST,
    paths: filters.length ? filters : parts.oldest.again,
  })
else if (isSelected('oldest') && process.env.CI)
  throw new Error(`no PostgreSQL answers at ${new URL(oldestUrl).host}`)
else if (isSelected('oldest'))
  heading('no PostgreSQL 15 on this machine: testing on the embedded one alone')
if (isSelected('citus') && citusUrl)
  parallel.push({
    name: 'Citus',
    env: { TEST_CITUS_URL: citusUrl },
    workers: WORKERS_ON_CITUS,
    paths: filters.length ? filters : parts.citus.again,
  })

/** `--timeout`: a busy machine may need minutes for a test with several servers. */
const testFiles = (env: Run['env'], flags: string[], isShown: boolean) =>
  // Processes print times in the time zone of their machine: all tests run in UTC.
  run(
    ['bun', 'test', '--timeout', '120000', ...flags],
    // An empty value is none: the variables of this run do not select the server of a part.
    {
      TEST_POSTGRES_URL: '',
      TEST_CITUS_URL: '',
      ...env,
      TEST_SVC: svc,
      TMPDIR: temporary,
      TZ: 'Etc/UTC',
      // Compiling with FTL, the last tier, takes a tenth of the processor time, and tests end before it pays.
      BUN_JSC_useFTLJIT: '0',
    },
    isShown,
  )

const occurrences = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/**
 * The files in which tests failed, each with its numbers of failed tests and of errors outside of tests, such
 * as of a request that a test left behind at its time limit, and its output without passes.
 */
const failuresIn = (output: string) =>
  output
    // Bun repeats the names of all failed tests at the end.
    .replace(/^\d+ tests? failed:$[\s\S]*/m, '')
    .split(/^(?=\S+\.test\.ts:$)/m)
    .map((section) => ({
      path: section.slice(0, section.indexOf(':\n')),
      failed: occurrences(section, /^\(fail\) /gm),
      errors: occurrences(section, /^# Unhandled error between tests/gm),
      text: section.replace(/^\(pass\) .*\n/gm, ''),
    }))
    .filter(({ failed, errors }) => failed + errors > 0)

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** The reason that a run fails even if its failed tests pass when they run again. */
const problemOf = ({ ok, output }: { ok: boolean; output: string }) => {
  const failed = count(output, 'fail')
  const failures = failuresIn(output)
  // An error after the end of a file fails the test that runs at that time, in another file. A test that
  // reached its time limit leaves such requests behind, and runs again itself.
  const failedFiles = failures.map(({ path }) => path)
  const other = failures.find(({ text }) =>
    text
      .match(/\btests\/[\w./-]{1,200}\.test\.ts(?=:\d)/g)
      ?.some((file) => !failedFiles.includes(file)),
  )
  if (!/^Ran \d+ tests? across /m.test(output)) return 'the process ended before the summary'
  if (/^✗ .* \(worker crashed/m.test(output)) return 'a test process crashed'
  if (count(output, 'errors?') !== sum(failures.map(({ errors }) => errors)))
    return 'an error occurred outside of the test files'
  if (/^\(fail\) \(unnamed\)/m.test(output)) return 'a hook outside of the tests failed'
  if (other) return `an error of another file failed a test of ${other.path}`
  if (failed !== sum(failures.map((file) => file.failed))) return 'a failure belongs to no file'
  if (ok !== (failures.length === 0)) return 'the exit status does not match the failures'
  return undefined
}

const runPart = async ({ name, env, workers, paths }: Run, isShown: boolean) => ({
  name,
  env,
  // The files of a process share its modules, because importing the server takes longer than most tests.
  ...(await testFiles(
    env,
    [
      ...['--pass-with-no-tests', `--parallel=${workers}`, '--no-isolate'],
      ...[`--timings=${TIMINGS}`, ...paths],
    ],
    isShown,
  )),
})

heading('tests')
const runs = await Promise.all(parallel.map((part, index) => runPart(part, index === 0)))
// Without a path, all tests would run.
if (filters.length === 0 && alone.length > 0)
  runs.push(
    await runPart(
      {
        name: 'the embedded PostgreSQL, alone',
        env: { TEST_POSTGRES_URL: bundled.url },
        workers: 1,
        paths: alone,
      },
      false,
    ),
  )
const totals = { pass: 0, fail: 0, skip: 0 }
for (const [index, { name, output }] of runs.entries()) {
  if (index > 0) {
    heading(`tests on ${name}`)
    process.stderr.write(output)
  }
  for (const word of ['pass', 'fail', 'skip'] as const) totals[word] += count(output, word)
}

/**
 * The files with failures run once more, alone: this tells a failure that needs a busy machine from
 * one that does not. A test that passes then counts as passed and is reported as flaky. When many
 * files fail, none is run again. A problem of the whole run fails it in any case.
 */
const MAX_RERUN_FILES = 12
const failures = runs.flatMap(({ name, env, output }) =>
  failuresIn(output).map((failure) => ({ ...failure, name, env })),
)
const problems = runs.flatMap((part) => {
  const problem = problemOf(part)
  return problem ? [`the tests on ${part.name} failed: ${problem}`] : []
})
for (const { name, env, path, failed, errors, text } of failures) {
  heading(`${failed} failed, with ${errors} errors outside of tests, on ${name}: ${text}`)
  const again = failures.length > MAX_RERUN_FILES ? undefined : await testFiles(env, [path], false)
  if (again?.ok && !problemOf(again)) {
    heading(`flaky: ${path} passed when it ran again, alone`)
    totals.fail -= failed
    totals.pass += failed
  } else {
    problems.push(`${path} failed`)
    process.stdout.write(again?.output.replace(/^\(pass\) .*\n/gm, '') ?? '')
  }
}
if (!checks.every(({ ok }) => ok)) problems.push('a check of format, lint or types failed')
for (const problem of problems) heading(problem)
totals.fail = Math.max(totals.fail, problems.length)
const skipped = totals.skip ? `, ${totals.skip} skipped` : ''
process.stdout.write(`\n${totals.pass} passed, ${totals.fail} failed${skipped}\n`)
process.exitCode = totals.fail === 0 && totals.pass > 0 ? 0 : 1
