/**
 * The parts of the tests that `npm test` leaves out, `npm run test:all` runs, and `--part NAME` adds. As a
 * program, it prints the names of those with changes since the base commit, each on a line, for `.ci/run`.
 */
import { Glob } from 'bun'
import { baseCommit, changedSince, head } from './harness/base.ts'

export interface Part {
  /** The files and folders whose tests are in this part alone. */
  only: string[]
  /** The files whose tests also run on the server of this part. */
  again: string[]
  /** Patterns of the files that may break this part, beside its own tests. */
  paths: string[]
}

const filesOf = (names: Record<string, string[]>): string[] =>
  Object.entries(names).flatMap(([domain, files]) =>
    files.map((name) => `tests/${domain}/${name}.test.ts`),
  )

const STATEMENTS = [
  'migrations/*.sql',
  'server/**/{store,*-store,table}.ts',
  'server/platform/db/**',
  'server/platform/job*.ts',
]
const PACKAGES = ['bun.lock', 'patches/**']

export const parts = {
  /** Archives for all platforms, in a minimal system and under systemd, and the installation of a clone by npm. */
  release: {
    only: ['tests/release', ...filesOf({ start: ['install'] })],
    again: [],
    paths: [
      ...PACKAGES,
      'package.json',
      '.npmrc',
      'scripts/install.sh',
      'scripts/{release,executable}.ts',
      'scripts/release/**',
      'deploy/*.service',
      'Containerfile',
      'server/platform/files.ts',
      'server/platform/db/embedded/**',
    ],
  },
  /** Several processes on one database. */
  scale: {
    only: ['tests/scale', ...filesOf({ system: ['processes'] })],
    again: [],
    paths: [
      ...STATEMENTS,
      'compose.scale.yaml',
      'server/{start,stop,main,feature,features,services}.ts',
      'server/platform/{process-link,role,shutdown,web-processes}.ts',
      'server/platform/process/**',
      'server/memory/engines/**',
    ],
  },
  /** The real Codex and OpenCode, which are installed from npm, with a scripted model. */
  agents: {
    only: ['tests/agents'],
    again: [],
    paths: [
      'cli/assistants/**',
      'cli/commands/hook/**',
      'cli/commands/import-transcripts.ts',
      'cli/transcripts/**',
      'server/memory/capture/**',
      'server/prompt/context/**',
      'server/features/proxy/**',
    ],
  },
  /** The console in a browser, screen by screen. `npm test` keeps the pages and the first memory. */
  console: {
    only: ['tests/console'],
    again: [],
    paths: [
      ...PACKAGES,
      'tests/{browser,harness}/**',
      'console/**',
      'clients/npm/**',
      'shared/**',
      'server/system/console/**',
      'server/platform/http/**',
      'server/**/{feature,routes,service}.ts',
    ],
  },
  /** The state on disk after a process, a disk or a copy that ends early; backups, restores and moves. */
  storage: {
    only: [
      'tests/faults',
      ...filesOf({
        system: [
          ...['backup', 'default-directory', 'encrypted-backup', 'move', 'restore'],
          ...['schema-fixtures', 'squashed-migrations', 'upgrade'],
        ],
        embedded: ['directory', 'durability', 'end'],
        platform: [
          ...['database-cuts', 'durability', 'full-disk', 'mail', 'pgbouncer', 'read-replica'],
          'shutdown',
        ],
        automation: ['automation-durability'],
        memory: ['completion', 'import-load', 'memory-limits'],
        people: ['outbound-email-delivery'],
      }),
    ],
    again: [],
    paths: [
      ...STATEMENTS,
      ...PACKAGES,
      'tests/{system,embedded,fixtures,harness}/**',
      'server/{start,stop,main,operations}.ts',
      'server/system/**',
      'server/platform/{files,durable-files,blobs,spool,writes,shutdown}.ts',
      'server/platform/{backfills,mail}/**',
      'server/memory/**',
      'server/emails/**',
      'cli/commands/admin/**',
    ],
  },
  /** The encoder of vectors in the server, its faults, and the installation of models by `svc models`. */
  encoder: {
    only: filesOf({ memory: ['encoder'], cli: ['models'] }),
    again: [],
    paths: [
      ...PACKAGES,
      'tests/harness/{encoder-model,model-hub,onnx}.ts',
      'cli/commands/models.ts',
      'cli/parse/**',
      'server/memory/engines/**',
      'server/platform/models/**',
    ],
  },
  /** Every endpoint with random and costly input, and every command of the documentation. */
  surface: {
    only: ['tests/fuzz', 'tests/docs'],
    again: [],
    paths: [
      ...PACKAGES,
      'tests/harness/**',
      'README.md',
      'docs/**',
      'shared/contract/**',
      'cli/**',
      'server/platform/http/**',
      'server/memory/**',
      'server/**/{feature,routes,service}.ts',
    ],
  },
  /** The source without each optional feature. */
  removal: {
    only: ['tests/features'],
    again: [],
    paths: [
      ...PACKAGES,
      'migrations/*.sql',
      '{cli,console,mcp,server,shared}/{feature,features}.ts',
      '{cli,console,mcp,server}/**/feature.ts',
      'scripts/structure/**',
      'server/{app,services}.ts',
      'shared/contract/**',
    ],
  },
  /**
   * PostgreSQL 15 is the oldest version that svc supports. These files cover what may differ: SQL written
   * by hand and its plans, text search, bit strings, locks and deadlocks, the queue, and a first migration.
   */
  oldest: {
    only: [],
    again: filesOf({
      memory: ['recall', 'memory-properties', 'memory-life', 'graph'],
      account: ['races', 'organization-races'],
      platform: ['deadlock', 'limits', 'start'],
      billing: ['quota'],
      automation: ['automation-durability'],
    }),
    paths: [...STATEMENTS, ...PACKAGES],
  },
  /**
   * Statements over tables that Citus distributes, their transactions with accounts and organizations, and
   * `svc admin distribute`. docs/how-to/citus.md has the command for all tests that run on a cluster.
   */
  citus: {
    only: [],
    again: filesOf({
      memory: ['memory', 'memory-life', 'capture', 'changes', 'feedback', 'bulk'],
      account: ['deletion', 'organization-story'],
      system: ['distribute'],
    }),
    paths: [...STATEMENTS, ...PACKAGES, 'server/system/distribute/**', 'tests/harness/cluster.ts'],
  },
} satisfies Record<string, Part>

export type PartName = keyof typeof parts

export const partNames = Object.keys(parts) as PartName[]

/** Patterns of files and folders. */
export const patternsOf = (paths: string[]): string[] =>
  paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**`))

/** The parts with changes since the base commit: all of them if it is unknown. */
const changedParts = (): PartName[] => {
  const base = baseCommit()
  if (!base || (base === head() && !process.env.TEST_BASE)) return partNames
  const changed = changedSince(base)
  return partNames.filter((name) => {
    const { only, again, paths } = parts[name]
    return [...patternsOf([...only, ...again]), ...paths].some((pattern) =>
      changed.some((path) => new Glob(pattern).match(path)),
    )
  })
}

if (import.meta.main) for (const name of changedParts()) console.log(name)
