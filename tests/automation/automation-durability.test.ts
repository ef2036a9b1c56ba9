import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase } from '../harness/database.ts'
import { BASE_URL } from '../harness/http.ts'
import { newMailedUser, startMailbox } from '../harness/mail.ts'
import { spawnServer } from '../harness/process.ts'
import { startServer } from '../harness/server.ts'
import {
  apiCaller,
  type CallApi,
  decide,
  newDevice,
  newReflex,
  sendSignal,
  settledFirings,
  waitingConfirmations,
} from './support.ts'

// Creating the first database takes seconds, and so does detecting a killed server.
setDefaultTimeout(120_000)

interface Fired {
  state: string
  event: { value: number }
}
const valuesOf = (firings: Fired[]) => firings.map(({ event }) => event.value).toSorted()
const numbers = (texts: string[]) => texts.map((text) => Number(/-?\d+/.exec(text)?.[0])).toSorted()

/** Three reflexes that act on every signal: a memory, a chat message and an email. */
const newWatchers = async (callApi: CallApi) => {
  const text = 'It was {{value}}.'
  const actions = [
    { type: 'remember', content: text },
    { type: 'notify', channel: 'chat', text },
    { type: 'notify', channel: 'email', title: text, text },
  ]
  const created = await Promise.all(actions.map((action) => newReflex(callApi, { action })))
  return created.map(({ reflex_id }): string => reflex_id)
}

const rememberedBy = async (callApi: CallApi): Promise<number[]> => {
  const { body } = await callApi('GET', '/api/memories?limit=100')
  return numbers(body.memories.map(({ content_text }: { content_text: string }) => content_text))
}
const chatMessagesOf = async (callApi: CallApi): Promise<number[]> => {
  const [session] = (await callApi('GET', '/api/sessions')).body
  const { body } = await callApi('GET', `/api/sessions/${session.id}/messages?limit=100`)
  return numbers(body.map(({ content }: { content: string }) => content))
}

test('after kill -9 every reflex has fired once for each acknowledged signal', async () => {
  const database = await createDatabase()
  await using mailbox = await startMailbox()
  const env = { ...database.env, SVC_SMTP_URL: mailbox.url }
  await using first = spawnServer(env)
  let url = await first.url
  const user = await newMailedUser({ url }, mailbox)
  const callApi = apiCaller(
    () => ({ url }),
    () => user,
  )
  const device = await newDevice(callApi)
  const watchers = await newWatchers(callApi)
  const at = new Date(Date.now() + 5_000).toISOString()
  const timed = await newReflex(callApi, { trigger: { type: 'schedule', at } })

  const acknowledged: number[] = []
  const enough = Promise.withResolvers<void>()
  const sender = async (from: number) => {
    for (let value = from; value < from + 4; value++) {
      const sent = await sendSignal(callApi, device, value).catch(() => undefined)
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
    const firings: Fired[] = await settledFirings(callApi, reflexId, acknowledged.length)
    expect(firings.every(({ state }) => state === 'done')).toBe(true)
    fired.push(valuesOf(firings))
  }
  const [values = []] = fired
  expect(fired).toEqual([values, values, values])
  expect(new Set(values).size).toBe(values.length)
  expect(acknowledged.filter((value) => !values.includes(value))).toEqual([])
  expect(await rememberedBy(callApi)).toEqual(values)
  expect(await chatMessagesOf(callApi)).toEqual(values)
  await Promise.all(values.map((value) => mailbox.next(user.email, `It was ${value}.`)))
  const mails = mailbox.mails.filter(({ subject }) => subject.startsWith('It was'))
  // An email in transit when the server was killed may be sent again, with the same Message-ID.
  expect(new Set(mails.map(({ headers }) => headers.get('message-id'))).size).toBe(values.length)
  expect(await settledFirings(callApi, timed.reflex_id)).toMatchObject([
    { state: 'done', event: { due_at: at } },
  ])
  second.child.kill('SIGTERM')
  await second.result()
  await database.drop()
})

describe('two servers on one database', () => {
  test('two servers fire each reflex once and apply one of two decisions', async () => {
    const database = await createDatabase()
    await using mailbox = await startMailbox()
    const env = { SVC_BASE_URL: BASE_URL, SVC_SMTP_URL: mailbox.url }
    const servers = [await startServer(env, database), await startServer(env, database)] as const
    const user = await newMailedUser(servers[0], mailbox)
    const callers = servers.map((server) =>
      apiCaller(
        () => server,
        () => user,
      ),
    ) as [CallApi, CallApi]
    const [callApi] = callers
    const device = await newDevice(callApi)
    const [remembering = '', notifying = ''] = await newWatchers(callApi)
    const at = new Date(Date.now() + 3_000).toISOString()
    const timed = await newReflex(callApi, { trigger: { type: 'schedule', at } })
    const either = (n: number): CallApi => callers[n % 2] as CallApi

    await Promise.all([
      ...Array.from({ length: 15 }, (_, n) => sendSignal(either(n), device, n)),
      ...Array.from({ length: 15 }, (_, n) =>
        sendSignal(either(n), device, 100, { occurred_at: '2026-05-01' }),
      ),
    ])
    const expected = [...Array.from({ length: 15 }, (_, n) => n), 100].toSorted()
    for (const reflexId of [remembering, notifying]) {
      const firings: Fired[] = await settledFirings(callApi, reflexId, 16)
      expect(firings.every(({ state }) => state === 'done')).toBe(true)
      expect(valuesOf(firings)).toEqual(expected)
    }
    expect(await rememberedBy(callApi)).toEqual(expected)
    expect(await chatMessagesOf(callApi)).toEqual(expected)
    expect(await settledFirings(callApi, timed.reflex_id)).toHaveLength(1)

    await newReflex(callApi, { confirm: true })
    await sendSignal(callApi, device, 1)
    const [{ intent_id }] = await waitingConfirmations(callApi)
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
