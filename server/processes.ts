import type { Config } from './config/config.ts'
import type { AppDeps } from './deps.ts'
import { ringOf } from './platform/log.ts'
import { type LineFilter, PROCESS_NAME } from './platform/log-ring.ts'
import type { Metrics } from './platform/metrics.ts'
import { createWebProcesses, type Siblings, type WebProcesses } from './platform/web-processes.ts'
import type { ServerRun } from './run.ts'
import { DRAIN_MARGIN_MS } from './stop.ts'

/** A web process ends its requests, and then closes its pools. */
const WEB_PROCESSES_STOP_TIMEOUT_MS = 20_000

/** The processes of a server, as this one sees them. */
export interface Processes {
  /** Those that this process starts; undefined if there are none, and in one of them. */
  others: WebProcesses | undefined
  /** All but this one; undefined if there is only this one. */
  siblings: Siblings | undefined
  /** Finds lines in the logs of all. */
  findLines: AppDeps['findLines']
}

/** The configuration of each process: all share the memory for the indexes of users. */
export const configOfProcess = ({ config, joined, program }: ServerRun): Config =>
  joined || (program && config.processes > 1)
    ? { ...config, indexBytes: Math.floor(config.indexBytes / config.processes) }
    : config

/** Prepares further processes, or answers the process that has started this one. */
export const createProcesses = (run: ServerRun, metrics: Metrics | undefined): Processes => {
  const { log, joined } = run
  const report = async () => (await metrics?.registry.getMetricsAsJSON()) ?? []
  const findOwn = (filter: LineFilter) => ({
    process: PROCESS_NAME,
    lines: ringOf(log).find(filter),
  })
  joined?.answer(report, findOwn)
  const others = createOthers(run, { report, findLines: findOwn })
  const siblings = joined ?? others
  return {
    others,
    siblings,
    findLines: async (filter) =>
      together([findOwn(filter), ...((await siblings?.lines(filter)) ?? [])]),
  }
}

/** They stop after the requests of this process, and before what all of them use. */
const createOthers = (
  { config, program, joined, log, drainMs, onStop }: ServerRun,
  answers: Pick<Parameters<typeof createWebProcesses>[0], 'report' | 'findLines'>,
): WebProcesses | undefined => {
  const count = config.processes - 1
  if (!program || joined || count === 0) return undefined
  const others = createWebProcesses({ program, count, log, ...answers })
  onStop({
    name: 'web processes',
    timeoutMs: drainMs + WEB_PROCESSES_STOP_TIMEOUT_MS + DRAIN_MARGIN_MS,
    stop: () => others.ended(drainMs + WEB_PROCESSES_STOP_TIMEOUT_MS),
  })
  return others
}

/** The lines of several processes. */
const together = <Line>(found: readonly { process: string; lines: Line[] }[]) => ({
  lines: found.flatMap(({ lines }) => lines),
  processes: found.map(({ process }) => process),
})
