import { expect, test } from 'bun:test'
import { getUsage } from '../../shared/contract/index.ts'
import { tiersFile } from '../billing/support.ts'
import { createDatabase } from '../harness/database.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { startServer } from '../harness/server.ts'
import { hangsUp } from '../harness/upstream.ts'
import { QUESTION, startProvider } from './proxy-support.ts'

const QUOTA = 3

/** Two servers on one database, with a user and the ways to ask as them. */
const startServers = async () => {
  const upstream = await startProvider()
  const database = await createDatabase()
  const env = {
    SVC_OPENAI_BASE_URL: `${upstream.url}/v1`,
    SVC_OPENAI_MODEL: 'a-model',
    SVC_ANTHROPIC_BASE_URL: upstream.url,
    SVC_RATE_LIMIT_STORE: 'postgres',
    SVC_TIERS: tiersFile({ amnesiac: { quotas: { messages: QUOTA } } }),
  }
  const servers = [await startServer(env, database), await startServer(env, database)] as const
  const { client, key } = await newVerifiedUser(servers[0])
  const post =
    (server: { url: string }) =>
    async (path: string, body: object, headers: Record<string, string> = {}) => {
      const response = await fetch(`${server.url}/api${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: JSON.stringify({ model: 'a-model', ...body }),
      })
      return { status: response.status, text: await response.text() }
    }
  return {
    upstream,
    post: post(servers[0]),
    postElsewhere: post(servers[1]),
    used: async () => (await client.call(getUsage, {})).usage.messages.used,
    /** As after so many requests. */
    setCount: (limit: string, points: number) =>
      runSql(
        database,
        `update rate_limits set points = ${points} where key like '${limit}:%' returning key`,
      ),
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.stop()
      await upstream[Symbol.asyncDispose]()
      await database.drop()
    },
  }
}

const CHAT = '/openai/v1/chat/completions'
const TITLE = {
  messages: [
    { role: 'system', content: 'You are a title generator. You output ONLY a title.' },
    { role: 'user', content: QUESTION },
  ],
}
const OPENCODE = { 'user-agent': 'opencode/1.18.33' }

test('requests that a program sends for itself count as messages beyond 1,000 an hour, on all servers', async () => {
  await using servers = await startServers()
  const { post, postElsewhere, used, setCount } = servers
  expect((await post(CHAT, TITLE, OPENCODE)).status).toBe(200)
  expect(await setCount('proxy_side_requests', 998)).toHaveLength(1)
  expect((await postElsewhere('/openai/v1/embeddings', { input: 'a' })).status).toBe(200)
  expect((await post(CHAT, { messages: [{ role: 'system', content: 'x' }] })).status).toBe(200)
  expect(await used()).toBe(0)
  expect((await post(CHAT, TITLE, OPENCODE)).status).toBe(200)
  expect((await postElsewhere('/openai/v1/embeddings', { input: 'a' })).status).toBe(200)
  expect(await used()).toBe(2)
  servers.upstream.next(hangsUp)
  expect((await post(CHAT, TITLE, OPENCODE)).status).toBe(502)
  expect(await used()).toBe(2)
  expect((await post(CHAT, TITLE, OPENCODE)).status).toBe(200)
  const refused = await post(CHAT, TITLE, OPENCODE)
  expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([429, 'insufficient_quota'])
  const unembedded = await post('/openai/v1/embeddings', { input: 'a' })
  expect(unembedded.status).toBe(429)
  expect(await used()).toBe(QUOTA)
})

test('a turn has 1,000 requests after its first, and each beyond counts as a message', async () => {
  await using servers = await startServers()
  const { post, postElsewhere, used, setCount } = servers
  const call = { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{}' } }
  const start = { messages: [{ role: 'user', content: QUESTION }] }
  const step = {
    messages: [
      ...start.messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_0', content: 'done' },
    ],
  }
  await post(CHAT, start)
  await post(CHAT, step)
  expect(await used()).toBe(1)
  expect(await setCount('proxy_turn_requests', 999)).toHaveLength(1)
  await postElsewhere(CHAT, step)
  expect(await used()).toBe(1)
  await post(CHAT, step)
  await postElsewhere(CHAT, step)
  expect(await used()).toBe(3)
  expect((await post(CHAT, step)).status).toBe(429)
  expect(await setCount('proxy_side_requests', 0)).toHaveLength(0)
})

test('the steps of a conversation that the provider keeps belong to its turn', async () => {
  await using servers = await startServers()
  const { post, used, setCount } = servers
  const first = await post('/openai/v1/responses', { input: QUESTION })
  let previous_response_id: string = JSON.parse(first.text).id
  const input = [{ type: 'function_call_output', call_id: 'call_0', output: 'done' }]
  const step = async () => {
    const { text, status } = await post('/openai/v1/responses', { previous_response_id, input })
    previous_response_id = JSON.parse(text).id
    return status
  }
  expect(await step()).toBe(200)
  expect(await setCount('proxy_turn_requests', 1_000)).toHaveLength(1)
  expect(await step()).toBe(200)
  expect(await used()).toBe(2)
})
