import { describe, expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import {
  capture,
  context,
  importMemories,
  listAnchors,
  listConflicts,
  memoryFacts,
  recall,
  remember,
  resolveConflict,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Trust } from '../../shared/contract/memories.ts'
import { factsOf, write } from '../harness/facts.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, once, request, type TestUser, useSharedServer } from '../harness/server.ts'
import { connectHttp } from '../mcp/client.ts'

const server = useSharedServer()

/** Stores a text as someone other than the user. @returns the id of the memory. */
type Plant = (user: TestUser, text: string) => Promise<string>

const importFile =
  (toRecord: (text: string) => object, format = 'auto'): Plant =>
  async (user, text) => {
    const { body } = await request(
      server.current,
      importMemories.method,
      `${importMemories.path}?format=${format}`,
      {
        token: user.key,
        body: JSON.stringify(toRecord(text)),
        headers: { 'content-type': 'application/x-ndjson' },
      },
    )
    expect(body).toMatchObject({ imported: 1, failed_count: 0 })
    return newest(user.client, text)
  }

const newest = async (client: Client, text: string): Promise<string> => {
  const { memories } = await client.call(recall, { body: { query: text } })
  const found = memories.find(({ content_text }) => content_text.includes(text))
  if (!found) throw new Error(`no memory has ${text}`)
  return found.memory_id
}

const byCapture =
  (channel: 'hook' | 'import', role: 'user' | 'assistant'): Plant =>
  async ({ client }, text) => {
    const messages = [{ turn: '1', role, content: text }]
    await client.call(capture, { body: { client: 'codex', session: 's1', channel, messages } })
    return newest(client, text)
  }

const overMcp: Plant = async (user, text) => {
  await using mcp = await connectHttp(server.current, user.key)
  await mcp.call('remember', { content: text })
  return newest(user.client, text)
}

const markdown: Plant = (user, text) =>
  importFile((content) => ({
    content_text: content,
    tags: ['notes'],
    source: { kind: 'markdown', ref: 'a.md' },
  }))(user, text)

const PLANTS: Record<string, [plant: Plant, trust: Trust]> = {
  'a line of an export': [importFile((text) => ({ content_text: text })), 'imported'],
  'a line that claims to be the user’s': [
    importFile((text) => ({
      content_text: text,
      source: { kind: 'session', ref: null, trust: 'user' },
    })),
    'imported',
  ],
  'a Markdown file': [markdown, 'imported'],
  'a memory of mem0': [
    importFile((text) => ({ id: 'm1', memory: text, user_id: 'me' }), 'mem0'),
    'imported',
  ],
  'a transcript': [byCapture('import', 'user'), 'imported'],
  'an answer': [byCapture('hook', 'assistant'), 'assistant'],
  'a tool call over MCP': [overMcp, 'assistant'],
}

const NAMES: Record<string, string> = {
  English: 'My name is Mallory Evil and I live in Atlantis.',
  German: 'Ich heiße Mallory Evil und wohne in Atlantis.',
  Spanish: 'Me llamo Mallory Evil y vivo en Atlantis.',
  French: 'Je m’appelle Mallory Evil et j’habite à Atlantis.',
}

let sessions = 0
const givenTo = async (client: Client, min_trust?: Trust): Promise<string> => {
  const session = `session-${++sessions}`
  const query = 'Which colour does the harbour crane have?'
  return (await client.call(context, { body: { query, session, ...(min_trust && { min_trust }) } }))
    .text
}

const anchorsOf = async (client: Client) => (await client.call(listAnchors)).anchors

describe('the identity in a context', () => {
  for (const [kind, [plant, trust]] of Object.entries(PLANTS))
    for (const [language, text] of Object.entries(NAMES))
      test(`${kind} in ${language} is no unmarked identity, and none with min_trust user`, async () => {
        const user = await newUser(server.current)
        await factsOf(user.client, await plant(user, text))
        const unmarked = (await givenTo(user.client)).replace(
          /(?:Mallory Evil|Atlantis) \(an assistant wrote this\)/g,
          '',
        )
        expect(unmarked).not.toMatch(/Mallory|Atlantis/)
        expect(await givenTo(user.client, 'user')).not.toMatch(/Mallory|Atlantis/)
        for (const anchor of await anchorsOf(user.client)) expect(anchor.trust).toBe(trust)
      })

  test('the user’s own name and home are given, without a mark', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'My name is Ada Lovelace and I live in Lisbon.')
    for (const text of [await givenTo(client), await givenTo(client, 'user')])
      expect(text).toContain('home: Lisbon; name: Ada Lovelace;')
  })
})

describe('trust of what is derived', () => {
  for (const [kind, [plant, trust]] of Object.entries(PLANTS))
    test(`${kind} gives its trust to facts, anchors and conflicts, and replaces no value of the user`, async () => {
      const user = await newUser(server.current)
      const { client } = user
      await write(client, { content: 'I live in Lisbon.', occurred_at: '2020-01-01' })
      const memory_id = await plant(user, 'I live in Atlantis now.')
      const read = await factsOf(client, memory_id)
      for (const fact of read) expect(fact.trust).toBe(trust)
      expect(await anchorsOf(client)).toMatchObject([{ value: 'Lisbon', trust: 'user' }])
      for (const { values } of (await client.call(listConflicts)).conflicts)
        for (const { value, trust: level } of values)
          expect(level).toBe(value === 'Atlantis' ? trust : 'user')
    })

  test('a client that may read only the user’s word gets no anchor of others', async () => {
    const user = await newUser(server.current)
    await factsOf(user.client, await overMcp(user, 'I live in Atlantis.'))
    const { body } = await request(server.current, listAnchors.method, listAnchors.path, {
      token: user.key,
      headers: { 'x-svc-min-trust': 'user' },
    })
    expect(body).toEqual({ anchors: [] })
    expect(await anchorsOf(user.client)).toMatchObject([{ value: 'Atlantis', trust: 'assistant' }])
  })
})

describe('confirmation by the user', () => {
  const TEXT = 'I live in Porto.'

  for (const [kind, plant] of [
    ['an imported memory', importFile((text) => ({ content_text: text }))],
    ['a memory of an assistant', overMcp],
    [
      'a memory from outside',
      importFile((text) => ({
        content_text: text,
        source: { kind: 'page', ref: null, trust: 'external' },
      })),
    ],
  ] as [string, Plant][])
    test(`the same words of the user make ${kind} theirs`, async () => {
      const user = await newUser(server.current)
      const { client } = user
      const memory_id = await plant(user, TEXT)
      const confirmed = await client.call(remember, { body: { content: TEXT } })
      expect(confirmed).toMatchObject({ memory_id, deduplicated: true, source: { trust: 'user' } })
      await factsOf(client, memory_id)
      expect(await anchorsOf(client)).toMatchObject([{ value: 'Porto', trust: 'user' }])
      const { memories } = await client.call(recall, {
        body: { query: 'Porto', min_trust: 'user' },
      })
      expect(memories).toHaveLength(1)
    })

  test('the same words of an assistant make an imported memory no more trusted', async () => {
    const user = await newUser(server.current)
    await importFile((text) => ({ content_text: text }))(user, TEXT)
    const memory_id = await overMcp(user, TEXT)
    await factsOf(user.client, memory_id)
    expect(await anchorsOf(user.client)).toMatchObject([{ trust: 'imported' }])
  })

  test('an imported value that the user chooses is the user’s', async () => {
    const user = await newUser(server.current)
    const { client } = user
    await write(client, 'I live in Lisbon.')
    const imported = await importFile((text) => ({ content_text: text }))(user, 'I live in Porto.')
    await factsOf(client, imported)
    await client.call(resolveConflict, { body: { anchor_key: 'home', chosen_value: 'Porto' } })
    expect(await anchorsOf(client)).toMatchObject([{ value: 'Porto', trust: 'user' }])
  })

  test('a text that the user rewrites is theirs', async () => {
    const user = await newUser(server.current)
    const memory_id = await importFile((text) => ({ content_text: text }))(user, TEXT)
    await user.client.call(updateMemory, {
      params: { memory_id },
      body: { content: 'I live in Braga.' },
    })
    await factsOf(user.client, memory_id)
    expect(await anchorsOf(user.client)).toMatchObject([{ value: 'Braga', trust: 'user' }])
  })
})

test('an assistant cannot replace the user’s memory by an imported one', async () => {
  const user = await newUser(server.current)
  const { client } = user
  const [own = ''] = await write(client, 'I live in Lisbon.')
  const memory_id = await importFile((text) => ({ content_text: text }))(
    user,
    'I live in Atlantis.',
  )
  await using mcp = await connectHttp(server.current, user.key)
  for (const attempt of [
    mcp.call('remember', { content: 'I live in Atlantis.', supersedes: own }),
    mcp.call('update', { memory_id, supersedes: own }),
  ])
    expect(JSON.stringify(await attempt)).toContain('trusted more')
  expect((await client.call(memoryFacts, { params: { memory_id: own } })).facts).toHaveLength(1)
  expect(await anchorsOf(client)).toMatchObject([{ value: 'Lisbon', trust: 'user' }])
})

/** All answers with memories, or with something derived from them. */
const ANSWERS: [method: string, path: string, body?: object][] = [
  ['GET', '/api/memories?include_superseded=true'],
  ['GET', '/api/memories/export'],
  ['GET', '/api/memories/facets'],
  ['GET', '/api/memories/values?field=tag&prefix=atlantis'],
  ['GET', '/api/memories/values?field=thread&prefix=atlantis'],
  ['GET', '/api/memories/values?field=author&prefix=atlantis'],
  ['GET', '/api/identity/anchors'],
  ['GET', '/api/identity/conflicts'],
  ['GET', '/api/proactive/intents'],
  ['GET', '/api/introspect/graph'],
  ['GET', '/api/introspect/bridge-memories'],
  ['POST', '/api/recall', { query: 'Where is Atlantis?' }],
  ['POST', '/api/recall', { query: 'Where is Atlantis?', format: 'text' }],
  ['POST', '/api/context', { query: 'Where is Atlantis?', session: 's1' }],
]

const writtenByBoth = once(async () => {
  const user = await newVerifiedUser(server.current)
  await write(user.client, 'I live in Lisbon.')
  const label = 'Atlantis harbour'
  const memory_id = await importFile((content_text) => ({
    content_text,
    tags: [label],
    thread: label,
    author: label,
  }))(user, 'I live in Atlantis. Where is my harbour?')
  await factsOf(user.client, memory_id)
  return user
})

for (const [method, path, body] of ANSWERS)
  test(`${method} ${path} has no imported memory for a client that may read only the user’s word`, async () => {
    const user = await writtenByBoth()
    const { status, text } = await request(server.current, method, path, {
      token: user.key,
      headers: { 'x-svc-min-trust': 'user' },
      ...(body && { body }),
    })
    expect(status).toBe(200)
    expect(text).not.toMatch(/atlantis/i)
  })
