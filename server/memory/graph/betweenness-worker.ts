/** Entry of the thread that computes betweenness; the parent ends it. */
import { constants, setPriority } from 'node:os'
import { runSteps } from '../../platform/event-loop.ts'
import { type Betweenness, betweennessOf } from './betweenness.ts'
import type { Network } from './network.ts'

declare const self: Worker

// On Linux the priority applies to this thread only: requests and the database go first.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW)

self.onmessage = ({ data }: MessageEvent<Network>) => {
  const result: Betweenness = runSteps(betweennessOf(data))
  self.postMessage(result)
}
