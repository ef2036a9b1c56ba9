import { isDeepStrictEqual } from 'node:util'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import { forgotPassword, mailSignInCode, signIn } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, kindsOf } from './lib/database.ts'
import { type BenchServer, newAccount, nextAddress, startServer } from './lib/server.ts'
import { median, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

/** Below the limits: ten failed sign-ins lock an address, and an address gets 20 links per hour. */
const TRIES_PER_ADDRESS = 8
/** Uncounted requests that open connections and plan statements. */
const WARM_UP = 10

const { values: args } = readArgs(
  'bench/enumeration.ts: whether a response or its time reveals which email addresses have accounts (ms)',
  {
    pairs: count('number of pairs of a known and an unknown address', 300),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'postgres'),
  },
)

interface Question {
  row: Endpoint
  bodyOf(email: string): object
}

const questions: Record<string, Question> = {
  'sign-in, wrong password': {
    row: signIn,
    bodyOf: (email) => ({ email, password: 'not the right password' }),
  },
  'forgotten password': { row: forgotPassword, bodyOf: (email) => ({ email }) },
  'mailed code': { row: mailSignInCode, bodyOf: (email) => ({ email }) },
}

/** A response without what is random in each. */
const withoutRandom = (text: string): string =>
  text.replace(/"attempt_token":"[\w-]{1,100}"/, '"attempt_token":"…"')

const ask = ({ url }: BenchServer, { row, bodyOf }: Question, email: string) =>
  timed(async () => {
    const response = await fetch(new URL(row.path, url), {
      method: row.method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
      body: JSON.stringify(bodyOf(email)),
    })
    const { 'x-request-id': _id, date: _date, ...headers } = response.headers.toJSON()
    return { status: response.status, headers, body: withoutRandom(await response.text()) }
  })

interface Pair {
  known: number
  unknown: number
}

/** The work that a request has queued, such as an email, would slow down the next one: an unknown address more often. */
const SETTLE_MS = 40

/** Sends both requests in a random order for each pair, so that drift affects both equally. */
const askBoth = async (
  server: BenchServer,
  question: Question,
  emails: Record<keyof Pair, string>,
): Promise<Pair> => {
  const pair: Pair = { known: 0, unknown: 0 }
  const responses: unknown[] = []
  const order: (keyof Pair)[] = Math.random() < 0.5 ? ['known', 'unknown'] : ['unknown', 'known']
  for (const which of order) {
    const [ms, response] = await ask(server, question, emails[which])
    pair[which] = ms
    responses.push(response)
    await Bun.sleep(SETTLE_MS)
  }
  if (!isDeepStrictEqual(responses[0], responses[1]))
    throw new Error(`The responses differ: ${JSON.stringify(responses)}`)
  return pair
}

/** Uses known and unknown addresses equally often, each at most `TRIES_PER_ADDRESS` times. */
const emailsFor = async (server: BenchServer): Promise<Record<keyof Pair, string>[]> => {
  const emails: Record<keyof Pair, string>[] = []
  while (emails.length < args.pairs + WARM_UP) {
    const { email: known } = await newAccount(server)
    const unknown = `bench-${crypto.randomUUID()}@example.com`
    emails.push(...Array.from({ length: TRIES_PER_ADDRESS }, () => ({ known, unknown })))
  }
  return emails.slice(0, args.pairs + WARM_UP)
}

/** The share of pairs in which the known address took longer, with the 95% Wilson score interval. */
const shareSlower = (pairs: Pair[]) => {
  const z = 1.96
  const n = pairs.length
  const share = pairs.filter(({ known, unknown }) => known > unknown).length / n
  const centre = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z / (2 * n)) ** 2)) / (1 + z ** 2 / n)
  return { share, low: centre - half, high: centre + half }
}

const rowOf = (name: string, pairs: Pair[]): (string | number)[] => {
  const { share, low, high } = shareSlower(pairs)
  return [
    name,
    pairs.length,
    median(pairs.map(({ known }) => known)).toFixed(2),
    median(pairs.map(({ unknown }) => unknown)).toFixed(2),
    median(pairs.map(({ known, unknown }) => known - unknown)).toFixed(3),
    share.toFixed(3),
    `${low.toFixed(3)}-${high.toFixed(3)}`,
    low <= 0.5 && high >= 0.5 ? 'no' : 'YES',
  ]
}

const run = async (kind: BenchDatabase['kind']): Promise<void> => {
  await using database = await createDatabase(kind)
  await using server = await startServer(database)
  const emails = await emailsFor(server)
  const rows: (string | number)[][] = []
  for (const [name, question] of Object.entries(questions)) {
    const pairs: Pair[] = []
    for (const pair of emails) pairs.push(await askBoth(server, question, pair))
    rows.push(rowOf(name, pairs.slice(WARM_UP)))
  }
  printTable(
    [kind, 'pairs', 'known', 'unknown', 'difference', 'known slower', '95% interval', 'differs'],
    rows,
  )
}

for (const kind of kindsOf(args.database)) await run(kind)
