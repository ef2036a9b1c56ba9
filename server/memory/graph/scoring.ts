import pLimit from 'p-limit'
import type { Database } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { Pace } from '../../platform/request-rate.ts'
import { createBetweennessThread } from './betweenness-thread.ts'
import { loadNetwork, MAX_NODES } from './network.ts'
import {
  findGraphState,
  type GraphState,
  listOwnersToScore,
  readScoringStart,
  replaceScores,
} from './score-store.ts'

/** Minimal time between two computations in the background, which follow a change of links. */
const BACKGROUND_INTERVAL_MS = 60_000
/** Requested computations may be more frequent, up to this share of the time. */
const MAX_SHARE_OF_TIME = 1 / 5
const MAX_PAUSE_MS = 600_000
const SWEEP_SCHEDULE = '* * * * *'

export type Scoring = ReturnType<typeof startScoring>

interface ScoringDeps {
  database: Pick<Database, 'query' | 'transaction'>
  jobs: Pick<Jobs, 'work' | 'repeat' | 'send'>
  log: Log
  pace: Pace
  /** Whether this server computes scores; otherwise it requests that another one does. */
  isRunner: boolean
}

/** Computes the betweenness of memories in the background, one owner at a time. */
export const startScoring = ({ jobs, isRunner, ...deps }: ScoringDeps) => {
  const { query } = deps.database
  const { onLinksChanged, request, stop } = createSchedule(deps)

  /** Finds tasks that no server knows of: after a crash, or while the engine was disabled. */
  const sweep: JobKind<object> = {
    name: 'memory-graph-scores',
    retries: 0,
    keyOf: () => 'all',
    async run() {
      for (const ownerId of await listOwnersToScore(query)) onLinksChanged(ownerId)
    },
  }
  jobs.repeat(sweep, {}, SWEEP_SCHEDULE)

  /** Requests of servers that compute no scores. */
  const requestJob: JobKind<{ ownerId: string }> = {
    name: 'memory-graph-request',
    retries: 0,
    keyOf: ({ ownerId }) => ownerId,
    run: async ({ ownerId }) => request(ownerId, await findGraphState(query, ownerId)),
  }
  jobs.work(requestJob)

  return {
    /** Schedules a computation in the background. */
    onLinksChanged,

    /** Schedules a computation that a caller waits for. */
    request: async (ownerId: string, state: GraphState): Promise<void> =>
      isRunner ? request(ownerId, state) : jobs.send(requestJob, { ownerId }),
    stop,
  }
}

/** Decides when the scores of each owner are computed. */
const createSchedule = ({ database, log, pace }: Omit<ScoringDeps, 'jobs' | 'isRunner'>) => {
  const { query } = database
  const computation = createComputation(database, pace)
  let isStopping = false
  /** Owners whose graph was requested since it was last computed. */
  const requested = new Set<string>()

  const timers = createTimers(async (ownerId) => {
    try {
      const state = await findGraphState(query, ownerId)
      if (!state.isEnabled || isFresh(state)) return
      const due = nextTime(state, requested.has(ownerId))
      if (due > Date.now()) return timers.set(ownerId, due)
      requested.delete(ownerId)
      await computation.compute(ownerId)
    } catch (error) {
      if (!isStopping) log.warn({ error }, 'graph computation failed; the next sweep retries')
    }
  })

  const schedule = async (ownerId: string): Promise<void> => {
    const state = await findGraphState(query, ownerId)
    if (!isStopping) timers.set(ownerId, nextTime(state, false))
  }

  return {
    onLinksChanged(ownerId: string): void {
      if (isStopping || timers.has(ownerId)) return
      schedule(ownerId).catch((error) =>
        log.warn({ error }, 'graph computation was not scheduled; the next sweep retries'),
      )
    },

    request(ownerId: string, state: GraphState): void {
      if (isStopping) return
      requested.add(ownerId)
      timers.set(ownerId, nextTime(state, true))
    },

    async stop(): Promise<void> {
      isStopping = true
      computation.stop()
      await timers.stop()
    },
  }
}

const createComputation = (database: ScoringDeps['database'], pace: Pace) => {
  const { query } = database
  const thread = createBetweennessThread()
  return {
    async compute(ownerId: string): Promise<void> {
      const start = performance.now()
      const { readAt, revision } = await readScoringStart(query, ownerId)
      const { network, ids } = await loadNetwork(query, ownerId, pace)
      const { scores, isSampled } = await thread.compute(network)
      const positive = ids.flatMap((id, node): [string, number][] => {
        const score = scores[node] ?? 0
        return score > 0 ? [[id, score]] : []
      })
      await replaceScores(database, ownerId, {
        nodeCount: network.nodeCount,
        edgeCount: network.edgeCount,
        isSampled,
        durationMs: Math.round(performance.now() - start),
        readAt,
        revision,
        scores: new Map(positive),
      })
    },
    stop: thread.stop,
  }
}

/** The earliest time of the next computation, in milliseconds since the epoch. */
const nextTime = ({ graph }: GraphState, isRequested: boolean): number => {
  if (!graph) return Date.now()
  const pause = Math.min(graph.durationMs / MAX_SHARE_OF_TIME, MAX_PAUSE_MS)
  const interval = isRequested ? pause : Math.max(pause, BACKGROUND_INTERVAL_MS)
  return graph.computedAt.getTime() + interval
}

/** Whether the result covers all memories of the owner. */
export const isFresh = ({ graph, isPending, isOutdated, memoryCount }: GraphState): boolean =>
  !isPending && !isOutdated && (graph?.nodeCount ?? 0) === Math.min(memoryCount, MAX_NODES)

/** Calls `work` for owners at the times that were set, one owner at a time. */
const createTimers = (work: (ownerId: string) => Promise<void>) => {
  const limited = pLimit(1)
  const timers = new Map<string, { due: number; timer: NodeJS.Timeout }>()
  let current = Promise.resolve()

  const start = (ownerId: string): void => {
    limited(() => {
      // A later change needs a new timer, because `work` may miss it.
      timers.delete(ownerId)
      current = work(ownerId)
      return current
    })
  }

  return {
    has: (ownerId: string): boolean => timers.has(ownerId),

    /** @param due in milliseconds since the epoch; an earlier time that is already set is kept. */
    set(ownerId: string, due: number): void {
      const set = timers.get(ownerId)
      if (set && set.due <= due) return
      clearTimeout(set?.timer)
      const timer = setTimeout(start, Math.max(0, due - Date.now()), ownerId)
      timers.set(ownerId, { due, timer })
    },

    /** Resolves after the current work. */
    async stop(): Promise<void> {
      for (const { timer } of timers.values()) clearTimeout(timer)
      timers.clear()
      limited.clearQueue()
      await current
    },
  }
}
