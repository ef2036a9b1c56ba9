import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase, databaseKind } from '../harness/database.ts'
import { newMailedUser, startMailbox } from '../harness/mail.ts'
import { startServer } from '../harness/server.ts'
import {
  decide,
  newDevice,
  newReflex,
  type Speak,
  sendSignal,
  settledFirings,
  speaker,
  waitingConfirmations,
} from './automation-support.ts'
import { spawnServer } from './process.ts'
import { BASE_URL } from './support.ts'

// Making a first database takes seconds, and so does knowing that a server was killed.
setDefaultTimeout(120_000)

interface Fired {
  state: string
  event: { value: number }
}
const valuesOf = (firings: Fired[]) => firings.map(({ event }) => event.value).toSorted()
const numbers = (texts: string[]) => texts.map((text) => Number(/-?\d+/.exec(text)?.[0])).toSorted()

/** What three reflexes do with every signal: in memories, in chat, and by mail. */
const newWatchers = async (say: Speak) => {
  const text = 'It was {{value}}.'
  const actions = [
    { type: 'remember', content: text },
    { type: 'notify', channel: 'chat', text },
    { type: 'notify', channel: 'email', title: text, text },
  ]
  const made = await Promise.all(actions.map((action) => newReflex(say, { action })))
  return made.map(({ reflex_id }): string => reflex_id)
}

const rememberedBy = async (say: Speak): Promise<number[]> => {
  const { body } = await say('GET', '/api/memories?limit=100')
  return numbers(body.memories.map(({ content_text }: { content_text: string }) => content_text))
}
const saidTo = async (say: Speak): Promise<number[]> => {
  const [session] = (await say('GET', '/api/sessions')).body
  const { body } = await say('GET', `/api/sessions/${session.id}/messages?limit=100`)
  return numbers(body.map(({ content }: { content: string }) => content))
}

test('after kill -9 every reflex has fired once for each signal that was acknowledged', async () => {
  const database = await createDatabase()
  await using mailbox = await startMailbox()
  const env = { ...database.env, SVC_SMTP_URL: mailbox.url }
  await using first = spawnServer(env)
  let url = await first.url
  const user = await newMailedUser({ url }, mailbox)
  const say = speaker(
    () => ({ url }),
    () => user,
  )
  const device = await newDevice(say)
  const watchers = await newWatchers(say)
  const at = new Date(Date.now() + 5_000).toISOString()
  const timed = await newReflex(say, { trigger: { type: 'schedule', at } })

  const acknowledged: number[] = []
  const enough = Promise.withResolvers<void>()
  const sender = async (from: number) => {
    for (let value = from; value < from + 4; value++) {
      const sent = await sendSignal(say, device, value).catch(() => undefined)
      if (!sent) return
      acknowledged.push(value)
      if (acknowledged.length === 7) enough.resolve()
    }
  }
  const senders = [10, 20, 30].map(sender)
  await enough.promise
  first.child.kill('SIGKILL')
  await Promise.all(senders)

  await using second = spawnServer(env)
  url = await second.url
  const fired: number[][] = []
  for (const reflexId of watchers) {
    const firings: Fired[] = await settledFirings(say, reflexId, acknowledged.length)
    expect(firings.every(({ state }) => state === 'done')).toBe(true)
    fired.push(valuesOf(firings))
  }
  const [values = []] = fired
  expect(fired).toEqual([values, values, values])
  expect(new Set(values).size).toBe(values.length)
  expect(acknowledged.filter((value) => !values.includes(value))).toEqual([])
  expect(await rememberedBy(say)).toEqual(values)
  expect(await saidTo(say)).toEqual(values)
  await Promise.all(values.map((value) => mailbox.next(user.email, `It was ${value}.`)))
  const mails = mailbox.mails.filter(({ subject }) => subject.startsWith('It was'))
  // A mail that was on its way when the server was killed may come again, as the same one.
  expect(new Set(mails.map(({ headers }) => headers.get('message-id'))).size).toBe(values.length)
  expect(await settledFirings(say, timed.reflex_id)).toMatchObject([
    { state: 'done', event: { due_at: at } },
  ])
  second.child.kill('SIGTERM')
  await second.result()
  await database.drop()
})

describe.if(databaseKind === 'postgres')('two servers on one database', () => {
  test('fire each reflex once, and heed one of two decisions', async () => {
    const database = await createDatabase()
    await using mailbox = await startMailbox()
    const env = { SVC_BASE_URL: BASE_URL, SVC_SMTP_URL: mailbox.url }
    const servers = [await startServer(env, database), await startServer(env, database)] as const
    const user = await newMailedUser(servers[0], mailbox)
    const says = servers.map((server) =>
      speaker(
        () => server,
        () => user,
      ),
    ) as [Speak, Speak]
    const [say] = says
    const device = await newDevice(say)
    const [remembering = '', telling = ''] = await newWatchers(say)
    const at = new Date(Date.now() + 3_000).toISOString()
    const timed = await newReflex(say, { trigger: { type: 'schedule', at } })
    const either = (n: number): Speak => says[n % 2] as Speak

    await Promise.all([
      ...Array.from({ length: 15 }, (_, n) => sendSignal(either(n), device, n)),
      ...Array.from({ length: 15 }, (_, n) =>
        sendSignal(either(n), device, 100, { occurred_at: '2026-05-01' }),
      ),
    ])
    const expected = [...Array.from({ length: 15 }, (_, n) => n), 100].toSorted()
    for (const reflexId of [remembering, telling]) {
      const firings: Fired[] = await settledFirings(say, reflexId, 16)
      expect(firings.every(({ state }) => state === 'done')).toBe(true)
      expect(valuesOf(firings)).toEqual(expected)
    }
    expect(await rememberedBy(say)).toEqual(expected)
    expect(await saidTo(say)).toEqual(expected)
    expect(await settledFirings(say, timed.reflex_id)).toHaveLength(1)

    await newReflex(say, { confirm: true })
    await sendSignal(say, device, 1)
    const [{ intent_id }] = await waitingConfirmations(say)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        decide(either(n), intent_id, n % 2 ? 'fire' : 'skip_once'),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const server of servers) await server.stop()
    await database.drop()
  })
})
