import { describe, expect, test } from 'bun:test'
import { type Client, createClient } from '../../shared/client.ts'
import {
  chat,
  deleteMemory,
  giveFeedback,
  listProactiveIntents,
  listUpcomingReminders,
  memoryStatistics,
  remember,
  switchEngine,
} from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { factsOf } from '../harness/facts.ts'
import { BASE_URL, newVerifiedUser, runSql, startRestartable } from '../harness/http.ts'
import { request, startServer, type TestServer, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const write = async (client: Client, content: string, occurred_at?: string) => {
  const body = { content, ...(occurred_at && { occurred_at }) }
  const { memory_id } = await client.call(remember, { body })
  await factsOf(client, memory_id)
  return memory_id
}

const intentsOf = (client: Client) => client.call(listProactiveIntents, { query: {} })
const titlesOf = async (client: Client) => (await intentsOf(client)).map(({ title }) => title)

/** The proactive intents, once there are any. */
const broughtUp = (client: Client) =>
  eventually(async () => {
    const intents = await intentsOf(client)
    return intents.length > 0 && intents
  })

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

describe('reminders', () => {
  test('a reminder is listed when due and not before', async () => {
    const { client } = await newVerifiedUser(server.current)
    await write(client, 'Remind me in 3 hours to feed Rex.')
    await write(client, 'Remind me in 2 seconds to call Ada.')
    const [intent, ...others] = await broughtUp(client)
    expect([intent?.title, others]).toEqual(['call Ada', []])
    expect(Date.parse(intent?.due_at as string)).toBeLessThanOrEqual(
      Date.parse(intent?.created_at as string),
    )
  })

  test('an upcoming reminder is listed with its next time, once, until it is due or forgotten', async () => {
    const { client } = await newVerifiedUser(server.current)
    const upcoming = async (limit = 20) =>
      (await client.call(listUpcomingReminders, { query: { limit } })).map(({ due_at, title }) => [
        title,
        due_at,
      ])
    await write(client, 'Remind me in 1 minute to swim.', minutesAgo(5))
    const id = await write(client, 'Remind me on 3 May 2099 to call Ada.')
    await write(client, 'Please remind me on 3 May 2099 to call Ada!')
    await write(client, 'Remind me every day at 7 to feed Rex.', '2026-01-02T10:00:00Z')
    const [recurring = [], ...others] = await upcoming()
    expect(recurring[0]).toBe('feed Rex every day')
    const next = Date.parse(recurring[1] ?? '') - Date.now()
    expect([next > 0, next <= 24 * 60 * 60_000]).toEqual([true, true])
    expect(others).toEqual([['call Ada', '2099-05-03T09:00:00.000Z']])
    expect(await upcoming(1)).toEqual([recurring])
    await client.call(deleteMemory, { params: { memory_id: id } })
    expect(await upcoming()).toHaveLength(2)
  })

  test('a chat message creates a reminder, in each language and order', async () => {
    const texts = [
      'Remind me in 1 second to call Ada.',
      'In 1 second remind me to call Ada.',
      'Hi there! Could you remind me in 1 second to call Ada?',
      'Erinnere mich in 1 Sekunde daran, Ada anzurufen.',
      'Recuérdame en 1 segundo llamar a Ada.',
      "Rappelle-moi dans 1 seconde d'appeler Ada.",
    ]
    const titled = async (text: string) => {
      const { client } = await newVerifiedUser(server.current)
      await client.call(chat, { body: { message: text } })
      return broughtUp(client)
    }
    const intents = await Promise.all(texts.map(titled))
    for (const [i, text] of texts.entries())
      expect([text, intents[i]]).toMatchObject([
        text,
        [{ kind: 'reminder', title: expect.stringContaining('Ada') }],
      ])
  })

  test('a reminder stays with its author after a change of name', async () => {
    const { client, accessToken } = await newVerifiedUser(server.current)
    await client.call(chat, { body: { message: 'Remind me in 1 second to call Ada.' } })
    await request(server.current, 'PUT', '/api/profile', {
      token: accessToken,
      body: { display_name: 'Somebody Else' },
    })
    expect(await broughtUp(client)).toMatchObject([{ title: 'call Ada' }])
  })

  test('a repeating reminder is a new intent each time', async () => {
    const { client } = await newVerifiedUser(server.current)
    const since = new Date(Date.now() - 100 * 24 * 60 * 60_000).toISOString()
    await write(client, 'Remind me every day to take my pills.', since)
    const [first, ...others] = await intentsOf(client)
    expect([first?.title, others]).toEqual(['take my pills every day', []])
    // The most recent 9:00.
    const due = Date.parse(first?.due_at as string)
    expect(new Date(due).getUTCHours()).toBe(9)
    expect(Date.now() - due).toBeLessThan(24 * 60 * 60_000 + 60_000)
  })
})

describe('time zone of reminders', () => {
  const occurredAt = '2026-03-06T10:00:00.000Z'
  /** A user who sends requests from a time zone. */
  const traveller = async () => {
    const { key } = await newVerifiedUser(server.current)
    return (timezone?: string) =>
      createClient({ baseUrl: server.current.url, credential: key, timezone })
  }
  const dueIn = async (client: Client, content: string) => {
    const memory_id = await write(client, content, occurredAt)
    return (await factsOf(client, memory_id)).map(({ due_at }) => due_at)
  }
  const hourIn = (timeZone: string, instant = '') =>
    new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hour12: false }).format(
      new Date(instant),
    )

  test('the latest X-Timezone header applies, and UTC before the first', async () => {
    const from = await traveller()
    const tomorrow = 'Remind me tomorrow at 9 to call'
    expect(await dueIn(from(), `${tomorrow} Ada.`)).toEqual(['2026-03-07T09:00:00.000Z'])
    expect(await dueIn(from('Asia/Tokyo'), `${tomorrow} Bob.`)).toEqual([
      '2026-03-07T00:00:00.000Z',
    ])
    expect(await dueIn(from(), `${tomorrow} Eve.`)).toEqual(['2026-03-07T00:00:00.000Z'])
    expect(await dueIn(from('america/new_york'), `${tomorrow} Ana.`)).toEqual([
      '2026-03-07T14:00:00.000Z',
    ])
    expect(await dueIn(from('UTC'), `${tomorrow} Max.`)).toEqual(['2026-03-07T09:00:00.000Z'])
  })

  test('an invalid X-Timezone header is ignored', async () => {
    const from = await traveller()
    await from('Asia/Tokyo').call(listProactiveIntents, { query: {} })
    for (const none of ['Mars/Olympus', '+02:00', 'x'.repeat(5_000), '9', "'; drop table users"])
      expect(await intentsOf(from(none))).toEqual([])
    expect(await dueIn(from(), 'Remind me tomorrow at 9 to call Ada.')).toEqual([
      '2026-03-07T00:00:00.000Z',
    ])
  })

  test('each user has their own time zone, with daylight saving time', async () => {
    const [ada, bob] = [await traveller(), await traveller()]
    await bob('Asia/Tokyo').call(listProactiveIntents, { query: {} })
    for (const [month, hour] of [
      ['January', '08:00'],
      ['July', '07:00'],
    ])
      expect(
        await dueIn(ada('Europe/Berlin'), `Remind me on 10 ${month} 2027 at 9:00 to call Ada.`),
      ).toEqual([expect.stringContaining(`T${hour}:00.000Z`)])
    expect(await dueIn(bob(), 'Remind me tomorrow at 9 to call Ada.')).toEqual([
      '2026-03-07T00:00:00.000Z',
    ])
  })

  test('a repeating reminder keeps the hour where it was written, across daylight saving time and travel', async () => {
    const from = await traveller()
    // Half a year includes a change of daylight saving time.
    for (const days of [100, 200, 300]) {
      const since = new Date(Date.now() - days * 24 * 60 * 60_000).toISOString()
      await write(
        from('America/New_York'),
        `Remind me every day to take pill number ${days}.`,
        since,
      )
    }
    const hours = async (zone: string) =>
      (await intentsOf(from(zone))).map(({ due_at }) => hourIn('America/New_York', due_at))
    expect(await hours('America/New_York')).toEqual(['09', '09', '09'])
    expect(await hours('Asia/Tokyo')).toEqual(['09', '09', '09'])
  })

  test('a repetition every other week keeps its weeks across daylight saving time', async () => {
    const from = await traveller()
    const client = from('Europe/Berlin')
    // A Monday; daylight saving time began on the last Sunday of March.
    await write(
      client,
      'Remind me every second Monday to take out the bins.',
      '2020-03-16T12:00:00Z',
    )
    const [intent, ...others] = await intentsOf(client)
    expect([intent?.title, others]).toEqual(['take out the bins every second Monday', []])
    const due = new Date(intent?.due_at as string)
    expect([due.getUTCDay(), hourIn('Europe/Berlin', intent?.due_at)]).toEqual([1, '09'])
    expect(Date.now() - due.getTime()).toBeLessThan(14.5 * 24 * 60 * 60_000)
    const days = Math.round((due.getTime() - Date.parse('2020-03-23T08:00Z')) / 86_400_000)
    expect(days % 14).toBe(0)
  })
})

/** The same user after a restart. */
const onRestartable = async () => {
  const running = await startRestartable()
  const { key } = await newVerifiedUser(running.current)
  const client = () => createClient({ baseUrl: running.current.url, credential: key })
  return { running, client, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}

/** A user of the shared server, and statements on their rows, which let time pass. */
const newTimeTraveller = async () => {
  const { client, id } = await newVerifiedUser(server.current)
  const change = (table: string, changes: string, which = 'true') => {
    const owner = table === 'intents' ? 'user_id' : 'owner_id'
    const rows = `${owner} = '${id}' and ${which}`
    return runSql(server.current.database, `update ${table} set ${changes} where ${rows}`)
  }
  return { client, change }
}

describe('over days', () => {
  test('a snoozed reminder returns, and a dismissed one does not', async () => {
    await using story = await onRestartable()
    const { running, client } = story
    const { change } = running
    await write(client(), 'Remind me in 3 days to call Ada.', minutesAgo(0))
    expect(await intentsOf(client())).toEqual([])

    await change(`update memory_facts set due_at = now() - interval '1 minute'`)
    const [due] = await intentsOf(client())
    expect(due).toMatchObject({ kind: 'reminder', title: 'call Ada' })
    const intent_id = due?.intent_id as string

    await client().call(giveFeedback, { body: { intent_id, feedback: 'snooze' } })
    await running.restart()
    expect(await intentsOf(client())).toEqual([])

    await change(`update intents set hidden_until = hidden_until - interval '23 hours'`)
    expect(await intentsOf(client())).toEqual([])

    await change(`update intents set hidden_until = hidden_until - interval '1 hour'`)
    expect(await intentsOf(client())).toEqual([due as NonNullable<typeof due>])

    await client().call(giveFeedback, { body: { intent_id, feedback: 'dismiss' } })
    await running.restart()
    expect(await intentsOf(client())).toEqual([])
  })

  test('a daily reminder returns the day after it was dismissed', async () => {
    const { client, change } = await newTimeTraveller()
    await write(client, 'Remind me every day to take my pills.', minutesAgo(0))
    await change('memory_facts', `due_at = now() - interval '1 minute'`)
    const [first] = await intentsOf(client)
    await client.call(giveFeedback, {
      body: { intent_id: first?.intent_id as string, feedback: 'dismiss' },
    })
    expect(await intentsOf(client)).toEqual([])
    await change('memory_facts', `due_at = due_at - interval '1 day'`)
    await change(
      'intents',
      `due_at = due_at - interval '1 day', source = replace(source,
        to_char(due_at at time zone 'UTC', 'YYYY-MM-DD'),
        to_char((due_at - interval '1 day') at time zone 'UTC', 'YYYY-MM-DD'))`,
    )
    const [next, ...others] = await intentsOf(client)
    expect([next?.title, others]).toEqual(['take my pills every day', []])
    expect(next?.intent_id).not.toBe(first?.intent_id as string)
  })

  test('a reminder ends after thirty days, and feedback after ninety', async () => {
    const { client, change } = await newTimeTraveller()
    await write(client, 'Remind me in 1 minute to call Ada.', minutesAgo(5))
    await write(client, 'Remind me in 1 minute to feed Rex.', minutesAgo(5))
    const [one] = await intentsOf(client)
    const intent_id = one?.intent_id as string
    await client.call(giveFeedback, { body: { intent_id, feedback: 'thumbs_up' } })
    expect((await intentsOf(client)).map(({ weight }) => weight)).toEqual([4.5, 4])
    await change('intents', `created_at = now() - interval '91 days'`)
    expect((await intentsOf(client)).map(({ weight }) => weight)).toEqual([3.5, 3])
    await change('memories', `created_at = now() - interval '32 days'`)
    await change('memory_facts', `due_at = now() - interval '31 days'`, `value = 'call Ada'`)
    expect(await titlesOf(client)).toEqual(['feed Rex'])
  })
})

test('while extraction is disabled reminders wait, and none is lost', async () => {
  await using story = await onRestartable()
  const { running, client } = story
  await running.change('update users set is_admin = true')
  const turn = (enabled: boolean) =>
    client().call(switchEngine, {
      params: { engine: 'extraction' },
      body: { enabled, reason: 'a test' },
    })
  const remindedOf = (task: string) =>
    client().call(remember, {
      body: { content: `Remind me in 1 minute to ${task}.`, occurred_at: minutesAgo(5) },
    })
  await factsOf(client(), (await remindedOf('feed Rex')).memory_id)
  await turn(false)
  const { memory_id } = await remindedOf('call Ada')
  // The other engines have finished.
  await eventually(async () => {
    const { engines } = await client().call(memoryStatistics, {})
    const waiting = engines.filter(({ pending }) => pending > 0).map(({ engine }) => engine)
    return waiting.join() === 'extraction'
  })
  expect(await titlesOf(client())).toEqual(['feed Rex'])
  await turn(true)
  await factsOf(client(), memory_id)
  expect((await titlesOf(client())).toSorted()).toEqual(['call Ada', 'feed Rex'])
})

test('two servers on one database list the same intents, each once', async () => {
  const database = await createDatabase()
  const boot = (): Promise<TestServer> =>
    startServer({ SVC_BASE_URL: BASE_URL, SVC_AUTH_SECRET: 'x'.repeat(48) }, database)
  const servers = [await boot()]
  try {
    const { key } = await newVerifiedUser(servers[0] as TestServer)
    servers.push(await boot())
    const clients = servers.map(({ url }) => createClient({ baseUrl: url, credential: key }))
    const [one, other] = clients as [Client, Client]
    await write(one, 'Remind me in 1 minute to call Ada.', minutesAgo(5))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => intentsOf(i % 2 ? one : other)),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0] as typeof answer)
    expect(await runSql(database, 'select count(*)::int as count from intents')).toEqual([
      { count: 1 },
    ])
  } finally {
    for (const each of servers) await each.stop()
    await database.drop()
  }
})
