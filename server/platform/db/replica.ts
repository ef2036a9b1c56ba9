import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { isDisconnect, runShared } from '../request-scope.ts'
import type { Query, ReplicaReport, ReplicaState } from './database.ts'
import {
  createLink,
  type InspectedServer,
  isStatementError,
  type OpenReplica,
  type Origin,
  type ReplicaLink,
  readPrimary,
  sharing,
} from './replica-link.ts'

export type Replica = ReturnType<typeof openReplica>

interface ReplicaOptions {
  /** Runs a statement on the primary. */
  primary: Query
  open: OpenReplica
  log: Log
}

/** How often a replica that is not in use is examined. */
const PROBE_MS = 500

/** Connects to a replica in the background, and uses it while it follows the primary. */
export const openReplica = ({ primary, open, log }: ReplicaOptions) => {
  let link: ReplicaLink | undefined
  let state: ReplicaState = 'unreachable'
  let probing: Promise<void> | undefined
  const closing = new AbortController()
  const readPosition = sharing(() => runShared(() => readPrimary(primary)))

  const become = (next: ReplicaState, error?: unknown) => {
    if (next === state) return
    state = next
    if (next === 'in use') log.info('the read replica is in use')
    else log.warn({ state, error }, 'the primary answers instead of the read replica')
  }

  const probe = async () => {
    const probed = link ?? createLink(open)
    try {
      const origin = await readPosition()
      const found = await probed.inspect()
      const mismatch = mismatchOf(found, origin.system)
      if (mismatch) return await drop(probed, mismatch)
      link = probed
      const isCurrent = await probed.replays(origin)
      // A statement may have failed meanwhile.
      if (link === probed) become(isCurrent ? 'in use' : 'behind')
    } catch (error) {
      await drop(probed, 'unreachable', error)
    }
  }

  const probeUntilInUse = async () => {
    for (;;) {
      await probe()
      if (state === 'in use' || closing.signal.aborted) return
      await sleep(PROBE_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  const leave = (next: ReplicaState, error?: unknown) => {
    become(next, error)
    probing ??= probeUntilInUse().finally(() => {
      probing = undefined
      // It may have become so after the last probe.
      if (state !== 'in use' && !closing.signal.aborted) leave(state)
    })
  }

  const drop = async (dropped: ReplicaLink, next: ReplicaState, error?: unknown) => {
    if (link === dropped || !link) {
      link = undefined
      become(next, error)
    }
    await dropped.close()
  }

  /** An error that is not one of the statement only ends the use of the replica. */
  const onError = (failed: ReplicaLink, error: unknown) => {
    if (failed !== link || isDisconnect(error)) return
    if (isStatementError(error))
      return log.warn({ error }, 'a statement failed on the read replica')
    void drop(failed, 'unreachable', error)
    leave('unreachable', error)
  }

  /** Asks the replica in use, and stops using it if it fails. */
  const examine = async (
    examined: ReplicaLink,
    origin: Origin,
  ): Promise<InspectedServer | undefined> => {
    try {
      const found = await examined.inspect()
      const mismatch = mismatchOf(found, origin.system)
      const isCurrent = !mismatch && (await examined.replays(origin))
      if (examined !== link) return undefined
      if (state === 'in use' && !isCurrent) leave(mismatch ?? 'behind')
      return found
    } catch (error) {
      onError(examined, error)
      return undefined
    }
  }

  leave('unreachable')
  return {
    /**
     * Runs statements on the replica if it has, now or some milliseconds later, all commits that have been
     * acknowledged; undefined if it has not. A statement fails if that may not hold any more.
     */
    async current(): Promise<Query | undefined> {
      const chosen = link
      if (!chosen || state !== 'in use') return undefined
      const query = observe(chosen.statements(), (error) => onError(chosen, error))
      // Where the primary does not answer, the read itself fails.
      const position = await readPosition().catch(() => undefined)
      if (!position) return undefined
      try {
        if (await chosen.replays(position)) return query
        if (chosen === link) leave('behind')
      } catch (error) {
        onError(chosen, error)
      }
      return undefined
    },
    async report(): Promise<ReplicaReport> {
      const position = await readPosition()
      const chosen = link
      // Without a recall nothing else would notice that the replica is gone.
      const found = chosen && (await examine(chosen, position))
      return { state, ...(found && lagOf(found, position.bytes)) }
    },
    async close(): Promise<void> {
      closing.abort()
      await probing
      await link?.close()
    },
  }
}

const observe =
  (query: Query, onError: (error: unknown) => void): Query =>
  <T>(text: string, params: unknown[]) =>
    query<T>(text, params).catch((error) => {
      onError(error)
      throw error
    })

const lagOf = (found: InspectedServer, bytesOfPrimary: number): Omit<ReplicaReport, 'state'> => {
  if (found.bytes === undefined) return {}
  const lagBytes = Math.max(0, bytesOfPrimary - found.bytes)
  return { lagBytes, lagSeconds: lagBytes ? found.lagSeconds : 0 }
}

/** Why a server cannot be read in place of the primary; undefined for its replica. */
const mismatchOf = (
  { bytes, system, isPooled }: InspectedServer,
  systemOfPrimary: string,
): ReplicaState | undefined => {
  if (isPooled) return 'a connection pooler'
  if (bytes === undefined) return 'not a replica'
  return system === systemOfPrimary ? undefined : 'a replica of another database'
}
