import { describe, expect, test } from 'bun:test'
import * as contract from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const ID = '01890000-0000-7000-8000-000000000000'

/** Texts of names and summaries of endpoints that delete. */
const DELETES = /^(?:delete|remove|forget|erase|revoke|clear|purge|leave|end)(?![a-z])/

test('every endpoint that deletes refuses keys that it does not know', () => {
  const widening = contract.contract.filter(
    ({ name, method, protocol, refusesUnknown }) =>
      !protocol && !refusesUnknown && (method === 'DELETE' || DELETES.test(name)),
  )
  expect(widening.map(({ name }) => name)).toEqual([])
})

const signedIn = async () => {
  const { key, client } = await newUser(server.current)
  const send = (method: string, path: string, body?: object) =>
    request(server.current, method, path, { token: key, body })
  const store = (content: string, tags: string[]) =>
    client.call(contract.remember, { body: { content, tags, thread: 't' } })
  await store('Both tags.', ['a', 'b'])
  await store('One tag.', ['a'])
  const count = async () => (await client.call(contract.listMemories, {})).memories.length
  return { send, count, client }
}

describe('forgetting by tags', () => {
  test.each([
    [{ thread: 't', tags: ['a', 'b'] }, 1],
    [{ thread: 't', tag: 'b' }, 1],
    [{ tag: 'a', tags: ['b'] }, 1],
    [{ tags: ['a'] }, 2],
    [{ tags: ['none'] }, 0],
  ])('%j deletes %d memories', async (body, number) => {
    const { send, count } = await signedIn()
    const response = await send('POST', '/api/memories/forget', body)
    expect([response.status, response.body.count, await count()]).toEqual([200, number, 2 - number])
  })

  test.each([
    {},
    { all: false },
    { tags: [] },
    { all: true, tags: [] },
    { thread: 't', tags: [] },
    { thread: 't', tags: null },
    { thread: 't', tag: null },
    { thread: 't', tag: '' },
    { thread: null },
  ])('%j selects nothing', async (body) => {
    const { send, count } = await signedIn()
    expect((await send('POST', '/api/memories/forget', body)).status).toBe(422)
    expect(await count()).toBe(2)
  })
})

test.each([
  ['POST', '/api/memories/forget', { thread: 't', Tag: 'a' }, 'Tag'],
  ['POST', '/api/memories/forget', { thread: 't', label: 'a' }, 'label'],
  ['POST', '/api/memories/forget', { thread: 't', type: 'semantic' }, 'type'],
  ['POST', '/api/memories/forget', { all: true, dryRun: true }, 'dryRun'],
  ['POST', '/api/memories/forget?dry_run=true', { all: true }, 'dry_run'],
  [
    'POST',
    '/api/memories/restore',
    { deleted_since: '2026-01-01T00:00:00Z', labels: ['a'] },
    'labels',
  ],
  ['DELETE', `/api/memories/${ID}?dry_run=true`, undefined, 'dry_run'],
  ['DELETE', `/api/memories/${ID}?permanent=false&permanent=true`, undefined, 'permanent'],
])('%s %s with %j is refused and names %s', async (method, path, body, key) => {
  const { send, count } = await signedIn()
  const response = await send(method, path, body)
  expect(response.status).toBe(422)
  expect(JSON.stringify(response.body.detail)).toContain(`"${key}"`)
  expect(await count()).toBe(2)
})

test('lists, facets and recall take a tag and tags', async () => {
  const { client } = await signedIn()
  const listed = await client.call(contract.listMemories, { query: { tags: ['a', 'b'] } })
  expect(listed.memories.map(({ content_text }) => content_text)).toEqual(['Both tags.'])
  expect((await client.call(contract.memoryFacets, { query: { tags: ['b'] } })).total).toBe(1)
  for (const filter of [{ tag: 'b' }, { tags: ['b'] }, { tag: 'a', tags: ['b'] }]) {
    const { memories } = await client.call(contract.recall, { body: { query: 'tag', ...filter } })
    expect(memories.map(({ content_text }) => content_text)).toEqual(['Both tags.'])
  }
})
