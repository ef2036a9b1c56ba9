import { expect, test } from 'bun:test'
import { createBreaker } from '../../server/platform/models/breaker.ts'

const settings = { failures: 3, windowMs: 1_000, coolDownMs: 100, maxCoolDownMs: 300 }

const setUp = () => {
  let time = 0
  const changes: string[] = []
  const breaker = createBreaker(
    settings,
    (state) => changes.push(state),
    () => time,
  )
  const fail = () => breaker.enter()?.failed()
  return {
    breaker,
    changes,
    fail,
    pass: (ms: number) => {
      time += ms
    },
  }
}

test('failures count within their window only', () => {
  const { breaker, fail, pass } = setUp()
  fail()
  fail()
  pass(1_000)
  fail()
  expect(breaker.state).toBe('closed')
  fail()
  fail()
  expect(breaker.state).toBe('open')
  expect(breaker.enter()).toBeUndefined()
})

test('each failed trial doubles the time until the next, up to a maximum; a successful trial closes the breaker', () => {
  const { breaker, changes, fail, pass } = setUp()
  for (let time = 0; time < 3; time++) fail()
  for (const coolDownMs of [100, 200, 300, 300]) {
    pass(coolDownMs - 1)
    expect(breaker.enter()).toBeUndefined()
    pass(1)
    expect(breaker.state).toBe('half_open')
    fail()
    expect(breaker.state).toBe('open')
  }
  pass(300)
  breaker.enter()?.answered()
  expect(breaker.state).toBe('closed')
  expect(changes).toEqual(['open', 'open', 'open', 'open', 'open', 'closed'])
  for (let time = 0; time < 3; time++) fail()
  pass(100)
  expect(breaker.state).toBe('half_open')
})

test('a call from before the breaker opened has no effect if it fails, and closes it if it succeeds', () => {
  const { breaker, fail } = setUp()
  const early = breaker.enter()
  const another = breaker.enter()
  for (let time = 0; time < 3; time++) fail()
  early?.failed()
  expect(breaker.state).toBe('open')
  another?.succeeded()
  expect(breaker.state).toBe('closed')
})

test('a trial whose answer breaks off counts as one failure', () => {
  const { breaker, fail, pass } = setUp()
  for (let time = 0; time < 3; time++) fail()
  pass(100)
  const trial = breaker.enter()
  expect(breaker.enter()).toBeUndefined()
  trial?.answered()
  trial?.failed()
  trial?.ended()
  expect(breaker.state).toBe('closed')
  fail()
  fail()
  expect(breaker.state).toBe('open')
})
