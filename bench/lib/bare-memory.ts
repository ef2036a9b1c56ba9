/**
 * A minimal server of memories on an embedded database of its own: `bare-memory.ts PORT DATA_DIR`. It serves
 * what the mix of bench/load sends, with one table, a text vector, `ts_rank_cd`, and a key looked up for each
 * request. `POST /accounts` returns a key.
 */
import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import postgres from 'postgres'
import { clientOptions, startEmbedded } from '../../server/platform/db/embedded/open.ts'

const SCHEMA = `
create table accounts (id uuid primary key, key_hash text not null unique);
create table memories (
  id uuid primary key, owner_id uuid not null references accounts, content text not null, thread text, author text,
  created_at timestamptz not null default now(),
  words tsvector not null generated always as (to_tsvector('english', content)) stored
);
create index on memories (owner_id);
create index on memories using gin (words);`

interface Memory {
  content: string
  thread: string
  author: string
}

const [port, dataDir = ''] = process.argv.slice(2)
const database = await startEmbedded(dataDir)
const sql = postgres({ max: 6, onnotice: () => {}, ...clientOptions(database) })
await sql.unsafe(SCHEMA)

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

const ownerOf = async (request: Request): Promise<string> => {
  const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
  const [account] = await sql`select id from accounts where key_hash = ${hashOf(key)}`
  if (!account) throw new Error('No such key')
  return account.id
}

const store = (owner_id: string, memories: Memory[]) => {
  const rows = memories.map(({ content, thread, author }) => ({
    ...{ id: Bun.randomUUIDv7(), owner_id },
    ...{ content, thread, author },
  }))
  return sql`insert into memories ${sql(rows)} returning id, content, thread, author, created_at`
}

/** Memories that have any word of the question, best first. */
const search = (ownerId: string, question: string) => sql`
  select m.id, m.content, m.thread, m.author, m.created_at, ts_rank_cd(m.words, q) as score
  from (select replace(plainto_tsquery('english', ${question})::text, '&', '|')::tsquery as q) question, memories m
  where m.owner_id = ${ownerId} and m.words @@ q order by score desc limit 10`

const server = new Elysia()
  .get('/api/ready', () => ({ status: 'ready' }))
  .post('/accounts', async () => {
    const key = crypto.randomUUID()
    await sql`insert into accounts ${sql({ id: crypto.randomUUID(), key_hash: hashOf(key) })}`
    return { key }
  })
  .get('/api/me', async ({ request }) => ({ id: await ownerOf(request) }))
  .post('/api/remember', async ({ request, body }) => {
    const [memory] = await store(await ownerOf(request), [body as Memory])
    return memory
  })
  .post('/api/remember/batch', async ({ request, body }) => ({
    memories: await store(await ownerOf(request), (body as { memories: Memory[] }).memories),
  }))
  .post('/api/recall', async ({ request, body }) => ({
    memories: await search(await ownerOf(request), (body as { query: string }).query),
  }))
  .listen({ hostname: '127.0.0.1', port: Number(port) })

process.once('SIGTERM', async () => {
  await server.stop(true)
  await sql.end()
  await database[Symbol.asyncDispose]()
  process.exit()
})
