import { expect, test } from 'bun:test'
import {
  capture,
  deleteCapture,
  deleteMemory,
  listCaptures,
  listMemories,
  recall,
  remember,
  restoreCapture,
  updateMemory,
} from '../../shared/contract/index.ts'
import { newUser, useServer } from '../harness/server.ts'
import { expectConsistent } from './consistency.ts'

const server = useServer()

const SESSION = '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3d'
const key = { client: 'codex', session: SESSION }
const turn = (role: 'user' | 'assistant', content: string, number = 1) => ({
  turn: String(number),
  ordinal: number,
  role,
  content,
})

const startUser = async () => {
  const { client, ...user } = await newUser(server.current)
  const send = (...messages: ReturnType<typeof turn>[]) =>
    client.call(capture, { body: { ...key, channel: 'hook', project: 'acme/shop', messages } })
  return { ...user, client, send }
}

test('a captured turn is stored verbatim, with its author, thread, position, project and source', async () => {
  const { client, send } = await startUser()
  const stored = await send(turn('user', '  We deploy to Hetzner. '), turn('assistant', 'Noted.'))
  expect(stored).toMatchObject({ count: 2, memories: [{ role: 'user' }, { role: 'assistant' }] })
  const { memories } = await client.call(listMemories, { query: { thread: `codex:${SESSION}` } })
  expect(memories.toReversed()).toMatchObject([
    {
      content_text: '  We deploy to Hetzner. ',
      memory_type: 'episodic',
      position: 1,
      project: 'acme/shop',
      source: { kind: 'prompt', ref: 'hook:codex', trust: 'user' },
      metadata: { client: 'codex', session: SESSION, turn: '1' },
    },
    {
      content_text: 'Noted.',
      position: 2,
      author: 'assistant',
      source: { kind: 'answer', ref: 'hook:codex', trust: 'assistant' },
    },
  ])
})

test('the same text in two turns is two memories, and a repeated turn is one', async () => {
  const { send } = await startUser()
  const first = await send(turn('user', 'yes', 1), turn('user', 'yes', 2))
  expect(first.count).toBe(2)
  const again = await send(turn('user', 'yes', 2), turn('user', 'another text', 1))
  expect(again.count).toBe(0)
  expect(again.memories.map(({ memory_id }) => memory_id)).toEqual(
    first.memories.map(({ memory_id }) => memory_id).toReversed(),
  )
})

test('an imported message that svc had passed on to a model is known by its place and text', async () => {
  const { client } = await startUser()
  const send = (channel: 'proxy' | 'import', ids: string, texts: string[]) =>
    client.call(capture, {
      body: {
        ...key,
        channel,
        messages: texts.map((text, index) => ({
          ...turn('user', text, index + 1),
          turn: `${ids}${index}`,
        })),
      },
    })
  const proxied = await send('proxy', 'place', ['Deploy to Hetzner.', 'yes', 'yes'])
  await client.call(deleteMemory, { params: { memory_id: proxied.memories[1]?.memory_id ?? '' } })
  const texts = ['Deploy to Hetzner.', 'yes', 'yes', 'yes', 'Rename it.']
  const imported = await send('import', 'msg', texts)
  expect(imported.count).toBe(2)
  expect(imported.memories.map(({ turn, deduplicated }) => [turn, deduplicated])).toEqual([
    ['msg0', true],
    ['msg1', true],
    ['msg2', true],
    ['msg3', false],
    ['msg4', false],
  ])
  expect(imported.memories.slice(0, 3).map(({ memory_id }) => memory_id)).toEqual(
    proxied.memories.map(({ memory_id }) => memory_id),
  )
  const again = await send('import', 'msg', texts)
  expect([again.count, again.memories.map(({ memory_id }) => memory_id)]).toEqual([
    0,
    imported.memories.map(({ memory_id }) => memory_id),
  ])
  expect((await send('import', 'msg', ['Deploy to AWS.'])).count).toBe(1)
  await expectConsistent(server.current)
})

test('20 requests with one turn at once store it once', async () => {
  const { client, send } = await startUser()
  const results = await Promise.all(Array.from({ length: 20 }, () => send(turn('user', 'once'))))
  expect(results.reduce((sum, { count }) => sum + count, 0)).toBe(1)
  expect((await client.call(listMemories)).memories).toHaveLength(1)
})

test('a long text becomes several memories that are split between paragraphs and lose no word', async () => {
  const { client, send } = await startUser()
  const paragraphs = Array.from(
    { length: 500 },
    (_, i) => `Paragraph ${i} ${'word '.repeat(12)}end.`,
  )
  const { count } = await send(turn('user', paragraphs.join('\n\n')))
  expect(count).toBe(2)
  const { memories } = await client.call(listMemories)
  const texts = memories.toReversed().map(({ content_text }) => content_text)
  expect(texts.join('\n\n')).toBe(paragraphs.join('\n\n'))
  expect((await send(turn('user', paragraphs.join('\n\n')))).count).toBe(0)
})

test('a captured conversation is listed, deleted as a whole, not captured again, and restored', async () => {
  const { client, send } = await startUser()
  await send(turn('user', 'We deploy to Hetzner.'), turn('assistant', 'Noted.'))
  await client.call(remember, { body: { content: 'Not captured', thread: `codex:${SESSION}` } })
  const list = () => client.call(listCaptures, {})
  expect((await list()).sessions).toMatchObject([
    { ...key, project: 'acme/shop', memories: 2, deleted: 0 },
  ])
  expect(await client.call(deleteCapture, { query: key })).toMatchObject({ deleted: 2 })
  expect((await list()).sessions).toMatchObject([{ memories: 0, deleted: 2 }])
  expect((await send(turn('user', 'We deploy to Hetzner.'))).count).toBe(0)
  expect((await client.call(recall, { body: { query: 'Hetzner' } })).count).toBe(0)
  expect(await client.call(restoreCapture, { body: key })).toEqual({ restored: 2 })
  expect((await client.call(recall, { body: { query: 'Hetzner' } })).count).toBeGreaterThan(0)
})

test('the undo of a deletion leaves a memory that was deleted before it', async () => {
  const { client, send } = await startUser()
  const { memories } = await send(turn('user', 'The code is 4711.'), turn('assistant', 'Noted.'))
  await client.call(deleteMemory, { params: { memory_id: memories[0]?.memory_id ?? '' } })
  const { deleted, deleted_since } = await client.call(deleteCapture, { query: key })
  const undone = await client.call(restoreCapture, { body: { ...key, deleted_since } })
  expect([deleted, undone.restored]).toEqual([1, 1])
  expect((await client.call(listCaptures, {})).sessions).toMatchObject([
    { memories: 1, deleted: 1 },
  ])
  expect(await client.call(restoreCapture, { body: key })).toEqual({ restored: 1 })
})

test('a deleted conversation is out of the index and the statistics, and restored', async () => {
  const { client, send } = await startUser()
  const texts = Array.from({ length: 450 }, (_, i) => `The ferry number ${i} leaves the harbour.`)
  await send(...texts.map((text, i) => turn('user', text, i + 1)))
  await client.call(deleteCapture, { query: key })
  await expectConsistent(server.current)
  expect(await client.call(restoreCapture, { body: key })).toEqual({ restored: texts.length })
  await expectConsistent(server.current)
  const found = await client.call(recall, { body: { query: 'ferry number 449' } })
  expect(found.memories[0]?.content_text).toBe(texts[449])
})

test('a text that its conversation has again is not restored, and the others are', async () => {
  const { client, send } = await startUser()
  const { memories } = await send(turn('user', 'First.', 1), turn('user', 'Second.', 2))
  const params = { memory_id: memories[0]?.memory_id ?? '' }
  await client.call(updateMemory, { params, body: { content: 'Changed.' } })
  await client.call(deleteCapture, { query: key })
  await client.call(remember, {
    body: { content: 'Changed.', thread: `codex:${SESSION}`, project: 'acme/shop' },
  })
  expect(await client.call(restoreCapture, { body: key })).toEqual({ restored: 1 })
  await expectConsistent(server.current)
})

test('two deletions at once delete each memory once, and it is counted once', async () => {
  const { client, send } = await startUser()
  await send(...Array.from({ length: 50 }, (_, i) => turn('user', `Message ${i}.`, i + 1)))
  const results = await Promise.all(
    Array.from({ length: 4 }, () => client.call(deleteCapture, { query: key })),
  )
  expect(results.map(({ deleted }) => deleted).toSorted()).toEqual([0, 0, 0, 50])
  await expectConsistent(server.current)
})

test('a conversation that was not captured is not found', async () => {
  const { client } = await startUser()
  const failure = client.call(deleteCapture, { query: key })
  await expect(failure).rejects.toMatchObject({ status: 404 })
})

test('another user neither sees nor deletes a captured conversation', async () => {
  const { send } = await startUser()
  await send(turn('user', 'We deploy to Hetzner.'))
  const other = await startUser()
  expect((await other.client.call(listCaptures, {})).sessions).toEqual([])
  await expect(other.client.call(deleteCapture, { query: key })).rejects.toMatchObject({
    status: 404,
  })
})

test('captured conversations are listed in pages, newest first', async () => {
  const { client } = await startUser()
  for (const [index, session] of ['a', 'b', 'c'].entries())
    await client.call(capture, {
      body: {
        client: 'codex',
        session,
        channel: 'import',
        messages: [{ ...turn('user', session), occurred_at: `2026-01-0${index + 1}T00:00:00Z` }],
      },
    })
  const first = await client.call(listCaptures, { query: { limit: 2 } })
  expect(first.sessions.map(({ session }) => session)).toEqual(['c', 'b'])
  const cursor = first.next_cursor ?? ''
  const second = await client.call(listCaptures, { query: { limit: 2, cursor } })
  expect(second.sessions.map(({ session }) => session)).toEqual(['a'])
  expect(second.next_cursor).toBeNull()
})

test('pages over conversations that overlap, at equal times and by client have each of them once', async () => {
  const { client } = await startUser()
  const clients = ['codex', 'claude-code', 'opencode']
  const sessions = Array.from({ length: 24 }, (_, i) => {
    // Times of a small set: many conversations end together, and most overlap.
    const hours = [i % 5, (i * 7) % 11, (i * 3) % 6]
    return { client: clients[i % 3] ?? '', session: `s${i}`, hours, last: Math.max(...hours) }
  })
  for (const { hours, last: _, ...key } of sessions) {
    const messages = hours.map((hour, index) => ({
      ...turn('user', `${key.session} ${index}`, index + 1),
      occurred_at: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
    }))
    await client.call(capture, { body: { ...key, channel: 'import', messages } })
  }
  await client.call(remember, { body: { content: 'Not captured.', thread: 'codex:s1' } })
  await client.call(deleteCapture, { query: { client: 'codex', session: 's3' } })
  const pagesOf = async (limit: number, only?: string) => {
    const found = []
    let cursor: string | undefined
    do {
      const page = await client.call(listCaptures, {
        query: { limit, ...(only && { client: only }), ...(cursor && { cursor }) },
      })
      expect(page.sessions.length).toBeLessThanOrEqual(limit)
      found.push(...page.sessions)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return found
  }
  for (const only of [undefined, ...clients]) {
    const wanted = sessions.filter((each) => only === undefined || each.client === only)
    for (const limit of [1, 4, 100]) {
      const found = await pagesOf(limit, only)
      expect(found.map(({ session }) => session).toSorted()).toEqual(
        wanted.map(({ session }) => session).toSorted(),
      )
      const times = found.map(({ last_at }) => last_at)
      expect(times).toEqual(times.toSorted().toReversed())
      for (const { session, last_at, memories, deleted } of found)
        expect({ session, last_at, memories, deleted }).toEqual({
          session,
          last_at: new Date(
            Date.UTC(2026, 0, 1, sessions.find((each) => each.session === session)?.last),
          ).toISOString(),
          ...(session === 's3' ? { memories: 0, deleted: 3 } : { memories: 3, deleted: 0 }),
        })
    }
  }
})
