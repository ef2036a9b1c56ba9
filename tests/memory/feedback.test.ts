import { expect, test } from 'bun:test'
import {
  addFeedback,
  deleteMemory,
  getActivity,
  listActivity,
  listFeedback,
  MAX_MARKS_PER_MEMORY,
  recall,
  rememberBatch,
  removeFeedback,
} from '../../shared/contract/index.ts'
import { createOrgClient } from '../account/organization-support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import {
  newUser,
  PASSWORD,
  request,
  type TestServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'

const server = useServer()

const NOTES = [
  'Ada drinks green tea.',
  'Ada drank all of the paint water in 2019.',
  'Ben drinks coffee.',
]

/** A user with notes, by their texts. */
const withNotes = async (of: TestServer = server.current) => {
  const user = await newUser(of)
  const { memories } = await user.client.call(rememberBatch, {
    body: { memories: NOTES.map((content) => ({ content })) },
  })
  const [tea = '', paint = ''] = memories.map(({ memory_id }) => memory_id)
  return { user, tea, paint }
}

const recalled = ({ client }: Pick<TestUser, 'client'>, query: string, limit = 10) =>
  client.call(recall, { body: { query, limit, explain: true } })

const rank = async (user: Pick<TestUser, 'client'>, query: string, limit?: number) =>
  (await recalled(user, query, limit)).memories.map(({ memory_id }) => memory_id)

const mark = ({ client }: Pick<TestUser, 'client'>, memory_id: string, question: string) =>
  client.call(addFeedback, { params: { memory_id }, body: { question } })

const factorOf = async (user: Pick<TestUser, 'client'>, query: string, id: string) => {
  const { memories } = await recalled(user, query)
  const found = memories.find(({ memory_id }) => memory_id === id)
  if (!found?.explanation) throw new Error('The memory was not recalled')
  const { feedback, ...parts } = found.explanation
  const { words, coverage, semantic, time, fact, ...factors } = parts
  const product = Object.values(factors).reduce((all, factor) => all * factor, 1)
  const sum = words * coverage + semantic + time + fact
  expect(found.score).toBeCloseTo(sum * product * feedback)
  return feedback
}

test('a marked memory scores less for this question and for similar ones, and no other', async () => {
  const { user, paint, tea } = await withNotes()
  const question = 'What does Ada drink?'
  expect((await rank(user, question)).slice(0, 2).toSorted()).toEqual([tea, paint].toSorted())
  expect(await factorOf(user, question, paint)).toBe(1)

  await mark(user, paint, question)
  expect(await factorOf(user, question, paint)).toBeCloseTo(0.1)
  expect(await factorOf(user, 'what did ada DRINK', paint)).toBeCloseTo(0.1)
  expect(await factorOf(user, question, tea)).toBe(1)
  const similar = await factorOf(user, 'What does Ada like to drink?', paint)
  expect(similar).toBeGreaterThan(0.1)
  expect(similar).toBeLessThan(1)
  expect(await factorOf(user, 'Which water was it in 2019?', paint)).toBe(1)
  expect(await rank(user, question, 1)).toEqual([tea])
})

test('its place goes to a memory after the limit, and it is found again without the mark', async () => {
  const { user, paint, tea } = await withNotes()
  const question = 'Has Ada drunk paint water?'
  expect((await rank(user, question)).slice(0, 2)).toEqual([paint, tea])
  const { feedback_id } = await mark(user, paint, question)
  expect(await rank(user, question, 1)).toEqual([tea])
  const { score } = (await recalled(user, question)).memories.find(
    ({ memory_id }) => memory_id === paint,
  ) ?? { score: 0 }
  await user.client.call(removeFeedback, { params: { memory_id: paint, feedback_id } })
  const again = await recalled(user, question, 1)
  expect(again.memories[0]?.memory_id).toBe(paint)
  expect(again.memories[0]?.score).toBeCloseTo(score * 10)
})
test('the same mark is one; marks are listed newest first', async () => {
  const { user, tea } = await withNotes()
  const first = await mark(user, tea, 'Who paints?')
  expect((await mark(user, tea, 'Who paints?')).feedback_id).toBe(first.feedback_id)
  await mark(user, tea, 'Who cooks?')
  const { feedback } = await user.client.call(listFeedback, { params: { memory_id: tea } })
  expect(feedback.map(({ question }) => question)).toEqual(['Who cooks?', 'Who paints?'])
  expect(feedback[1]).toEqual(first)
})

test('a memory keeps its newest marks, also of requests at once', async () => {
  const { user, tea } = await withNotes()
  const numbers = Array.from({ length: MAX_MARKS_PER_MEMORY + 5 }, (_, i) => i)
  for (const part of [numbers.slice(0, 50), numbers.slice(50)])
    await Promise.all(part.map((i) => mark(user, tea, `Question ${i}?`)))
  await mark(user, tea, 'The last question?')
  const { feedback } = await user.client.call(listFeedback, { params: { memory_id: tea } })
  expect(feedback).toHaveLength(MAX_MARKS_PER_MEMORY)
  expect(feedback[0]?.question).toBe('The last question?')
})

test('long questions, those of stop words alone and those with a credential are kept shortened', async () => {
  const { user, tea } = await withNotes()
  const long = await mark(user, tea, `tea ${'?'.repeat(31_000)}`)
  expect(long.question).toHaveLength(2_000)
  await mark(user, tea, 'The Who')
  await mark(user, tea, 'who?')
  expect(await factorOf(user, 'tea who?', tea)).toBe(1)
  const secret = await mark(user, tea, 'is ghp_0123456789abcdefghijABCDEFGHIJ012345 tea?')
  expect(secret.question).not.toContain('ghp_0123456789')
  for (const question of ['', ' ', 'x'.repeat(32_001), null, 5])
    expect(
      (
        await request(server.current, 'POST', `/api/memories/${tea}/feedback`, {
          token: user.key,
          body: { question },
        })
      ).status,
    ).toBe(422)
})

test('memories of others, deleted ones and unknown marks are not found', async () => {
  const { user, tea } = await withNotes()
  const other = await newUser(server.current)
  const { feedback_id } = await mark(user, tea, 'Who paints?')
  const call = async (as: TestUser, method: string, path: string, body?: object) =>
    (
      await request(server.current, method, `/api/memories/${path}`, {
        token: as.key,
        ...(body && { body }),
      })
    ).status
  expect(await call(other, 'GET', `${tea}/feedback`)).toBe(404)
  expect(await call(other, 'POST', `${tea}/feedback`, { question: 'x' })).toBe(404)
  expect(await call(other, 'DELETE', `${tea}/feedback/${feedback_id}`)).toBe(404)
  expect(await call(user, 'DELETE', `${tea}/feedback/${tea}`)).toBe(404)
  await user.client.call(deleteMemory, { params: { memory_id: tea } })
  expect(await call(user, 'POST', `${tea}/feedback`, { question: 'x' })).toBe(404)
  expect(await call(user, 'DELETE', `${tea}?permanent=true`)).toBe(204)
  const rows = await runSql(
    server.current.database,
    `select from memory_feedback where memory_id = '${tea}'`,
  )
  expect(rows).toHaveLength(0)
})

test('an event shows which of its memories are marked for its question', async () => {
  const { user, paint } = await withNotes()
  const question = 'What does Ada drink?'
  await recalled(user, question)
  const event = await eventually(async () => {
    const { events } = await user.client.call(listActivity, { query: { kind: 'recall' } })
    return events[0]
  })
  const marked = async () => {
    const { memories } = await user.client.call(getActivity, { params: { event_id: event.id } })
    return memories.flatMap(({ memory_id, feedback_id }) =>
      feedback_id ? [{ memory_id, feedback_id }] : [],
    )
  }
  expect(await marked()).toEqual([])
  await mark(user, paint, 'Another question?')
  const { feedback_id } = await mark(user, paint, question)
  expect(await marked()).toEqual([{ memory_id: paint, feedback_id }])
})

test('in an organization marks count for all, and only their author sees the question', async () => {
  const organizations = createOrgClient(server)
  const owner = await newVerifiedUser(server.current)
  const org = await organizations.createOrg(owner)
  const member = await organizations.join(owner, org)
  const call = async (as: TestUser, method: string, path: string, body?: object) =>
    (
      await request(server.current, method, `/api/${path}`, {
        token: as.accessToken,
        headers: { 'x-org-id': org.id },
        ...(body && { body }),
      })
    ).body
  const question = 'What does Ada drink?'
  const { memory_id } = await call(owner, 'POST', 'remember', { content: 'Ada drank paint water.' })
  await call(owner, 'POST', `memories/${memory_id}/feedback`, { question })
  const { feedback } = await call(member, 'GET', `memories/${memory_id}/feedback`)
  expect(feedback).toEqual([expect.objectContaining({ memory_id, question: null })])
  const { memories } = await call(member, 'POST', 'recall', { query: question, explain: true })
  expect(memories[0].explanation.feedback).toBeCloseTo(0.1)

  await call(member, 'POST', `memories/${memory_id}/feedback`, { question })
  expect((await call(owner, 'GET', `memories/${memory_id}/feedback`)).feedback).toHaveLength(2)
  const deleted = await request(server.current, 'DELETE', '/api/auth/delete-account', {
    token: member.accessToken,
    body: { password: PASSWORD },
  })
  expect(deleted.status).toBe(200)
  const left = await call(owner, 'GET', `memories/${memory_id}/feedback`)
  expect(left.feedback).toEqual([expect.objectContaining({ question })])
})
