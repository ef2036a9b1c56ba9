import { capture, deleteCapture, listCaptures, restoreCapture } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations } from './lib/text.ts'

const { values: args } = readArgs(
  `bench/captures.ts: captures conversations of one account, then lists them, and deletes and restores the longest one over HTTP
(ms, and ms for 1,000 of the memories that the request concerns, as a ratio to capturing them)`,
  {
    session: count('number of messages of the longest conversation', 10_000),
    others: count('number of messages of the other conversations', 20_000),
    length: count('number of messages of each of these', 40),
    database: oneOf('the database', ['embedded', 'postgres'], 'postgres'),
  },
)

const CLIENT = 'codex'
const LONGEST = 'longest'
const BATCH = 500

const write = async ({ client }: Account, session: string, texts: string[]): Promise<void> => {
  for (let start = 0; start < texts.length; start += BATCH)
    await client.call(capture, {
      body: {
        client: CLIENT,
        channel: 'hook',
        session,
        messages: texts.slice(start, start + BATCH).map((content, index) => {
          const ordinal = Math.floor((start + index) / 2) + 1
          return {
            turn: String(ordinal),
            ordinal,
            content,
            role: index % 2 ? ('assistant' as const) : ('user' as const),
          }
        }),
      },
    })
}

await using database = await createDatabase(args.database)
await using server = await startServer(database)
const account = await newAccount(server)
const texts = conversations(args.session + args.others, 1).map(({ content }) => content)
for (let start = args.session; start < texts.length; start += args.length)
  await write(account, `other ${start}`, texts.slice(start, start + args.length))

const { client } = account
const key = { client: CLIENT, session: LONGEST }
const [captureMs] = await timed(() => write(account, LONGEST, texts.slice(0, args.session)))
const rows: [name: string, ms: number, memories: number][] = [['capture', captureMs, args.session]]
const measure = async (name: string, work: () => Promise<number>) => {
  const [ms, memories] = await timed(work)
  rows.push([name, ms, memories])
}
for (const name of ['list', 'list again'])
  await measure(name, async () => {
    const { sessions } = await client.call(listCaptures, { query: { limit: 20 } })
    return sessions.reduce((sum, { memories }) => sum + memories, 0)
  })
for (const name of ['', ' again']) {
  await measure(
    `delete${name}`,
    async () => (await client.call(deleteCapture, { query: key })).deleted,
  )
  await measure(
    `restore${name}`,
    async () => (await client.call(restoreCapture, { body: key })).restored,
  )
}
printTable(
  ['', 'memories', 'ms', 'ms / 1,000', '/ capture'],
  rows.map(([name, ms, memories]) => [
    name,
    memories,
    ms.toFixed(1),
    ((ms / memories) * 1_000).toFixed(1),
    (ms / memories / (captureMs / args.session)).toFixed(2),
  ]),
)
