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
import type { ProactiveFeedback } from '../../shared/schemas/proactive.ts'
import { factsOf, type Given, write } from '../harness/facts.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { ISO, newVerifiedUser, UUID } from './support.ts'

const server = useServer()

const POLL_MS = 100

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
/** A reminder that came due that many minutes ago. */
const due = (task: string, minutes = 1): Given => ({
  content: `Remind me in 1 minute to ${task}.`,
  occurred_at: minutesAgo(minutes + 1),
})

const intentsOf = (client: Client, limit?: number) =>
  client.call(listProactiveIntents, { query: limit === undefined ? {} : { limit } })
const titlesOf = async (client: Client) => (await intentsOf(client)).map(({ title }) => title)
const say = (client: Client, intent_id: string, feedback: ProactiveFeedback['feedback']) =>
  client.call(giveFeedback, { body: { intent_id, feedback } })
const send = ({ key }: TestUser, body: unknown) =>
  request(server.current, 'POST', '/api/proactive/feedback', { token: key, body })

describe('what is brought up', () => {
  test('is a reminder that has come due', async () => {
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

  test('is a conflict, as long as it is one', async () => {
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

  test('is a question that the person noted and nothing answers', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [open] = await write(
      client,
      { content: 'Ana turns 30. What should I give her?', thread: 'ana' },
      { content: 'Who fixes the roof?', thread: 'roof' },
      { content: 'Ben does.', thread: 'roof' },
      { content: 'How are you?', author: 'Ben' },
      { content: 'Anybody there?', agent_slug: 'scribe' },
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

  test('is when a reminder is due that names no time', async () => {
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

  test('is what a reflex tells, until it is dismissed', async () => {
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
    let told = (await intentsOf(client)).find(isOfBoats)
    while (!told) {
      await until(POLL_MS)
      told = (await intentsOf(client)).find(isOfBoats)
    }
    const { kind, text, memory_ids, weight } = told
    expect([kind, text, memory_ids, weight]).toEqual(['reminder', 'See to it.', [], 3])
    expect(told.reflex_id).toBe(reflex_id)
    await say(client, told.intent_id, 'dismiss')
    expect(await titlesOf(client)).toEqual(['call Ada'])
  })

  test('are no more than three questions, the latest', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(client, ...['one', 'two', 'three', 'four'].map((word) => `What about ${word}?`))
    expect((await titlesOf(client)).toSorted()).toEqual([
      'What about four?',
      'What about three?',
      'What about two?',
    ])
    for (const { intent_id, title } of await intentsOf(client))
      if (title !== 'What about three?') await say(client, intent_id, 'dismiss')
    expect((await titlesOf(client)).toSorted()).toEqual(['What about one?', 'What about three?'])
  })

  test('comes in the order of its weight, then the newest first, and no more than asked for', async () => {
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

  test('keeps its id, also where it is asked for many times at once', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(client, due('call Ada'), due('feed Rex'), 'Who am I?')
    const answers = await Promise.all(Array.from({ length: 6 }, () => intentsOf(client)))
    expect(answers[0]).toHaveLength(3)
    for (const answer of answers) expect(answer).toEqual(answers[0] as typeof answer)
  })

  test('takes a limit of 1 to 100', async () => {
    const { key } = await newVerifiedUser(server.current)
    for (const limit of ['0', '101', 'x']) {
      const path = `/api/proactive/intents?limit=${limit}`
      const { status, body } = await request(server.current, 'GET', path, { token: key })
      expect([status, body.detail[0].loc]).toEqual([422, ['query', 'limit']])
    }
  })

  test('is only the caller’s own, and for those with a verified address', async () => {
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
  /** Somebody with two reminders, a conflict and a question. */
  const somebody = async () => {
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

  test('that dismisses ends it, and no other', async () => {
    const { user, client, idOf } = await somebody()
    const body = { intent_id: idOf('call Ada'), feedback: 'dismiss' }
    for (let i = 0; i < 2; i++) {
      const answer = await send(user, body)
      expect([answer.status, answer.body]).toEqual([200, {}])
      expect(await titlesOf(client)).toEqual(['feed Rex', CONFLICT, 'Who am I?'])
    }
    expect(await say(client, idOf('call Ada'), 'snooze')).toEqual({})
    expect(await titlesOf(client)).toEqual(['feed Rex', CONFLICT, 'Who am I?'])
  })

  test('that dismisses a conflict ends it until there is another value', async () => {
    const { client, idOf } = await somebody()
    await say(client, idOf(CONFLICT), 'dismiss')
    expect(await titlesOf(client)).not.toContain(CONFLICT)
    await write(client, 'I live in Faro.')
    expect(await titlesOf(client)).toContain('home: Faro or Lisbon or Porto?')
  })

  test('that snoozes hides it', async () => {
    const { client, idOf } = await somebody()
    for (let i = 0; i < 2; i++) {
      expect(await say(client, idOf('feed Rex'), 'snooze')).toEqual({})
      expect(await titlesOf(client)).toEqual(['call Ada', CONFLICT, 'Who am I?'])
    }
  })

  test('that welcomes one moves it and its kind up', async () => {
    const { client, idOf } = await somebody()
    await say(client, idOf('feed Rex'), 'thumbs_up')
    await say(client, idOf(CONFLICT), 'thumbs_up')
    await say(client, idOf(CONFLICT), 'thumbs_up')
    expect(
      (await intentsOf(client)).map(({ title, weight, feedback }) => [title, weight, feedback]),
    ).toEqual([
      ['feed Rex', 4.5, 'thumbs_up'],
      ['call Ada', 4, null],
      [CONFLICT, 3.5, 'thumbs_up'],
      ['Who am I?', 1, null],
    ])
  })

  test('that does not welcome one moves it and its kind down, and may be taken back', async () => {
    const { client, idOf } = await somebody()
    await say(client, idOf('call Ada'), 'thumbs_down')
    await say(client, idOf('feed Rex'), 'thumbs_down')
    expect(await titlesOf(client)).toEqual([CONFLICT, 'Who am I?', 'call Ada', 'feed Rex'])
    await say(client, idOf('feed Rex'), 'thumbs_up')
    expect((await intentsOf(client)).map(({ title, weight }) => [title, weight])).toEqual([
      ['feed Rex', 3.5],
      ['call Ada', 2.5],
      [CONFLICT, 2],
      ['Who am I?', 1],
    ])
  })

  test('that does not welcome two questions ends them, until one is welcome', async () => {
    const { client, idOf } = await somebody()
    const first = idOf('Who am I?')
    await say(client, first, 'thumbs_down')
    await write(client, 'What is time?')
    const second = (await intentsOf(client)).find(({ title }) => title === 'What is time?')
    await say(client, second?.intent_id as string, 'thumbs_down')
    await write(client, 'Where do birds sleep?')
    expect((await intentsOf(client)).filter(({ kind }) => kind === 'question')).toEqual([])
    await say(client, first, 'thumbs_up')
    expect(await titlesOf(client)).toContain('Where do birds sleep?')
  })

  test('of all kinds at once leaves it as each would', async () => {
    const { client, idOf } = await somebody()
    const id = idOf('call Ada')
    const kinds = ['dismiss', 'snooze', 'thumbs_up', 'dismiss', 'thumbs_up'] as const
    await Promise.all(kinds.map((feedback) => say(client, id, feedback)))
    const intents = await intentsOf(client)
    expect(intents.map(({ title, weight }) => [title, weight])).toEqual([
      ['feed Rex', 4],
      [CONFLICT, 2],
      ['Who am I?', 1],
    ])
  })

  test('on what is not there, or another’s, is answered 404', async () => {
    const { idOf } = await somebody()
    const bob = await newVerifiedUser(server.current)
    for (const intent_id of [idOf('call Ada'), crypto.randomUUID(), 'no id', ''])
      expect(await send(bob, { intent_id, feedback: 'dismiss' })).toMatchObject({
        status: 404,
        body: { detail: 'Intent not found' },
      })
  })

  test('on a question of a reflex is answered 404: that has a list and answers of its own', async () => {
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
    const asked = async () => (await client.call(listConfirmations, { query: {} }))[0]
    let question = await asked()
    while (!question) {
      await until(POLL_MS)
      question = await asked()
    }
    expect(await intentsOf(client)).toEqual([])
    const { status } = await send(user, { intent_id: question.intent_id, feedback: 'dismiss' })
    expect(status).toBe(404)
    expect(await asked()).toEqual(question)
  })

  test('of another sort is answered 422', async () => {
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

  test('is for those with a verified address', async () => {
    const newcomer = await newUser(server.current)
    const { status, body } = await send(newcomer, { intent_id: 'x', feedback: 'dismiss' })
    expect([status, body.detail.error]).toEqual([403, 'email_not_verified'])
  })
})

describe('a reminder', () => {
  test('goes with its memory, and comes back with it', async () => {
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

  test('that was dismissed stays so when its memory comes back', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [id] = await write(client, due('call Ada'))
    await say(client, (await intentsOf(client))[0]?.intent_id as string, 'dismiss')
    const params = { memory_id: id as string }
    await client.call(deleteMemory, { params, query: {} })
    await client.call(restoreMemory, { params })
    await factsOf(client, params.memory_id)
    expect(await intentsOf(client)).toEqual([])
  })

  test('follows a change of its memory, and is another one at another time', async () => {
    const { client } = await newVerifiedUser(server.current)
    const [id] = await write(client, due('call Ada', 5))
    await say(client, (await intentsOf(client))[0]?.intent_id as string, 'dismiss')
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

  test('that is noted twice is one', async () => {
    const { client } = await newVerifiedUser(server.current)
    const occurred_at = minutesAgo(5)
    const content = 'Remind me in 1 minute to call Ada.'
    await write(client, { content, occurred_at }, { content, occurred_at, thread: 'again' })
    const [intent, ...others] = await intentsOf(client)
    expect([intent?.title, others]).toEqual(['call Ada', []])
    await say(client, intent?.intent_id as string, 'dismiss')
    expect(await intentsOf(client)).toEqual([])
  })

  test('is the same when its memory was wrong about something else, and goes on without it', async () => {
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
    await say(client, ada?.intent_id as string, 'dismiss')
    await client.call(resolveConflict, { body: { anchor_key: 'home', chosen_value: 'Lisbon' } })
    const [left, ...others] = await intentsOf(client)
    expect([left?.intent_id, left?.title, others]).toEqual([
      rex?.intent_id as string,
      'feed Rex',
      [],
    ])
    expect(left?.memory_ids).not.toEqual(rex?.memory_ids)
  })

  test('that was due long before it was written down comes due no more', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(
      client,
      { content: 'Remind me in 5 minutes to call Ada.', occurred_at: minutesAgo(3 * 24 * 60) },
      { content: 'Remind me in 24 hours to feed Rex.', occurred_at: minutesAgo(30 * 60) },
    )
    expect(await titlesOf(client)).toEqual(['feed Rex'])
  })
})
