import { describe, expect, test } from 'bun:test'
import { createRequestQueue } from '../../server/platform/http/request-queue.ts'

const PATIENCE_MS = 2_000
const MAX_SIZE = 1_000
const STEP_MS = 10

interface Load {
  /** Requests that come and that can be answered in each step of 10 ms, at a time in milliseconds. */
  arrivals(at: number): number
  capacity(at: number): number
  ms: number
}

/** Runs a queue under a load. @returns how long the answered requests waited, by the time they left, and the refused. */
const run = ({ arrivals, capacity, ms }: Load) => {
  const queue = createRequestQueue(PATIENCE_MS)
  const answered: { at: number; waited: number }[] = []
  let refused = 0
  let due = 0
  let room = 0
  const waiter = (since: number) => ({ account: '', since, admit() {}, refuse() {} })
  for (let at = 0; at < ms; at += STEP_MS) {
    for (due += arrivals(at); due >= 1; due--) queue.add(waiter(at))
    for (room += capacity(at); room >= 1; room--) {
      const taken = queue.take(() => true, at)
      if (taken) answered.push({ at, waited: at - taken.since })
      else room = 1
    }
    refused += queue.removeLate(at, MAX_SIZE).length
  }
  return { answered, refused, queue }
}

describe('a queue of requests', () => {
  test('a queue at less than its capacity refuses none, and is first in, first out', () => {
    const queue = createRequestQueue(PATIENCE_MS)
    const waiters = [0, 1, 2].map((since) => ({ account: '', since, admit() {}, refuse() {} }))
    for (const waiter of waiters) queue.add(waiter)
    expect(waiters.map(() => queue.take(() => true, 5))).toEqual(waiters)
    const { refused } = run({ arrivals: () => 0.9, capacity: () => 1, ms: 60_000 })
    expect(refused).toBe(0)
  })

  test.each([50, 80, 90])(
    'a stall of half a second at %i percent of the capacity refuses none',
    (load) => {
      const { answered, refused, queue } = run({
        arrivals: () => load / 100,
        capacity: (at) => (at >= 1_000 && at < 1_500 ? 0 : 1),
        ms: 20_000,
      })
      expect([refused, queue.isSaturated(20_000)]).toEqual([0, false])
      // No request waits for longer than the stall.
      expect(Math.max(...answered.map(({ waited }) => waited))).toBeLessThanOrEqual(500)
    },
  )

  test('a burst that is answered within the patience refuses none', () => {
    const { answered, refused } = run({
      arrivals: (at) => (at === 0 ? 190 : 0),
      capacity: () => 1,
      ms: 10_000,
    })
    expect([answered.length, refused]).toEqual([190, 0])
  })

  test.each([2, 4])(
    'at %i times the capacity nine of ten answers are in time, and the queue is bounded',
    (factor) => {
      const { answered, refused, queue } = run({
        arrivals: () => factor,
        capacity: () => 1,
        ms: 10_000,
      })
      const inTime = answered.filter(({ waited }) => waited <= 250)
      expect(inTime.length).toBeGreaterThan(900)
      expect(refused).toBeGreaterThan(0)
      expect(queue.oldestWait(10_000)).toBeLessThanOrEqual(PATIENCE_MS / 8 + STEP_MS)
    },
  )

  test('under an uneven load beyond the capacity three of four answers are in time', () => {
    const { answered } = run({
      arrivals: (at) => (at % 1_000 < 700 ? 1.6 : 0.2),
      capacity: () => 1,
      ms: 20_000,
    })
    expect(answered.filter(({ waited }) => waited <= 250).length).toBeGreaterThan(1_500)
  })

  test('after an overload the answers are in time again within half a second', () => {
    const { answered, queue } = run({
      arrivals: (at) => (at < 5_000 ? 3 : 0.5),
      capacity: () => 1,
      ms: 10_000,
    })
    const late = answered.filter(({ at, waited }) => at > 5_500 && waited > 250)
    expect([late, queue.isSaturated(10_000)]).toEqual([[], false])
  })

  test('without any answer, requests are refused when their patience ends, and then earlier', () => {
    const queue = createRequestQueue(PATIENCE_MS)
    const add = (since: number) => queue.add({ account: '', since, admit() {}, refuse() {} })
    add(0)
    add(1_900)
    expect(queue.removeLate(1_999, MAX_SIZE)).toEqual([])
    expect(queue.removeLate(2_000, MAX_SIZE)).toMatchObject([{ since: 0 }])
    expect(queue.removeLate(2_149, MAX_SIZE)).toEqual([])
    expect(queue.removeLate(2_150, MAX_SIZE)).toMatchObject([{ since: 1_900 }])
    expect(queue.isRefusing(2_150 + PATIENCE_MS / 4)).toBe(false)
  })

  test('a full queue refuses its oldest requests', () => {
    const queue = createRequestQueue(PATIENCE_MS)
    for (const since of [0, 1, 2]) queue.add({ account: '', since, admit() {}, refuse() {} })
    expect(queue.removeLate(3, 2)).toMatchObject([{ since: 0 }])
    expect(queue.size).toBe(2)
  })
})
