import { describe, expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import { deleteMemory, recall, remember } from '../../shared/contract/index.ts'
import type { Recall } from '../../shared/contract/recall.ts'
import { createOrgClient } from '../account/organization-support.ts'
import { signedInMachine } from '../cli/svc.ts'
import { write } from '../harness/facts.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, once, request, useSharedServer } from '../harness/server.ts'
import { connectMcp, textOf } from '../mcp/client.ts'

const server = useSharedServer()
const organizations = createOrgClient(server)

const NAMED = 'Umbrellas are blue.'
/** More of the words of the questions, so that they rank above by themselves. */
const OTHERS = [
  'What is a memory? The memory of a note is a memory: show me the memory about it.',
  'In memory of the id: please show what the id is about.',
]

const recalled = async (client: Client, body: Partial<Recall> & { query: string }) =>
  (await client.call(recall, { body })).memories.map(({ content_text }) => content_text)

/** Each form that a person or a program writes an id in, where `id` is in lower case. */
const FORMS: Record<string, (id: string) => string> = {
  'the id alone': (id) => id,
  'in upper case': (id) => id.toUpperCase(),
  'without hyphens': (id) => id.replaceAll('-', ''),
  'with blanks around it': (id) => `  ${id}\n`,
  'its first 13 characters': (id) => id.slice(0, 13),
  'its first 12 digits without hyphens': (id) => id.replaceAll('-', '').slice(0, 12),
  'its first 20 characters in a question': (id) => `what is memory ${id.slice(0, 20)}?`,
  'in a sentence': (id) => `Please show me the memory ${id}, what is it about?`,
  'in a German sentence': (id) => `Was steht in der Erinnerung „${id}“?`,
  'in a Japanese sentence': (id) => `記憶${id}は何ですか`,
  'in braces': (id) => `{${id}}`,
  'in code': (id) => `memory_id: \`${id}\``,
  'as JSON': (id) => `{"memory_id":"${id}"}`,
  'as a URN': (id) => `urn:uuid:${id}`,
  'as the URI of a resource': (id) => `svc://memories/${id}`,
  'as the address of the console': (id) => `https://svc.example.org/memories/${id}?tab=history`,
  'as a file': (id) => `what is in notes/${id}.md`,
  'with the dashes of an editor': (id) => `memory ${id.replaceAll('-', '\u2011')} please`,
  'with an ellipsis': (id) => `the memory ${id.slice(0, 18)}…`,
}

describe('a recall returns the memory first whose id the question has', () => {
  const written = once(async () => {
    const { client } = await newUser(server.current)
    const [, , id = ''] = await write(client, ...OTHERS, NAMED)
    return { client, id }
  })

  test.each(Object.keys(FORMS))('%s', async (form) => {
    const { client, id } = await written()
    const query = FORMS[form]?.(id) ?? ''
    expect((await recalled(client, { query }))[0]).toBe(NAMED)
    expect((await recalled(client, { query, limit: 1, scope: 'tiered' }))[0]).toBe(NAMED)
  })

  test('the first eight digits, among the memories of the same minute', async () => {
    const { client } = await newUser(server.current)
    const [id = ''] = await write(client, NAMED, ...OTHERS)
    const found = await recalled(client, { query: `${id.slice(0, 8)} umbrellas` })
    expect(found[0]).toBe(NAMED)
  })

  test('in the terminal and over MCP', async () => {
    const { user, machine } = await signedInMachine(server.current)
    await write(user.client, ...OTHERS)
    const [id = ''] = await write(user.client, NAMED)
    const query = `what is memory ${id.slice(0, 18)}?`
    expect((await machine.svc(['recall', '--limit', '1', query])).stdout).toContain(NAMED)
    await using mcp = await connectMcp({ SVC_URL: server.current.url, SVC_API_KEY: user.key })
    const found = await mcp.client.callTool({ name: 'recall', arguments: { query, limit: 1 } })
    expect(textOf(found)).toContain(NAMED)
  })

  test('with a score above all others, which are recalled as before', async () => {
    const { client, id } = await written()
    const { memories } = await client.call(recall, {
      body: { query: `memory ${id}`, explain: true },
    })
    const [named, next] = memories
    expect(named?.explanation?.fact).toBe(named?.score ?? -1)
    expect(named?.score ?? 0).toBeGreaterThan(next?.score ?? Number.POSITIVE_INFINITY)
    expect(memories.map(({ content_text }) => content_text)).toHaveLength(3)
  })
})

describe('an id finds only what the same recall may read', () => {
  const SECRET = 'Umbrellas of the other one are red.'

  test('not the memory of another person', async () => {
    const [reader, other] = [await newUser(server.current), await newUser(server.current)]
    const [id = ''] = await write(other.client, SECRET)
    await write(reader.client, ...OTHERS)
    expect(await recalled(reader.client, { query: `what is memory ${id}?` })).toEqual(
      await recalled(reader.client, { query: `what is memory ${crypto.randomUUID()}?` }),
    )
  })

  test('not across the wall of an organization, in either direction', async () => {
    const person = await newVerifiedUser(server.current)
    const org = await organizations.createOrg(person, 'Acme')
    const send = async (body: object, headers: Record<string, string>) =>
      (await request(server.current, 'POST', '/api/recall', { token: person.key, headers, body }))
        .text
    const [mine = ''] = await write(person.client, SECRET)
    const inOrg = { 'x-org-id': org.id }
    const { body } = await request(server.current, 'POST', '/api/remember', {
      token: person.key,
      headers: inOrg,
      body: { content: NAMED },
    })
    expect(await send({ query: mine }, inOrg)).not.toContain(SECRET)
    expect(await send({ query: body.memory_id }, {})).not.toContain(NAMED)
    expect(await send({ query: body.memory_id }, inOrg)).toContain(NAMED)
    expect(await send({ query: body.memory_id, scope: 'personal' }, inOrg)).not.toContain(NAMED)
    expect(await send({ query: body.memory_id, scope: 'all' }, inOrg)).toContain(NAMED)
    const context = await request(server.current, 'POST', '/api/context', {
      token: person.key,
      headers: inOrg,
      body: { query: `What is memory ${mine} about?` },
    })
    expect(context.text).not.toContain(SECRET)
  })

  const FILTERS: [name: string, body: Partial<Recall>][] = [
    ['another thread', { thread: 'other' }],
    ['another tag', { tags: ['other'] }],
    ['another author', { author: 'Eve' }],
    ['another type', { memory_type: 'procedural' }],
    ['another agent', { agent_slug: 'scribe' }],
    ['a later time', { since: '2099-01-01' }],
    ['an earlier time', { until: '2001-01-01' }],
    ['a higher trust', { min_trust: 'user' }],
  ]
  const filtered = once(async () => {
    const { client, key } = await newUser(server.current)
    const body = { content: NAMED, thread: 'one', tags: ['one'], author: 'assistant' }
    const { memory_id } = await client.call(remember, { body })
    return { client, key, memory_id }
  })
  test.each(FILTERS)('not outside of the filter: %s', async (_, filter) => {
    const { client, key, memory_id } = await filtered()
    expect(await recalled(client, { query: memory_id })).toEqual([NAMED])
    const found = await request(server.current, 'POST', '/api/recall', {
      token: key,
      body: { query: memory_id, ...filter },
    })
    expect([found.status, found.body.memories]).toEqual([200, []])
  })

  test('not one that was forgotten or superseded, but the latter as of then', async () => {
    const { client } = await newUser(server.current)
    const [forgotten = '', old = ''] = await write(client, SECRET, NAMED)
    await client.call(deleteMemory, { params: { memory_id: forgotten } })
    const asOf = new Date().toISOString()
    await client.call(remember, { body: { content: 'They are green.', supersedes: old } })
    expect(await recalled(client, { query: forgotten })).not.toContain(SECRET)
    expect(await recalled(client, { query: old })).not.toContain(NAMED)
    expect((await recalled(client, { query: old, as_of: asOf }))[0]).toBe(NAMED)
  })
})
