import { expect, setDefaultTimeout, test } from 'bun:test'
import { type Client, createClient } from '../../shared/client.ts'
import {
  chatStream,
  createReflex,
  me,
  memoryStatistics,
  recall,
  remember,
  sendEmail,
} from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newMailedUser, startMailbox } from '../harness/mail.ts'
import { allMemories } from '../harness/memories.ts'
import { hasPrograms } from '../harness/programs.ts'
import { proxyConfig, startProxy } from '../harness/proxy.ts'
import { SHARED, startMember } from './support.ts'

setDefaultTimeout(180_000)

const REQUESTS_PER_SECOND = 50
/** A reflex fires at most 60 times an hour. */
const MOST_FIRINGS = 50
const WATCHED = 'watched'
const METRICS_TOKEN = 'a-metrics-token-of-32-characters'
/** More than the proxy needs to see that a server is not ready. */
const DRAIN_SECONDS = '3'

/** Counts how often the webhook of a reflex got each memory. */
const startReceiver = () => {
  const counts = new Map<string, number>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { data } = (await request.json()) as { data: { event: { content_text: string } } }
      const { content_text } = data.event
      counts.set(content_text, (counts.get(content_text) ?? 0) + 1)
      return new Response(null, { status: 204 })
    },
  })
  return { counts, port: server.port ?? 0, [Symbol.dispose]: () => void server.stop(true) }
}

/** Sends mixed requests at a steady rate, and records what was acknowledged. */
const startLoad = (client: Client) => {
  const acknowledged = { memories: [] as string[], watched: [] as string[], emails: [] as string[] }
  const failures: string[] = []
  const domain = `${crypto.randomUUID()}.example.com`

  const write = async (n: number) => {
    const isWatched = n % 25 === 0 && acknowledged.watched.length < MOST_FIRINGS
    const content = `Note ${n}: the gauge of boiler ${n} read ${n * 7} bar`
    await client.call(remember, { body: { content, tags: isWatched ? [WATCHED] : [] } })
    acknowledged.memories.push(content)
    if (isWatched) acknowledged.watched.push(content)
  }
  const email = async (n: number) => {
    const to = `reader-${n}@${domain}`
    const body = { to: [to], subject: `Reading ${n}`, text: 'The gauge was read.' }
    await client.call(sendEmail, { body })
    acknowledged.emails.push(to)
  }
  const chat = async (n: number) => {
    const body = { message: `What did the gauge of boiler ${n} read?` }
    const events: string[] = []
    for await (const { event } of await client.call(chatStream, { body })) events.push(event)
    if (events.at(-1) !== 'done') throw new Error(`the stream ended with ${events.at(-1)}`)
  }
  const operations = [
    write,
    (n: number) => client.call(recall, { body: { query: `boiler ${n} gauge`, limit: 3 } }),
    () => client.call(me),
    write,
    (n: number) => client.call(recall, { body: { query: `bar ${n * 7}`, limit: 3 } }),
    () => client.call(me),
    write,
    (n: number) => (n % 3 ? client.call(me) : chat(n)),
    () => client.call(me),
    (n: number) => (n % 20 === 9 ? email(n) : client.call(me)),
  ]
  const open = new Set<Promise<void>>()
  let n = 0
  const send = () => {
    const number = ++n
    const operation = operations[number % operations.length] as (n: number) => Promise<unknown>
    const done = operation(number)
      .catch((error: unknown) => {
        failures.push(`request ${number}: ${error}`)
      })
      .then(() => {
        open.delete(done)
      })
    open.add(done)
  }
  const timer = setInterval(send, 1000 / REQUESTS_PER_SECOND)
  return {
    acknowledged,
    failures,
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

/** Whether a process got requests of the load since its start. */
const isServing = async (url: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return text.includes('route="/api/remember",status="201"')
}

const repeated = (values: Iterable<string>): string[] => {
  const seen = new Set<string>()
  return [...values].filter((value) => seen.has(value) || !seen.add(value))
}

test.if(hasPrograms('caddy'))(
  'a rolling restart of two web processes and a worker fails no request, loses no write and doubles nothing',
  async () => {
    await using stack = new AsyncDisposableStack()
    const database = await createDatabase()
    stack.defer(database.drop)
    const mailbox = stack.use(await startMailbox())
    const receiver = stack.use(startReceiver())

    const env = {
      ...database.env,
      ...SHARED,
      SVC_SMTP_URL: mailbox.url,
      SVC_DEFAULT_TIER: 'conscious',
      SVC_TRUSTED_PROXIES: '127.0.0.1',
      SVC_DRAIN_SECONDS: DRAIN_SECONDS,
      SVC_METRICS_TOKEN: METRICS_TOKEN,
      SVC_LOG_LEVEL: 'warn',
      TEST_WEBHOOK_PORT: String(receiver.port),
    }
    const [first, second, worker] = await Promise.all([
      startMember('web', env),
      startMember('web', env),
      startMember('worker', env),
    ])
    for (const member of [first, second, worker]) stack.use(member)
    const proxy = stack.use(
      await startProxy('Caddy', async (port) =>
        (await proxyConfig('scaling.md', 'caddyfile', port))
          .replace('10.0.0.1:3000', first.host)
          .replace('10.0.0.2:3000', second.host),
      ),
    )

    const user = await newMailedUser(proxy, mailbox)
    const client = createClient({ baseUrl: proxy.url, credential: user.key })
    await client.call(createReflex, {
      body: {
        name: 'Watch the boiler',
        trigger: { type: 'memory', tags: [WATCHED] },
        action: { type: 'webhook', channel: 'webhook', url: 'http://hooks.test/' },
      },
    })

    const load = startLoad(client)
    const exits: number[] = []
    for (const member of [first, second, worker]) {
      exits.push(await member.stop())
      await member.start()
      // The guide: the next one is restarted when the proxy sends requests to this one.
      if (member !== worker) await eventually(() => isServing(member.url))
    }
    await load.stop()

    expect(load.failures).toEqual([])
    expect(exits).toEqual([0, 0, 0])
    const { acknowledged } = load
    expect(acknowledged.watched.length).toBeGreaterThan(0)
    expect(acknowledged.emails.length).toBeGreaterThan(0)

    const memories = (await allMemories(client))
      .map(({ content_text }) => content_text)
      .filter((text) => text.startsWith('Note '))
    expect(acknowledged.memories.filter((text) => !memories.includes(text))).toEqual([])
    expect(repeated(memories)).toEqual([])

    const received = () => mailbox.mails.flatMap(({ to }) => to).filter((to) => to !== user.email)
    const isMissing = (sent: string[], expected: string[]) =>
      expected.some((each) => !sent.includes(each))
    await eventually(async () => !isMissing(received(), acknowledged.emails))
    await eventually(async () => !isMissing([...receiver.counts.keys()], acknowledged.watched))
    await eventually(async () => {
      const { engines } = await client.call(memoryStatistics)
      return engines.every(({ pending }) => pending === 0)
    })
    expect(received().toSorted()).toEqual(acknowledged.emails.toSorted())
    expect([...receiver.counts].filter(([, count]) => count !== 1)).toEqual([])
  },
)
