import type { Config } from './config/config.ts'
import type { StartOptions } from './config/start-options.ts'
import { createLog, type Log } from './platform/log.ts'
import { type Duties, dutiesOf } from './platform/role.ts'
import { boundedStage, type ShutdownStage } from './platform/shutdown.ts'
import type { Joined, Program } from './platform/web-processes.ts'

/** Adds a stage of the stop. Stages run in the reverse of their order. */
export type OnStop = (stage: ShutdownStage) => void

/** One run of the server in this process, from its start to its stop. */
export interface ServerRun {
  config: Config
  log: Log
  /** Shows the operator a text that must not be logged. */
  notice(text: string): void
  /** The work of this process. */
  duties: Duties
  /** Starts further processes of this server; undefined if there are none. */
  program: Program | undefined
  /** The server that has started this process as a part of it. */
  joined: Joined | undefined
  /** How long requests are answered after the stop began. */
  drainMs: number
  /** Aborted when the stop begins. */
  stopping: AbortController
  /** Everything that is open, which a failed start closes. */
  opened: AsyncDisposableStack
  onStop: OnStop
}

export const createRun = (
  config: Config,
  { log = createLog(config.logLevel), notice = writeNotice, program, joined }: StartOptions,
  opened: AsyncDisposableStack,
): ServerRun => {
  // The first process of a server does the background work.
  const duties = { ...dutiesOf(config.role), ...(joined && { runsBackgroundWork: false }) }
  return {
    config,
    log,
    notice,
    duties,
    program,
    joined,
    drainMs: duties.servesApi ? config.drainSeconds * 1000 : 0,
    stopping: new AbortController(),
    opened,
    onStop: (stage) => opened.defer(boundedStage(log, stage)),
  }
}

const writeNotice = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
