import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { talkStream } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, kindsOf } from './lib/database.ts'
import { growthDuring, residentMib } from './lib/resident.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { type Speaker, startSpeaker } from './lib/speaker.ts'
import { median, quantile } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const TARGET_MS = 10
/** Uncounted requests that open connections, plan statements and grow the heap. */
const WARM_UP = 100
/** Dropped streams at a time. */
const DROPPED_AT_ONCE = 50
const DROPPED_PER_ROW = 200
/** The pause between the pieces of dropped streams, 100 tokens per second. */
const PAUSE_MS = 10
const SLOW_MS = 60_000

const { values: args } = readArgs(
  'bench/stream.ts: latency of the first token through the server (ms), concurrent streams, dropped streams, and a client that stops reading',
  {
    streams: count('number of sequential streams', 200),
    parallel: count('number of concurrent streams', 500),
    pieces: count('number of pieces of each answer', 50),
    dropped: count('number of dropped streams', 1_000),
    stalled: count('seconds for which a client stops reading', 10),
    said: oneOf(
      'kind of messages; statements are also remembered and read for facts',
      ['questions', 'statements'],
      'questions',
    ),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

let messages = 0

interface StreamResult {
  /** From the model's first token to the client's. */
  firstMs: number
  isDone: boolean
}

/** Reads a stream to its end, or disconnects after the first delta. */
const readStream = async (
  { url }: BenchServer,
  { key }: Account,
  speaker: Speaker,
  isDropped = false,
): Promise<StreamResult> => {
  const number = ++messages
  const message = `${args.said === 'questions' ? 'Where is' : 'This is'} Message ${number}${args.said === 'questions' ? '?' : ''}`
  const disconnect = new AbortController()
  const response = await fetch(new URL(talkStream.path, url), {
    method: talkStream.method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, agent_slug: `agent-${number % 20}` }),
    signal: disconnect.signal,
  })
  if (!response.ok || !response.body) throw new Error(await response.text())
  const decoder = new TextDecoder()
  let text = ''
  let firstMs: number | undefined
  try {
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, { stream: true })
      if (firstMs !== undefined || !text.includes('event: delta')) continue
      firstMs = performance.now() - (speaker.firstSentAt.get(`Message ${number}`) ?? Number.NaN)
      if (isDropped) disconnect.abort()
    }
  } catch (error) {
    if (!isDropped) throw error
  }
  return { firstMs: firstMs ?? Number.NaN, isDone: text.includes('event: done') }
}

const times = (all: StreamResult[]) => {
  const ms = all.map(({ firstMs }) => firstMs)
  return [median(ms), quantile(ms, 0.99)].map((value) => value.toFixed(1))
}

/** The number of open sockets of a process. */
const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length

const until = async (condition: () => boolean) => {
  const end = performance.now() + SLOW_MS
  while (!condition() && performance.now() < end) await Bun.sleep(20)
}

const drop = async (server: BenchServer, account: Account, speaker: Speaker, streams: number) => {
  for (let dropped = 0; dropped < streams; dropped += DROPPED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(DROPPED_AT_ONCE, streams - dropped) }, () =>
        readStream(server, account, speaker, true),
      ),
    )
  await until(() => speaker.speaking() === 0)
}

/** Requests an endless answer, reads its beginning and then stops reading. */
const stall = async ({ url }: BenchServer, { key }: Account) => {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ message: `Message ${++messages}` })
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST ${talkStream.path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  await Bun.sleep(args.stalled * 1000)
  socket.destroy()
}

for (const kind of kindsOf(args.database)) {
  await using database = await createDatabase(kind)
  await using speaker = await startSpeaker(args.pieces)
  await using slow = await startSpeaker(Number.MAX_SAFE_INTEGER, 'word ', PAUSE_MS)
  await using endless = await startSpeaker(Number.MAX_SAFE_INTEGER, 'word '.repeat(200))
  const env = (url: string) => ({
    SVC_OPENAI_BASE_URL: url,
    SVC_CHAT_MODEL: 'bench',
    // The default tier has too few messages.
    SVC_DEFAULT_TIER: 'conscious',
  })
  let account: Account
  {
    await using server = await startServer(database, env(speaker.url))
    account = await newAccount(server)
    for (let i = 0; i < WARM_UP; i++) await readStream(server, account, speaker)

    const one: StreamResult[] = []
    for (let i = 0; i < args.streams; i++) one.push(await readStream(server, account, speaker))
    const [mib, many] = await growthDuring(server.pid, () =>
      Promise.all(
        Array.from({ length: args.parallel }, () => readStream(server, account, speaker)),
      ),
    )
    const done = (all: StreamResult[]) =>
      `${all.filter(({ isDone }) => isDone).length} of ${all.length}`
    console.log(
      `${kind}: latency of the first token, from the model to the client (target: p50 of at most ${TARGET_MS} ms)`,
    )
    printTable(
      ['streams', 'done', 'p50 ms', 'p99 ms', 'memory MiB'],
      [
        ['sequential', done(one), ...times(one), ''],
        [`${args.parallel} concurrent`, done(many), ...times(many), `+${mib.toFixed(0)}`],
      ],
    )
  }
  {
    await using server = await startServer(database, env(slow.url))
    const measure = () => [socketsOf(server.pid), residentMib(server.pid).toFixed(0)]
    const rows = [['0', ...measure(), slow.speaking()]]
    for (let dropped = 0; dropped < args.dropped; dropped += DROPPED_PER_ROW) {
      const more = Math.min(DROPPED_PER_ROW, args.dropped - dropped)
      await drop(server, account, slow, more)
      rows.push([String(dropped + more), ...measure(), slow.speaking()])
    }
    console.log(
      `${kind}: streams dropped at the first delta (garbage collection reduces the memory later)`,
    )
    printTable(['dropped', 'sockets', 'memory MiB', 'active streams'], rows)
  }
  {
    await using server = await startServer(database, env(endless.url))
    const sent = endless.sent()
    const [mib] = await growthDuring(server.pid, () => stall(server, account))
    await until(() => endless.speaking() === 0)
    console.log(`${kind}: a client that stops reading for ${args.stalled} s`)
    const readMib = ((endless.sent() - sent) / 1024 ** 2).toFixed(1)
    printTable(
      ['memory MiB', 'read from the model MiB', 'active streams'],
      [[`+${mib.toFixed(0)}`, readMib, endless.speaking()]],
    )
  }
}
