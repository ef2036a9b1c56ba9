import { heapStats } from 'bun:jsc'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { createOpenStreams, respondWithEvents } from '../../server/platform/http/streams.ts'

setDefaultTimeout(60_000)

const BEATS = 500

/** The reactions to promises that are not settled yet. */
const countReactions = (): number => {
  Bun.gc(true)
  const { objectTypeCounts } = heapStats()
  return (objectTypeCounts.FullPromiseReaction ?? 0) + (objectTypeCounts.SlimPromiseReaction ?? 0)
}

test('an idle stream keeps nothing of its heartbeats', async () => {
  const ended = Promise.withResolvers<void>()
  const events = async function* () {
    yield { event: 'ready', data: {} }
    await ended.promise
  }
  const { body } = await respondWithEvents(events(), {
    part: Type.Object({ event: Type.String(), data: Type.Object({}) }),
    status: 200,
    streams: createOpenStreams(),
    abort() {},
    onError(error) {
      throw error
    },
    heartbeatMs: 0,
  })
  const reader = body?.getReader()
  const readBeats = async () => {
    for (let beat = 0; beat < BEATS; beat++) await reader?.read()
  }
  await readBeats()
  const before = countReactions()
  await readBeats()
  expect(countReactions() - before).toBeLessThan(BEATS / 10)
  ended.resolve()
  await reader?.cancel()
})
