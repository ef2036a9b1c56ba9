import { expect, test } from 'bun:test'
import { wallClock } from '../../server/platform/timezone.ts'
import { remember } from '../../shared/contract/index.ts'
import { factsOf } from '../harness/facts.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const DAY_MS = 24 * 60 * 60 * 1000
/** Fourteen hours before UTC and twelve after it: their days differ from each other at any time. */
const EAST = 'Pacific/Kiritimati'
const WEST = 'Etc/GMT+12'

/** An hour of a day in a user's time zone, so many days ago. */
const at = (timezone: string, daysAgo: number, hour: number): string => {
  const now = new Date()
  const wall = wallClock(now, timezone)
  const offset = wall.getTime() - now.getTime()
  const midnight = Math.floor(wall.getTime() / DAY_MS) * DAY_MS
  return new Date(midnight - daysAgo * DAY_MS + hour * 60 * 60 * 1000 - offset).toISOString()
}

const datedIn = async (key: string, timezone: string, query: string) => {
  const { body } = await request(server.current, 'POST', '/api/recall', {
    token: key,
    headers: { 'X-Timezone': timezone },
    body: { query, explain: true },
  })
  const { memories } = body as {
    memories: { content_text: string; explanation: { date: number } }[]
  }
  return memories.filter((m) => m.explanation.date > 1).map((m) => m.content_text)
}

test.each([EAST, WEST])(
  'an early-morning message belongs to the user’s day in %s',
  async (zone) => {
    const { client, key } = await newUser(server.current)
    const write = (content: string, occurred_at: string) =>
      client.call(remember, { body: { content, occurred_at } })
    await write('Swam before dawn.', at(zone, 1, 1))
    await write('Swam late in the evening.', at(zone, 1, 23))
    await write('Swam the night before.', at(zone, 2, 23))
    await write('Swam today.', at(zone, 0, 0))
    const found = await datedIn(key, zone, 'When did I swim yesterday?')
    expect(found.toSorted()).toEqual(['Swam before dawn.', 'Swam late in the evening.'])
  },
)

test('last week ends with the week of the user’s time zone', async () => {
  const { client, key } = await newUser(server.current)
  const weekday = (wallClock(new Date(), EAST).getUTCDay() + 6) % 7
  const write = (content: string, daysAgo: number, hour: number) =>
    client.call(remember, { body: { content, occurred_at: at(EAST, daysAgo, hour) } })
  await write('Ran on the first morning.', weekday + 7, 1)
  await write('Ran on the last evening.', weekday + 1, 23)
  await write('Ran in the week before.', weekday + 8, 23)
  await write('Ran this week.', weekday, 0)
  const found = await datedIn(key, EAST, 'When did I run last week?')
  expect(found.toSorted()).toEqual(['Ran on the first morning.', 'Ran on the last evening.'])
})

test.each([
  ['What did I paint before my exam?', ['The harbour, painted in spring.']],
  ['What have I painted since my exam?', ['The castle, painted in summer.']],
  ['What did I paint on my birthday?', ['The castle, painted in summer.']],
  ['What did I paint before Ana’s wedding in the town?', ['The harbour, painted in spring.']],
  ['What did I paint before my graduation?', []],
])('a date may be known from a fact: %s', async (question, expected) => {
  const { client, key } = await newUser(server.current)
  const write = (content: string, occurred_at: string) =>
    client.call(remember, { body: { content, occurred_at } })
  const notes = [
    await write('My exam is on 3 June 2024.', '2024-05-20T10:00:00Z'),
    await write('My birthday is on 9 July.', '2024-05-20T10:00:00Z'),
    await write('Ana’s wedding is on 2 June 2024.', '2024-05-20T10:00:00Z'),
  ]
  for (const { memory_id } of notes) await factsOf(client, memory_id)
  await write('The harbour, painted in spring.', '2024-04-02T10:00:00Z')
  await write('The castle, painted in summer.', '2024-07-09T10:00:00Z')
  const found = await datedIn(key, 'UTC', question)
  expect(found.filter((content) => content.includes('painted'))).toEqual(expected)
})
