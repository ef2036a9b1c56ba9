import { describe, expect, test } from 'bun:test'
import packageJson from '../../package.json' with { type: 'json' }
import { getMemory, memoryHistory, recall, remember } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { connectHttp, textOf, ways } from './client.ts'

const server = useSharedServer()

interface Structured {
  memory_id: string
  memories: { memory_id: string; content_text: string }[]
  next_cursor?: string
}
const structured = (result: object) =>
  (result as { structuredContent: Structured }).structuredContent
const idsOf = (result: object) => structured(result).memories.map(({ memory_id }) => memory_id)

/** The first id in a text, as a model reads it. */
const idIn = (text: string): string =>
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? ''

describe.each(ways)('over %s', (_, connect) => {
  test('an assistant remembers, corrects, recalls and forgets by the texts alone', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    const say = async (name: string, input: Record<string, unknown>) => {
      const result = await mcp.call(name, input)
      expect([textOf(result), result.isError ?? false]).toEqual([textOf(result), false])
      return textOf(result)
    }
    await say('remember', {
      content: 'Ada lives in Bonn.',
      author: 'Ada',
      thread: 'homes',
      tags: ['home', 'town'],
      occurred_at: '2024-05-06T07:00:00Z',
    })
    await say('remember', { content: 'The heron nests by the mill.' })

    const found = await say('recall', { query: 'Where does Ada live?' })
    const first = idIn(found)
    expect(found).toStartWith(
      `1. ${first} (semantic; 2024-05-06; an assistant wrote this; by Ada; thread "homes"; tags "home", "town")\n   Ada lives in Bonn.`,
    )
    await say('update', { memory_id: first, content: 'Ada lives in Born.' })
    expect(await say('get', { memory_id: first })).toContain('Ada lives in Born.')

    const moved = await say('update', {
      memory_id: first,
      content: 'Ada lives in Lisbon.',
      supersede: true,
    })
    const second = idIn(moved)
    expect(moved).toMatch(
      new RegExp(`^Remembered as ${second} \\(.*\\), which replaces ${first}\\.$`),
    )
    const after = await say('recall', { query: 'Where does Ada live?' })
    expect(after).toContain('Ada lives in Lisbon.')
    expect(after).not.toContain(first)
    expect(after).toContain('thread "homes"; tags "home", "town"')

    expect(await say('list', { tag: 'home' })).toContain(second)
    expect(await say('forget', { memory_id: second })).toContain(second)
    expect(await say('recall', { query: 'Ada lives in Lisbon' })).not.toContain('Lisbon')
    expect(await say('list', { tag: 'town' })).not.toContain(`${second} (`)
    expect(await say('status', {})).toContain('Tier: amnesiac')
  })

  test('the scores of recall are shares of the best one, also on the second page', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    for (const content of [
      'The heron nests by the mill.',
      'The heron eats.',
      'A heron and a stork.',
    ])
      await mcp.call('remember', { content })
    const scoresOf = async (input: Record<string, unknown>) => {
      const { structuredContent } = await mcp.call('recall', {
        query: 'Where does the heron nest by the mill?',
        ...input,
      })
      const { memories } = structuredContent as { memories: { score: number }[] }
      return memories.map(({ score }) => score)
    }
    const all = await scoresOf({ limit: 3 })
    expect(all).toHaveLength(3)
    expect(all[0]).toBe(1)
    expect(all.slice(1).every((score) => score > 0 && score < 1)).toBe(true)
    expect(await scoresOf({ limit: 1, cursor: '1' })).toEqual(all.slice(1, 2))
  })

  test('an unknown id is an error that names the problem and the next step', async () => {
    const { key } = await newUser(server.current)
    await using mcp = await connect(server.current, key)
    for (const name of ['get', 'forget', 'update', 'restore']) {
      const unknown = await mcp.call(name, { memory_id: crypto.randomUUID(), content: 'x' })
      expect([name, unknown.isError, textOf(unknown)]).toEqual([
        name,
        true,
        'Memory not found. Call recall or list to get its id; if it was forgotten, call list with deleted, then restore.',
      ])
    }
  })
})

test('a correction keeps the id and the other fields, and its repetition changes nothing', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const { memory_id } = await client.call(remember, {
    body: { content: 'The key is under the pot.', tags: ['key'], metadata: { floor: 1 } },
  })
  const correction = { memory_id, content: 'The key is under the mat.' }
  const corrected = await mcp.call('update', correction)
  expect(structured(corrected)).toMatchObject({ memory_id, tags: ['key'] })
  expect(textOf(corrected)).toStartWith(`Updated ${memory_id} (`)
  await mcp.call('update', correction)
  const params = { memory_id }
  expect(await client.call(getMemory, { params })).toMatchObject({
    content_text: correction.content,
    metadata: { floor: 1 },
  })
  const history = await client.call(memoryHistory, { params })
  expect(history.map(({ action }) => action)).toEqual(['created', 'updated'])
})

test('a superseded memory stays as the past, and supersede without content names the field', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const { memory_id } = await client.call(remember, {
    body: { content: 'The office is in Ghent.', occurred_at: '2024-01-01T00:00:00Z' },
  })
  const incomplete = await mcp.call('update', { memory_id, supersede: true })
  expect(textOf(incomplete)).toContain('content: is required with supersede')
  const change = { memory_id, supersede: true, content: 'The office is in Porto.' }
  const changed = await mcp.call('update', change)
  expect(structured(changed)).toMatchObject({ supersedes: memory_id })
  expect(structured(changed)).not.toHaveProperty('occurred_at')
  const again = await mcp.call('update', change)
  expect([again.isError, textOf(again)]).toEqual([
    true,
    `The memory to supersede was superseded already. ${structured(changed).memory_id} has superseded ${memory_id}: call again with that id.`,
  ])
  const { memories } = await client.call(recall, { body: { query: 'Where is the office?' } })
  expect(memories.map(({ content_text }) => content_text)).toEqual([change.content])
})

test('list filters by tag, thread, type, author and time, and pages to the end', async () => {
  const { key, client } = await newUser(server.current)
  await using mcp = await connectHttp(server.current, key)
  const stored: string[] = []
  for (const day of [1, 2, 3, 4, 5]) {
    const body = {
      content: `Entry of day ${day}.`,
      tags: day > 3 ? ['late'] : ['early'],
      thread: day === 2 ? 'diary' : 'log',
      author: day === 5 ? 'Bob' : 'Ada',
      memory_type: day === 1 ? ('episodic' as const) : ('semantic' as const),
      occurred_at: `2025-01-0${day}T12:00:00Z`,
    }
    stored.unshift((await client.call(remember, { body })).memory_id)
  }
  const list = async (filter: object) => idsOf(await mcp.call('list', { ...filter }))
  const [fifth = '', fourth = '', third = '', second = '', first = ''] = stored
  expect(await list({})).toEqual(stored)
  expect(await list({ tag: 'late', thread: null })).toEqual([fifth, fourth])
  expect(await list({ thread: 'diary' })).toEqual([second])
  expect(await list({ author: 'Bob' })).toEqual([fifth])
  expect(await list({ memory_type: 'episodic' })).toEqual([first])
  const period = { since: '2025-01-02T12:00:00Z', until: '2025-01-04T12:00:00Z' }
  expect(await list(period)).toEqual([third, second])

  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await mcp.call('list', { limit: 2, ...(cursor && { cursor }) })
    seen.push(...idsOf(page))
    cursor = structured(page).next_cursor
    if (cursor) expect(textOf(page)).toContain(`cursor "${cursor}"`)
  } while (cursor)
  expect(seen).toEqual(stored)
  expect(textOf(await mcp.call('list', { tag: 'none' }))).toBe('No memories.')
})

test('status names account, organization and counts, without counts for an unverified address', async () => {
  const unverified = await newUser(server.current)
  await using first = await connectHttp(server.current, unverified.key)
  expect(textOf(await first.call('status', {}))).toContain('until the email address is verified')

  const user = await newVerifiedUser(server.current)
  await user.client.call(remember, { body: { content: 'One.', thread: 'numbers' } })
  await using second = await connectHttp(server.current, user.key)
  const status = await second.call('status', {})
  expect(status.structuredContent).toMatchObject({
    email: user.email,
    tier: 'amnesiac',
    memories: 1,
    threads: 1,
    messages_used: 0,
    messages_limit: 1_000,
    server: server.current.baseUrl,
    version: packageJson.version,
    read_only: false,
  })
  expect(textOf(status)).toEndWith(
    `Server: ${server.current.baseUrl}, svc ${packageJson.version}\nTools of this connection: read and write`,
  )
  expect(textOf(status)).toContain('Memories: 1 in 1 thread\n')
  expect(textOf(status)).toContain('Messages this month: 0 of 1000')

  const token = user.accessToken
  const org = await request(server.current, 'POST', '/api/orgs', {
    token,
    body: { name: 'Herons' },
  })
  const created = await request(server.current, 'POST', '/api/auth/api-keys', {
    token,
    body: { name: 'of the organization', org_id: org.body.id },
  })
  await using third = await connectHttp(server.current, created.body.key)
  expect(textOf(await third.call('status', {}))).toContain('the organization "Herons", as owner')
})
