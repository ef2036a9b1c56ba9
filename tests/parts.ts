/**
 * The parts of the tests that `npm test` leaves out and `npm run test:all` runs. As a program, it prints
 * the parts with changes since the base commit, each on a line: `.ci/run` then runs all parts.
 */
import { Glob } from 'bun'
import { baseCommit, changedSince, head } from './harness/base.ts'

export interface Part {
  name: string
  /** The files and folders whose tests are in this part alone. */
  only: string[]
  /** The files whose tests also run on the server of this part. */
  again: string[]
  /** Patterns of the files that may break this part and none of the others. */
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
  /** Archives for all platforms, in a minimal system and under systemd. */
  release: {
    name: 'release',
    only: ['tests/release'],
    again: [],
    paths: [
      ...PACKAGES,
      'tests/release/**',
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
    name: 'scale',
    only: ['tests/scale'],
    again: [],
    paths: [
      ...STATEMENTS,
      'tests/scale/**',
      'compose.scale.yaml',
      'server/{start,main}.ts',
      'server/platform/{role,shutdown,stop-signals}.ts',
      'server/memory/engines/**',
    ],
  },
  /** The real Codex and OpenCode, which are installed from npm, with a scripted model. */
  agents: {
    name: 'assistants',
    only: ['tests/agents'],
    again: [],
    paths: [
      'tests/agents/**',
      'cli/assistants/**',
      'cli/commands/hook/**',
      'cli/commands/import-transcripts.ts',
      'cli/transcripts/**',
      'server/memory/capture/**',
      'server/prompt/context/**',
      'server/conversation/proxy/**',
    ],
  },
  /**
   * PostgreSQL 15 is the oldest version that svc supports. These files cover what may differ: SQL written
   * by hand and its plans, text search, bit strings, locks and deadlocks, the queue, and a first migration.
   */
  oldest: {
    name: 'PostgreSQL 15',
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
    name: 'Citus',
    only: [],
    again: filesOf({
      memory: ['memory', 'memory-life'],
      account: ['deletion', 'organization-story'],
      system: ['distribute'],
    }),
    paths: [...STATEMENTS, ...PACKAGES, 'server/system/distribute/**', 'tests/harness/cluster.ts'],
  },
} satisfies Record<string, Part>

/** The parts with changes since the base commit: all of them if it is unknown. */
const changedParts = (): Part[] => {
  const all: Part[] = Object.values(parts)
  const base = baseCommit()
  if (!base || (base === head() && !process.env.TEST_BASE)) return all
  const changed = changedSince(base)
  return all.filter(({ paths }) =>
    paths.some((pattern) => changed.some((path) => new Glob(pattern).match(path))),
  )
}

if (import.meta.main) for (const { name } of changedParts()) console.log(name)
