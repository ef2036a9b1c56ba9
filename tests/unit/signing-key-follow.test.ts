import { expect, test } from 'bun:test'
import { createFollowing } from '../../server/account/access/signing-keys/follow.ts'

const silent = { warn: () => {} }

/** Lets the first `failures` attempts to listen fail. */
const startListening = (failures: number) => {
  const listens = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  const refreshed = Promise.withResolvers<void>()
  const state = { attempts: 0, isOpen: false }
  const listen = async (_: string, onNotice: () => void): Promise<AsyncDisposable> => {
    state.attempts++
    if (state.attempts <= failures) {
      failed.resolve()
      throw new Error('the database is down')
    }
    state.isOpen = true
    onNotice()
    listens.resolve()
    return {
      [Symbol.asyncDispose]: async () => {
        state.isOpen = false
      },
    }
  }
  const refresh = async () => refreshed.resolve()
  return { state, listen, refresh, events: { listens, failed, refreshed } }
}

test('the keys are followed although the first attempts to listen fail', async () => {
  const { state, listen, refresh, events } = startListening(2)
  const following = createFollowing({ listen }, silent, refresh, 1)
  following.begin()
  await Promise.all([events.listens.promise, events.refreshed.promise])
  expect(state).toEqual({ attempts: 3, isOpen: true })
  await following.close()
  expect(state).toEqual({ attempts: 3, isOpen: false })
})

test('closing ends the wait for the next attempt to listen', async () => {
  const { state, listen, refresh, events } = startListening(Number.POSITIVE_INFINITY)
  const following = createFollowing({ listen }, silent, refresh, 2 ** 30)
  following.begin()
  await events.failed.promise
  await following.close()
  expect(state).toEqual({ attempts: 1, isOpen: false })
})
