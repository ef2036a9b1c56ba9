import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { type Link, startDatabaseLink } from '../harness/link.ts'
import { type ModelServer, says, stalls, startModelServer } from '../harness/model-server.ts'
import { request, startServer, type TestServer, type TestUser } from '../harness/server.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let link: Link & { url: string }
let model: ModelServer
let server: TestServer
let user: TestUser
/** A connection of the test, which takes locks that the server waits for. */
let own: postgres.Sql

/** The key of an advisory lock that each commit of an answer takes. */
const COMMIT_LOCK = 4_711

beforeAll(async () => {
  database = await createDatabase()
  await runSql(
    database,
    `create function wait_for_test() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${COMMIT_LOCK});
      return null;
    end $$`,
    `create constraint trigger wait_for_test after insert or update on chat_messages
      deferrable initially deferred for each row
      when (new.role = 'assistant') execute function wait_for_test()`,
  )
  link = await startDatabaseLink(database.env.SVC_DATABASE_URL)
  model = await startModelServer()
  const used = { ...database, env: { ...database.env, SVC_DATABASE_URL: link.url } }
  server = await startServer({ SVC_OPENAI_BASE_URL: model.url, SVC_CHAT_MODEL: 'a-model' }, used)
  user = await newVerifiedUser(server)
  own = postgres(database.env.SVC_DATABASE_URL, { max: 1 })
})

afterAll(async () => {
  await own.end()
  await server.stop()
  await model[Symbol.asyncDispose]()
  link[Symbol.dispose]()
  await database.drop()
})

const messagesOf = async (sessionId: string) =>
  (await request(server, 'GET', `/api/sessions/${sessionId}/messages`, { token: user.key })).body

/** A lock that makes the server wait where the connection is to be lost. */
interface Point {
  lock(sessionId: string): string
  unlock: string
}

const points: Record<string, Point> = {
  'before the answer is stored': {
    lock: (id) => `begin; select from chat_sessions where session_id = '${id}' for update`,
    unlock: 'commit',
  },
  'at the commit': {
    lock: () => `select pg_advisory_lock(${COMMIT_LOCK})`,
    unlock: `select pg_advisory_unlock(${COMMIT_LOCK})`,
  },
}

const isWaiting = async () => {
  const text = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return (await own.unsafe(text)).length > 0
}

/** Leaves a stream after its first delta, and cuts the server's connections while it stores the answer. */
const leaveAndCut = async (path: string, body: object, { lock, unlock }: Point) => {
  const abort = new AbortController()
  const response = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${user.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    signal: abort.signal,
  })
  let text = ''
  let sessionId = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (!text.includes('event: delta')) continue
    sessionId = /"session_id":"([^"]+)"/.exec(text)?.[1] ?? ''
    await own.unsafe(lock(sessionId))
    break
  }
  abort.abort()
  await eventually(isWaiting)
  link.reset()
  await own.unsafe(unlock)
  return sessionId
}

for (const [where, point] of Object.entries(points)) {
  test(`a partial answer is stored once if the connection is lost ${where}`, async () => {
    model.next(stalls('Once upon a time'))
    const sessionId = await leaveAndCut('/api/chat/stream', { message: 'Tell me a tale' }, point)
    await eventually(async () => (await messagesOf(sessionId)).length > 1)
    expect(await messagesOf(sessionId)).toMatchObject([
      { content: 'Tell me a tale' },
      { content: 'Once upon a time', is_partial: true, versions: [] },
    ])
  })

  test(`a regenerated partial answer is stored once if the connection is lost ${where}`, async () => {
    model.next(says('The end.'), stalls('Once upon a time'))
    const message = 'Tell me a tale'
    const chat = await request(server, 'POST', '/api/chat', { token: user.key, body: { message } })
    const session = { session_id: chat.body.session_id }
    const sessionId = await leaveAndCut('/api/chat/regenerate', { message, ...session }, point)
    await eventually(async () => (await messagesOf(sessionId))[1].is_partial)
    expect(await messagesOf(sessionId)).toMatchObject([
      { content: message },
      { content: 'Once upon a time', is_partial: true, versions: [{ content: 'The end.' }] },
    ])
  })
}
