import { runSteps } from '../../platform/event-loop.ts'
import { entryFile } from '../../platform/files.ts'
import { type Betweenness, betweennessOf } from './betweenness.ts'
import type { Network } from './network.ts'

/** Computing a network of this size takes less time than sending it to a thread. */
const SMALL_NODES = 100
/** An idle thread ends after this time, to free its memory. */
const IDLE_MS = 10_000

/** Computes betweenness in a worker thread. Calls must not overlap. */
export const createBetweennessThread = () => {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let abort: ((reason: Error) => void) | undefined

  const end = (): void => {
    worker?.terminate()
    worker = undefined
  }

  return {
    async compute(network: Network): Promise<Betweenness> {
      if (network.nodeCount <= SMALL_NODES) return runSteps(betweennessOf(network))
      clearTimeout(idle)
      worker ??= new Worker(entryFile('server/memory/graph/betweenness-worker.ts'))
      const { promise, resolve, reject } = Promise.withResolvers<Betweenness>()
      abort = reject
      worker.onmessage = ({ data }: MessageEvent<Betweenness>) => resolve(data)
      worker.onerror = ({ message }) => reject(new Error(message))
      worker.postMessage(network)
      try {
        return await promise
      } catch (error) {
        end()
        throw error
      } finally {
        abort = undefined
        idle = setTimeout(end, IDLE_MS)
      }
    },

    /** Rejects the current call. */
    stop(): void {
      abort?.(new Error('the server is stopping'))
      clearTimeout(idle)
      end()
    },
  }
}
