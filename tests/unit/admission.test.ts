import { expect, test } from 'bun:test'
import { budgets } from '../../server/platform/budgets.ts'
import { createAdmission } from '../../server/platform/http/admission.ts'
import { runElsewhere, runRequest } from '../../server/platform/request-scope.ts'

const PLACES = 8
const from = (account: string) =>
  new Request('http://svc.test', { headers: { authorization: account } })

/** A request that runs until it is released. */
const begin = (
  admission: ReturnType<typeof createAdmission>,
  queue: Parameters<typeof admission.run>[0],
  account: string,
  signal?: AbortSignal,
) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const request = signal ? new Request(from(account), { signal }) : from(account)
  const begun = { hasRun: false, release: resolve, done: Promise.resolve() }
  begun.done = admission.run(queue, request, () => {
    begun.hasRun = true
    return promise
  })
  begun.done.catch(() => {})
  return begun
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

test('an account leaves places to others, and each kind of request leaves some to reads', () => {
  const admission = createAdmission({ places: PLACES })
  const running = (requests: { hasRun: boolean }[]) =>
    requests.filter(({ hasRun }) => hasRun).length
  const first = times(PLACES, () => begin(admission, 'write', 'first'))
  expect(running(first)).toBe(3)
  const others = times(PLACES, (index) => begin(admission, 'search', `other ${index}`))
  expect(running(others)).toBe(3)
  const reads = times(PLACES, (index) => begin(admission, 'read', `reader ${index}`))
  expect(running(reads)).toBe(2)
  expect(begin(admission, 'none', 'anyone').hasRun).toBe(true)
})

test('a free place goes to the kind whose requests have taken the least time', async () => {
  const admission = createAdmission({ places: 1 })
  const blocking = begin(admission, 'read', 'blocking')
  const reads = times(3, (index) => begin(admission, 'read', `${index}`))
  const search = begin(admission, 'search', 'later')
  blocking.release()
  await Bun.sleep(0)
  expect([search.hasRun, ...reads.map(({ hasRun }) => hasRun)]).toEqual([true, false, false, false])
})

test('a request whose client disconnects while it waits is not run', async () => {
  const admission = createAdmission({ places: 1 })
  const blocking = begin(admission, 'read', 'blocking')
  const client = new AbortController()
  const left = begin(admission, 'read', 'left', client.signal)
  const stayed = begin(admission, 'read', 'stayed')
  client.abort()
  await expect(left.done).rejects.toMatchObject({ status: 499 })
  blocking.release()
  stayed.release()
  await stayed.done
  expect(left.hasRun).toBe(false)
})

test('background work waits while requests are refused, until the others are answered', async () => {
  const admission = createAdmission({ places: 1 })
  await admission.untilCalm()
  const blocking = begin(admission, 'read', 'blocking')
  const waiting = times(budgets.waitingRequests.count + 1, (index) =>
    begin(admission, 'read', `${index}`),
  )
  const [oldest, ...others] = waiting
  await expect(oldest?.done).rejects.toMatchObject({
    status: 503,
    reason: 'overloaded',
    headers: { 'retry-after': '2' },
  })
  let isCalm = false
  const calm = admission.untilCalm().then(() => {
    isCalm = true
  })
  await Bun.sleep(0)
  expect(isCalm).toBe(false)
  for (const { release } of [blocking, ...others]) release()
  await calm
  expect(Object.fromEntries(admission.report()).read).toMatchObject({ refused: 1 })
})

test('a request that waits for something elsewhere lets another one run, and does not wait to go on', async () => {
  const admission = createAdmission({ places: 1 })
  const elsewhere = Promise.withResolvers<void>()
  const events: string[] = []
  const first = admission.run('read', from('first'), async (place) => {
    const scope = { client: new AbortController(), isRead: true, place }
    await runRequest(scope, () => runElsewhere(() => elsewhere.promise))
    events.push('first')
  })
  const second = begin(admission, 'read', 'second')
  expect(second.hasRun).toBe(true)
  elsewhere.resolve()
  await first
  expect(events).toEqual(['first'])
  const third = begin(admission, 'read', 'third')
  expect(third.hasRun).toBe(false)
  second.release()
  third.release()
  await third.done
})
