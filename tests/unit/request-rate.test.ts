import { describe, expect, test } from 'bun:test'
import { createRequestRate, pauseAfter } from '../../server/platform/request-rate.ts'

describe('the activity of a server', () => {
  test('the activity of a server is the number of requests in about the last second, without earlier ones', () => {
    let now = 10_000
    const activity = createRequestRate(
      async () => {},
      () => now,
    )
    expect(activity.perSecond()).toBe(0)
    for (let i = 0; i < 30; i++) activity.countRequest()
    expect(activity.perSecond()).toBe(30)
    now = 11_100
    activity.countRequest()
    expect(activity.perSecond()).toBe(30)
    now = 12_100
    expect(activity.perSecond()).toBe(1)
    now = 20_000
    expect(activity.perSecond()).toBe(0)
  })
})

describe('the pause after a step of background work', () => {
  const share = 0.2

  test('the pause after a step of background work is zero on an idle server', () => {
    expect(pauseAfter(100, 0, share)).toBe(0)
  })

  test('the pause after a step of background work grows with the rate of requests, until the step has its least share of the time', () => {
    expect(pauseAfter(100, 5, share)).toBe(100)
    expect(pauseAfter(100, 20, share)).toBe(400)
    expect(pauseAfter(100, 2_000, share)).toBe(400)
  })

  test('the pause after a step of background work is bounded for a slow step', () => {
    expect(pauseAfter(60_000, 20, share)).toBe(2_000)
  })
})
