import { describe, expect, test } from 'bun:test'
import { setTimeout as until } from 'node:timers/promises'
import type { Client } from '../../shared/client.ts'
import {
  createReflex,
  deleteMemory,
  giveFeedback,
  listConfirmations,
  listProactiveIntents,
  resolveConflict,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { ProactiveFeedback } from '../../shared/contract/proactive.ts'
import { factsOf, type MemoryInput, write } from '../harness/facts.ts'
import { ISO, newVerifiedUser, UUID } from '../harness/http.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const POLL_MS = 100

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
/** A reminder due `minutes` ago. */
const due = (task: string, minutes = 1): MemoryInput => ({
  content: `Remind me in 1 minute to ${task}.`,
  occurred_at: minutesAgo(minutes + 1),
})

const intentsOf = (client: Client, limit?: number) =>
  client.call(listProactiveIntents, { query: limit === undefined ? {} : { limit } })
const titlesOf = async (client: Client) => (await intentsOf(client)).map(({ title }) => title)
const sendFeedback = (client: Client, intent_id: string, feedback: ProactiveFeedback['feedback']) =>
  client.call(giveFeedback, { body: { intent_id, feedback } })
const send = ({ key }: TestUser, body: unknown) =>
  request(server.current, 'POST', '/api/proactive/feedback', { token: key, body })

describe('proactive intents', () => {
  test('a due reminder is listed', async () => {
    const { client } = await newVerifiedUser(server.current)
    const occurred_at = minutesAgo(10)
    const [id] = await write(client, {
      content: 'It rains. Remind me in 5 minutes to call Ada.',
      occurred_at,
    })
    expect(await intentsOf(client)).toEqual([
      {
        intent_id: UUID as unknown as string,
        kind: 'reminder',
        title: 'call Ada',
        text: 'Remind me in 5 minutes to call Ada.',
        due_at: new Date(Date.parse(occurred_at) + 5 * 60_000).toISOString(),
        memory_ids: [id as string],
        anchor_key: null,
        reflex_id: null,
        weight: 3,
        feedback: null,
        state: 'open',
        created_at: ISO as unknown as string,
      },
    ])
  })

  test('a conflict is listed while it exists', async () => {
    const { client } = await newVerifiedUser(server.current)
    const ids = await write(client, 'I live in Porto.', 'I live in Lisbon.')
    expect(await intentsOf(client)).toMatchObject([
      {
        kind: 'conflict',
        title: 'home: Lisbon or Porto?',
        text: 'I live in Lisbon.\nI live in Porto.',
        memory_ids: ids.toReversed(),
        anchor_key: 'home',
        weight: 2,
      },
    ])
    await client.call(resolveConflict, { body: { anchor_key: 'home', chosen_value: 'Porto' } })
    expect(await intentsOf(client)).toEqual([])
  })

  test('an unanswered question in a memory is listed', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [open] = await write(
      client,
      { content: 'Ana turns 30. What should I give her?', thread: 'ana' },
      { content: 'Who fixes the roof?', thread: 'roof' },
      { content: 'Ben does.', thread: 'roof' },
      { content: 'How are you?', author: 'Ben' },
      { content: 'Anyone there?', agent_slug: 'scribe' },
      { content: 'Was that right?', occurred_at: '2020-01-01' },
      'Is it? It rains.',
    )
    expect(await intentsOf(client)).toMatchObject([
      {
        kind: 'question',
        title: 'What should I give her?',
        text: 'Ana turns 30. What should I give her?',
        memory_ids: [open as string],
        weight: 1,
      },
    ])
    await write(client, { content: 'A book about boats.', thread: 'ana' })
    expect(await intentsOf(client)).toEqual([])
  })

  test('a reminder without a time becomes a question', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [id] = await write(client, 'Please remind me to buy milk.')
    expect(await intentsOf(client)).toMatchObject([
      { kind: 'question', title: 'When do you want to be reminded: buy milk?', memory_ids: [id] },
    ])
    const params = { memory_id: id as string }
    await client.call(updateMemory, {
      params,
      body: { content: 'Remind me to buy milk in 3 days.' },
    })
    await factsOf(client, params.memory_id)
    expect(await intentsOf(client)).toEqual([])
  })

  test('a notification of a reflex is listed until dismissed', async () => {
    const { client } = await newVerifiedUser(server.current)
    const { reflex_id } = await client.call(createReflex, {
      body: {
        name: 'Boats',
        trigger: { type: 'memory', contains: 'boat' },
        action: { type: 'notify', channel: 'inbox', title: 'A boat', text: 'See to it.' },
      },
    })
    await write(client, due('call Ada'), 'The boat leaks.')
    const isOfBoats = ({ title }: { title: string }) => title === 'A boat'
    let intent = (await intentsOf(client)).find(isOfBoats)
    while (!intent) {
      await until(POLL_MS)
      intent = (await intentsOf(client)).find(isOfBoats)
    }
    const { kind, text, memory_ids, weight } = intent
    expect([kind, text, memory_ids, weight]).toEqual(['reminder', 'See to it.', [], 3])
    expect(intent.reflex_id).toBe(reflex_id)
    await sendFeedback(client, intent.intent_id, 'dismiss')
    expect(await titlesOf(client)).toEqual(['call Ada'])
  })

  test('at most the three latest questions are listed', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(client, ...['one', 'two', 'three', 'four'].map((word) => `What about ${word}?`))
    expect((await titlesOf(client)).toSorted()).toEqual([
      'What about four?',
      'What about three?',
      'What about two?',
    ])
    for (const { intent_id, title } of await intentsOf(client))
      if (title !== 'What about three?') await sendFeedback(client, intent_id, 'dismiss')
    expect((await titlesOf(client)).toSorted()).toEqual(['What about one?', 'What about three?'])
  })

  test('intents are ordered by weight, then newest first, up to the limit', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(
      client,
      due('feed Rex', 5),
      'I live in Porto.',
      'I live in Lisbon.',
      'Who am I?',
      due('call Ada', 1),
      due('water plants', 9),
    )
    const titles = ['call Ada', 'feed Rex', 'water plants', 'home: Lisbon or Porto?', 'Who am I?']
    expect(await titlesOf(client)).toEqual(titles)
    expect((await intentsOf(client, 2)).map(({ title }) => title)).toEqual(titles.slice(0, 2))
  })

  test('concurrent lists return the same ids', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(client, due('call Ada'), due('feed Rex'), 'Who am I?')
    const answers = await Promise.all(Array.from({ length: 6 }, () => intentsOf(client)))
    expect(answers[0]).toHaveLength(3)
    for (const answer of answers) expect(answer).toEqual(answers[0] as typeof answer)
  })

  test('the limit is 1 to 100', async () => {
    const { key } = await newVerifiedUser(server.current)
    for (const limit of ['0', '101', 'x']) {
      const path = `/api/proactive/intents?limit=${limit}`
      const { status, body } = await request(server.current, 'GET', path, { token: key })
      expect([status, body.detail[0].loc]).toEqual([422, ['query', 'limit']])
    }
  })

  test('the list has only the caller’s intents and requires a verified address', async () => {
    const [ada, bob, newcomer] = await Promise.all([
      newVerifiedUser(server.current),
      newVerifiedUser(server.current),
      newUser(server.current),
    ])
    await write(ada.client, due('call Ada'))
    expect(await intentsOf(bob.client)).toEqual([])
    const path = '/api/proactive/intents'
    const refused = await request(server.current, 'GET', path, { token: newcomer.key })
    expect([refused.status, refused.body.detail.error]).toEqual([403, 'email_not_verified'])
    expect((await request(server.current, 'GET', path)).status).toBe(401)
  })
})

describe('feedback', () => {
  /** A user with two reminders, a conflict and a question. */
  const newUserWithIntents = async () => {
    const user = await newVerifiedUser(server.current)
    await write(
      user.client,
      due('call Ada', 1),
      due('feed Rex', 5),
      'I live in Porto.',
      'I live in Lisbon.',
      'Who am I?',
    )
    const intents = await intentsOf(user.client)
    const idOf = (title: string) =>
      intents.find((intent) => intent.title === title)?.intent_id as string
    return { user, client: user.client, idOf }
  }
  const CONFLICT = 'home: Lisbon or Porto?'

  test('dismissing an intent removes it and no other', async () => {
    const { user, client, idOf } = await newUserWithIntents()
    const body = { intent_id: idOf('call Ada'), feedback: 'dismiss' }
    for (let i = 0; i < 2; i++) {
      const answer = await send(user, body)
      expect([answer.status, answer.body]).toEqual([200, {}])
      expect(await titlesOf(client)).toEqual(['feed Rex', CONFLICT, 'Who am I?'])
    }
    expect(await sendFeedback(client, idOf('call Ada'), 'snooze')).toEqual({})
    expect(await titlesOf(client)).toEqual(['feed Rex', CONFLICT, 'Who am I?'])
  })

  test('a dismissed conflict returns with another value', async () => {
    const { client, idOf } = await newUserWithIntents()
    await sendFeedback(client, idOf(CONFLICT), 'dismiss')
    expect(await titlesOf(client)).not.toContain(CONFLICT)
    await write(client, 'I live in Faro.')
    expect(await titlesOf(client)).toContain('home: Faro or Lisbon or Porto?')
  })

  test('snoozing hides an intent', async () => {
    const { client, idOf } = await newUserWithIntents()
    for (let i = 0; i < 2; i++) {
      expect(await sendFeedback(client, idOf('feed Rex'), 'snooze')).toEqual({})
      expect(await titlesOf(client)).toEqual(['call Ada', CONFLICT, 'Who am I?'])
    }
  })

  test('thumbs up raise an intent and its kind', async () => {
    const { client, idOf } = await newUserWithIntents()
    await sendFeedback(client, idOf('feed Rex'), 'thumbs_up')
    await sendFeedback(client, idOf(CONFLICT), 'thumbs_up')
    await sendFeedback(client, idOf(CONFLICT), 'thumbs_up')
    expect(
      (await intentsOf(client)).map(({ title, weight, feedback }) => [title, weight, feedback]),
    ).toEqual([
      ['feed Rex', 4.5, 'thumbs_up'],
      ['call Ada', 4, null],
      [CONFLICT, 3.5, 'thumbs_up'],
      ['Who am I?', 1, null],
    ])
  })

  test('thumbs down lower an intent and its kind, and can be changed', async () => {
    const { client, idOf } = await newUserWithIntents()
    await sendFeedback(client, idOf('call Ada'), 'thumbs_down')
    await sendFeedback(client, idOf('feed Rex'), 'thumbs_down')
    expect(await titlesOf(client)).toEqual([CONFLICT, 'Who am I?', 'call Ada', 'feed Rex'])
    await sendFeedback(client, idOf('feed Rex'), 'thumbs_up')
    expect((await intentsOf(client)).map(({ title, weight }) => [title, weight])).toEqual([
      ['feed Rex', 3.5],
      ['call Ada', 2.5],
      [CONFLICT, 2],
      ['Who am I?', 1],
    ])
  })

  test('thumbs down on two questions hide questions until one gets thumbs up', async () => {
    const { client, idOf } = await newUserWithIntents()
    const first = idOf('Who am I?')
    await sendFeedback(client, first, 'thumbs_down')
    await write(client, 'What is time?')
    const second = (await intentsOf(client)).find(({ title }) => title === 'What is time?')
    await sendFeedback(client, second?.intent_id as string, 'thumbs_down')
    await write(client, 'Where do birds sleep?')
    expect((await intentsOf(client)).filter(({ kind }) => kind === 'question')).toEqual([])
    await sendFeedback(client, first, 'thumbs_up')
    expect(await titlesOf(client)).toContain('Where do birds sleep?')
  })

  test('concurrent feedback of all kinds leaves a valid state', async () => {
    const { client, idOf } = await newUserWithIntents()
    const id = idOf('call Ada')
    const kinds = ['dismiss', 'snooze', 'thumbs_up', 'dismiss', 'thumbs_up'] as const
    await Promise.all(kinds.map((feedback) => sendFeedback(client, id, feedback)))
    const intents = await intentsOf(client)
    expect(intents.map(({ title, weight }) => [title, weight])).toEqual([
      ['feed Rex', 4],
      [CONFLICT, 2],
      ['Who am I?', 1],
    ])
  })

  test('feedback on an unknown intent or another user’s is 404', async () => {
    const { idOf } = await newUserWithIntents()
    const bob = await newVerifiedUser(server.current)
    for (const intent_id of [idOf('call Ada'), crypto.randomUUID(), 'no id', ''])
      expect(await send(bob, { intent_id, feedback: 'dismiss' })).toMatchObject({
        status: 404,
        body: { detail: 'Intent not found' },
      })
  })

  test('feedback on a confirmation is 404', async () => {
    const user = await newVerifiedUser(server.current)
    const { client } = user
    await client.call(createReflex, {
      body: {
        name: 'Boats',
        trigger: { type: 'memory', contains: 'boat' },
        action: { type: 'notify', channel: 'inbox', text: 'See to it.' },
        confirm: true,
      },
    })
    await write(client, 'The boat leaks.')
    const confirmation = async () => (await client.call(listConfirmations, { query: {} }))[0]
    let question = await confirmation()
    while (!question) {
      await until(POLL_MS)
      question = await confirmation()
    }
    expect(await intentsOf(client)).toEqual([])
    const { status } = await send(user, { intent_id: question.intent_id, feedback: 'dismiss' })
    expect(status).toBe(404)
    expect(await confirmation()).toEqual(question)
  })

  test('an unknown feedback value is 422', async () => {
    const user = await newVerifiedUser(server.current)
    const { status, body } = await send(user, { intent_id: 5, feedback: 'love' })
    expect(status).toBe(422)
    expect(
      body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type]),
    ).toEqual([
      ['intent_id', 'string_type'],
      ['feedback', 'literal_error'],
    ])
    expect((await send(user, {})).body.detail).toMatchObject([
      { loc: ['body', 'intent_id'], type: 'missing' },
      { loc: ['body', 'feedback'], type: 'missing' },
    ])
  })

  test('feedback requires a verified address', async () => {
    const newcomer = await newUser(server.current)
    const { status, body } = await send(newcomer, { intent_id: 'x', feedback: 'dismiss' })
    expect([status, body.detail.error]).toEqual([403, 'email_not_verified'])
  })
})

describe('reminders and their memories', () => {
  test('a reminder disappears and returns with its memory', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [id] = await write(client, due('call Ada'))
    const [before] = await intentsOf(client)
    const params = { memory_id: id as string }
    await client.call(deleteMemory, { params, query: {} })
    expect(await intentsOf(client)).toEqual([])
    await client.call(restoreMemory, { params })
    await factsOf(client, params.memory_id)
    expect(await intentsOf(client)).toEqual([before as NonNullable<typeof before>])
    await write(client, { content: 'Ada called.', supersedes: params.memory_id })
    expect(await intentsOf(client)).toEqual([])
  })

  test('a dismissed reminder stays dismissed when its memory returns', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [id] = await write(client, due('call Ada'))
    await sendFeedback(client, (await intentsOf(client))[0]?.intent_id as string, 'dismiss')
    const params = { memory_id: id as string }
    await client.call(deleteMemory, { params, query: {} })
    await client.call(restoreMemory, { params })
    await factsOf(client, params.memory_id)
    expect(await intentsOf(client)).toEqual([])
  })

  test('a changed memory changes its reminder, and another time makes another reminder', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [id] = await write(client, due('call Ada', 5))
    await sendFeedback(client, (await intentsOf(client))[0]?.intent_id as string, 'dismiss')
    const params = { memory_id: id as string }
    await client.call(updateMemory, {
      params,
      body: { content: 'Remind me in 3 minutes to call Ada.' },
    })
    await factsOf(client, params.memory_id)
    expect(await titlesOf(client)).toEqual(['call Ada'])
    await client.call(updateMemory, {
      params,
      body: { content: 'Remind me tomorrow to call Ada.' },
    })
    await factsOf(client, params.memory_id)
    expect(await intentsOf(client)).toEqual([])
  })

  test('the same reminder in two memories is listed once', async () => {
    const { client } = await newVerifiedUser(server.current)
    const occurred_at = minutesAgo(5)
    const content = 'Remind me in 1 minute to call Ada.'
    await write(client, { content, occurred_at }, { content, occurred_at, thread: 'again' })
    const [intent, ...others] = await intentsOf(client)
    expect([intent?.title, others]).toEqual(['call Ada', []])
    await sendFeedback(client, intent?.intent_id as string, 'dismiss')
    expect(await intentsOf(client)).toEqual([])
  })

  test('a correction of the memory keeps the reminder', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(
      client,
      {
        content:
          'I live in Porto. Remind me in 1 minute to call Ada. Remind me to feed Rex in 1 hour.',
        occurred_at: minutesAgo(90),
      },
      'I live in Lisbon.',
    )
    const [rex, ada] = await intentsOf(client)
    await sendFeedback(client, ada?.intent_id as string, 'dismiss')
    await client.call(resolveConflict, { body: { anchor_key: 'home', chosen_value: 'Lisbon' } })
    const [remaining, ...others] = await intentsOf(client)
    expect([remaining?.intent_id, remaining?.title, others]).toEqual([
      rex?.intent_id as string,
      'feed Rex',
      [],
    ])
    expect(remaining?.memory_ids).not.toEqual(rex?.memory_ids)
  })

  test('a reminder due long before it was written is not listed', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(
      client,
      { content: 'Remind me in 5 minutes to call Ada.', occurred_at: minutesAgo(3 * 24 * 60) },
      { content: 'Remind me in 24 hours to feed Rex.', occurred_at: minutesAgo(30 * 60) },
    )
    expect(await titlesOf(client)).toEqual(['feed Rex'])
  })
})
