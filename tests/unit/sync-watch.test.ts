import { expect, onTestFinished, test } from 'bun:test'
import type { watch } from 'node:fs'
import { createTrigger } from '../../cli/sync/trigger.ts'
import { watchFiles } from '../../cli/sync/watch.ts'

const never = new AbortController().signal

test('a trigger waits until no file was saved for a moment', async () => {
  const trigger = createTrigger({ settleMs: 1, quietMs: 1_500, maxWaitMs: 60_000 })
  let saves = 0
  const timer = setInterval(() => {
    if (++saves === 10) clearInterval(timer)
    trigger.setSaved()
  }, 20)
  onTestFinished(() => clearInterval(timer))
  await trigger.wait(60_000, never)
  expect(saves).toBe(10)
})

test('a trigger does not wait for a folder that is never quiet', async () => {
  const trigger = createTrigger({ settleMs: 1, quietMs: 60_000, maxWaitMs: 10 })
  trigger.setSaved()
  await trigger.wait(60_000, never)
})

test('a change that arrives before the wait ends it, and so does an aborted signal', async () => {
  const trigger = createTrigger({ settleMs: 1 })
  trigger.set()
  await trigger.wait(60_000, never)
  const end = new AbortController()
  const waited = trigger.wait(60_000, end.signal)
  end.abort()
  await waited
})

test('a folder that cannot be watched is looked at in intervals', async () => {
  const start = (() => {
    throw new Error('ENOSPC')
  }) as unknown as typeof watch
  const changed = Promise.withResolvers<void>()
  using _ = watchFiles('/nonexistent', { set: changed.resolve, setSaved: () => {} }, start)
  await changed.promise
})
