import { setImmediate as turn } from 'node:timers/promises'
import type { Database, Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { holdOwner } from '../engines/store.ts'
import { betweennessOf } from './betweenness.ts'
import { loadNetwork, MAX_NODES } from './load.ts'
import { databaseTime, findStanding, replaceScores, type Standing } from './scores.ts'

/** An owner's graph is computed so seldom that this share of the time goes into it at most. */
const SHARE_OF_TIME = 1 / 5
const LONGEST_PAUSE_SECONDS = 600
const CONCURRENCY = 2
const RETRIES = 3
const POLL_SECONDS = 1
/** So long it computes at a time before others have their turn. */
const STRETCH_MS = 8

export type Scoring = Awaited<ReturnType<typeof startScoring>>

/** Computes the betweenness of owners' memories, as jobs. */
export const startScoring = async (database: Database, jobs: Jobs) => {
  const { query } = database
  let isStopping = false

  const compute = async (ownerId: string): Promise<void> => {
    const startedAt = performance.now()
    const readAt = await databaseTime(query)
    const { network, ids } = await loadNetwork(query, ownerId)
    const work = betweennessOf(network)
    let since = performance.now()
    let step = work.next()
    while (!step.done) {
      if (performance.now() - since > STRETCH_MS) {
        await turn()
        since = performance.now()
        if (isStopping) throw new Error('the server stops before a graph is computed')
      }
      step = work.next()
    }
    const { scores, isSampled } = step.value
    const between = ids.flatMap((id, node): [string, number][] => {
      const score = scores[node] ?? 0
      return score > 0 ? [[id, score]] : []
    })
    await replaceScores(database, ownerId, {
      nodeCount: network.nodeCount,
      edgeCount: network.edgeCount,
      isSampled,
      durationMs: Math.round(performance.now() - startedAt),
      readAt,
      scores: new Map(between),
    })
  }

  const kind: JobKind<{ ownerId: string }> = {
    name: 'memory-graph-scores',
    retries: RETRIES,
    keyOf: ({ ownerId }) => ownerId,
    concurrency: CONCURRENCY,
    pollSeconds: POLL_SECONDS,
    async run({ ownerId }) {
      const { isEnabled } = await findStanding(query, ownerId)
      if (isEnabled) await compute(ownerId)
    },
  }
  await jobs.work(kind)

  return {
    /** Has an owner's graph computed: at once where that is quick, or else some time after. */
    async request(ownerId: string, standing?: Standing): Promise<void> {
      const { graph } = standing ?? (await findStanding(query, ownerId))
      const pauseSeconds = Math.floor((graph?.durationMs ?? 0) / SHARE_OF_TIME / 1000)
      await jobs.send(
        kind,
        { ownerId },
        {
          afterSeconds: Math.min(pauseSeconds, LONGEST_PAUSE_SECONDS),
          provided: (tx) => holdOwner(tx, ownerId),
        },
      )
    },

    /** Takes back what is queued for an owner who is deleted, once their memories are gone. */
    erase: (tx: Db, ownerId: string): Promise<void> => jobs.forget(kind, { ownerId }, tx),

    /** Whether the result there is covers all that the owner has now. */
    isFresh: ({ graph, isPending, memoryCount }: Standing): boolean =>
      !isPending && (graph?.nodeCount ?? 0) === Math.min(memoryCount, MAX_NODES),

    stop(): void {
      isStopping = true
    },
  }
}
