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
/** Not counted: connections are opened, statements planned, and memory taken that is kept. */
const WARM_UP = 100
/** Streams that are dropped at a time. */
const DROPPED_AT_ONCE = 50
const DROPPED_A_ROW = 200
/** Between the pieces of streams that are dropped: a hundred tokens a second. */
const PAUSE_MS = 10
const SLOW_MS = 60_000

const { values: args } = readArgs(
  'bench/stream.ts: the model’s first token through the server (ms), many streams at once, streams that are dropped, and a reader who stops reading',
  {
    streams: count('streams one after the other', 200),
    parallel: count('streams at once', 500),
    pieces: count('pieces of each answer', 50),
    dropped: count('streams that are dropped', 1_000),
    stalled: count('for how many seconds a reader stops reading', 10),
    said: oneOf(
      'what is said: statements are remembered and read for facts meanwhile',
      ['questions', 'statements'],
      'questions',
    ),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

let messages = 0

interface Told {
  /** From the model's first token to the reader's. */
  firstMs: number
  isDone: boolean
}

/** Reads a stream to its end, or leaves it at the first words. */
const listen = async (
  { url }: BenchServer,
  { key }: Account,
  speaker: Speaker,
  isDropped = false,
): Promise<Told> => {
  const number = ++messages
  const message = `${args.said === 'questions' ? 'Where is' : 'This is'} Message ${number}${args.said === 'questions' ? '?' : ''}`
  const leaving = new AbortController()
  const response = await fetch(new URL(talkStream.path, url), {
    method: talkStream.method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, agent_slug: `agent-${number % 20}` }),
    signal: leaving.signal,
  })
  if (!response.ok || !response.body) throw new Error(await response.text())
  const decoder = new TextDecoder()
  let text = ''
  let firstMs: number | undefined
  try {
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, { stream: true })
      if (firstMs !== undefined || !text.includes('event: delta')) continue
      firstMs = performance.now() - (speaker.saidAt.get(`Message ${number}`) ?? Number.NaN)
      if (isDropped) leaving.abort()
    }
  } catch (error) {
    if (!isDropped) throw error
  }
  return { firstMs: firstMs ?? Number.NaN, isDone: text.includes('event: done') }
}

const times = (all: Told[]) => {
  const ms = all.map(({ firstMs }) => firstMs)
  return [median(ms), quantile(ms, 0.99)].map((value) => value.toFixed(1))
}

/** The sockets that a process has open. */
const socketsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length

const until = async (isSo: () => boolean) => {
  const end = performance.now() + SLOW_MS
  while (!isSo() && performance.now() < end) await Bun.sleep(20)
}

const drop = async (server: BenchServer, account: Account, speaker: Speaker, streams: number) => {
  for (let dropped = 0; dropped < streams; dropped += DROPPED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(DROPPED_AT_ONCE, streams - dropped) }, () =>
        listen(server, account, speaker, true),
      ),
    )
  await until(() => speaker.speaking() === 0)
}

/** Asks for an answer without an end, reads its beginning, and then nothing for a while. */
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
    // More is said than the free tier has.
    SVC_DEFAULT_TIER: 'conscious',
  })
  let account: Account
  {
    await using server = await startServer(database, env(speaker.url))
    account = await newAccount(server)
    for (let i = 0; i < WARM_UP; i++) await listen(server, account, speaker)

    const one: Told[] = []
    for (let i = 0; i < args.streams; i++) one.push(await listen(server, account, speaker))
    const [mib, many] = await growthDuring(server.pid, () =>
      Promise.all(Array.from({ length: args.parallel }, () => listen(server, account, speaker))),
    )
    const done = (all: Told[]) => `${all.filter(({ isDone }) => isDone).length} of ${all.length}`
    console.log(
      `${kind}: the first token, from the model to the reader (p50 of at most ${TARGET_MS} ms wanted)`,
    )
    printTable(
      ['streams', 'done', 'p50 ms', 'p99 ms', 'memory MiB'],
      [
        ['one after the other', done(one), ...times(one), ''],
        [`${args.parallel} at once`, done(many), ...times(many), `+${mib.toFixed(0)}`],
      ],
    )
  }
  {
    await using server = await startServer(database, env(slow.url))
    const look = () => [socketsOf(server.pid), residentMib(server.pid).toFixed(0)]
    const rows = [['0', ...look(), slow.speaking()]]
    for (let dropped = 0; dropped < args.dropped; dropped += DROPPED_A_ROW) {
      const more = Math.min(DROPPED_A_ROW, args.dropped - dropped)
      await drop(server, account, slow, more)
      rows.push([String(dropped + more), ...look(), slow.speaking()])
    }
    console.log(
      `${kind}: streams that are dropped at the first word (memory goes down when garbage is collected)`,
    )
    printTable(['dropped', 'sockets', 'memory MiB', 'still speaking'], rows)
  }
  {
    await using server = await startServer(database, env(endless.url))
    const sent = endless.sent()
    const [mib] = await growthDuring(server.pid, () => stall(server, account))
    await until(() => endless.speaking() === 0)
    console.log(`${kind}: a reader who stops reading for ${args.stalled} s`)
    const taken = ((endless.sent() - sent) / 1024 ** 2).toFixed(1)
    printTable(
      ['memory MiB', 'taken from the model MiB', 'still speaking'],
      [[`+${mib.toFixed(0)}`, taken, endless.speaking()]],
    )
  }
}
