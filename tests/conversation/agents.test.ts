import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ISO, startRestartable } from '../harness/http.ts'
import { newUser, type RequestOptions, request, type TestUser } from '../harness/server.ts'

let server: Awaited<ReturnType<typeof startRestartable>>
let user: TestUser
let other: TestUser

/** Inserts agents and exchanges as talks would leave them. */
beforeAll(async () => {
  server = await startRestartable()
  user = await newUser(server.current)
  other = await newUser(server.current)
  const exchanges = Array.from({ length: 45 }, (_, i) => i + 1).map(
    (n) =>
      `('${user.id}', 'scout', '01a1fdd5-1d91-733f-bcad-0000000000${String(n).padStart(2, '0')}', 'said ${n}', 'answered ${n}')`,
  )
  await server.restart(
    `insert into agents (user_id, slug, self_definition, mandate, boundaries, agent_type, proposal, proposed_at, exchange_count, last_exchange_at) values
      ('${user.id}', 'scout', 'A scout', null, '{"no shouting"}', 'assistant', '{"mandate": "Find paths", "boundaries": []}', now(), 45, now() + interval '1 minute'),
      ('${user.id}', 'old.one', null, null, '{}', null, null, null, 0, null),
      ('${user.id}', 'proud', 'A proud one', null, '{}', null, '{"self_definition": "The proudest"}', now(), 0, null),
      ('${other.id}', 'theirs', null, null, '{}', null, null, null, 0, null)`,
    `insert into agent_exchanges (user_id, slug, exchange_id, agent_message, icog_response) values ${exchanges}`,
  )
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const call = (method: string, path = '', body?: unknown, caller = user) => {
  const options: RequestOptions = { token: caller.key, ...(body !== undefined && { body }) }
  return request(server.current, method, `/api/agents${path}`, options)
}

describe('agents', () => {
  test('agents are listed with every field, the last active first', async () => {
    const { status, body } = await call('GET')
    expect(status).toBe(200)
    expect(body[0].slug).toBe('scout')
    const old = body.find(({ slug }: { slug: string }) => slug === 'old.one')
    expect(old).toEqual({
      slug: 'old.one',
      self_definition: null,
      mandate: null,
      boundaries: [],
      agent_type: null,
      proposal: null,
      exchange_count: 0,
      last_exchange_at: null,
      created_at: ISO,
      updated_at: ISO,
    })
    expect((await call('GET', '', undefined, other)).body).toHaveLength(1)
  })

  test('agents show their proposal until the user accepts it', async () => {
    const before = await call('GET', '/scout')
    expect([before.status, before.body]).toMatchObject([
      200,
      {
        self_definition: 'A scout',
        mandate: null,
        boundaries: ['no shouting'],
        proposal: { mandate: 'Find paths', boundaries: [], proposed_at: ISO },
        exchange_count: 45,
        last_exchange_at: ISO,
      },
    ])
    const accepted = await call('PATCH', '/scout', { accept: true })
    expect([accepted.status, accepted.body]).toMatchObject([
      200,
      { self_definition: 'A scout', mandate: 'Find paths', boundaries: [], proposal: null },
    ])
    const again = await call('PATCH', '/scout', { accept: true })
    expect([again.status, again.body]).toEqual([409, { detail: 'This agent proposes nothing' }])
  })

  test('agents lose their proposal when the user declines it', async () => {
    const { status, body } = await call('PATCH', '/proud', { accept: false })
    expect([status, body]).toMatchObject([200, { self_definition: 'A proud one', proposal: null }])
  })

  test('agents take the definition that the user sets', async () => {
    const definition = {
      self_definition: 'A librarian',
      mandate: 'Keep books',
      boundaries: ['no lending'],
      agent_type: 'assistant',
    }
    const set = await call('PATCH', '/old.one', definition)
    expect([set.status, set.body]).toMatchObject([200, definition])
    const cleared = await call('PATCH', '/old.one', { mandate: null, boundaries: null })
    expect(cleared.body).toMatchObject({ ...definition, mandate: null, boundaries: [] })
  })
})

describe('a timeline', () => {
  test('a timeline is newest first, in pages of 20 by default', async () => {
    const first = await call('GET', '/scout/timeline')
    expect([first.status, first.body]).toMatchObject([
      200,
      { slug: 'scout', total: 45, has_more: true, page: 1, limit: 20 },
    ])
    expect(first.body.entries).toHaveLength(20)
    expect(first.body.entries[0]).toEqual({
      type: 'exchange',
      agent_message: 'said 45',
      icog_response: 'answered 45',
      memory_type: 'semantic',
      created_at: ISO,
    })
    const third = await call('GET', '/scout/timeline?page=3')
    expect(third.body).toMatchObject({ total: 45, has_more: false, page: 3, limit: 20 })
    expect(third.body.entries).toHaveLength(5)
    expect(third.body.entries.at(-1)).toMatchObject({ agent_message: 'said 1' })
    const all = await call('GET', '/scout/timeline?page=1&limit=100')
    expect(all.body).toMatchObject({ has_more: false, limit: 100 })
    expect(all.body.entries).toHaveLength(45)
    const beyond = await call('GET', '/scout/timeline?page=9')
    expect(beyond.body).toMatchObject({ entries: [], total: 45, has_more: false, page: 9 })
  })

  test('a timeline is empty for an agent without exchanges', async () => {
    const { body } = await call('GET', '/old.one/timeline')
    expect(body).toEqual({
      slug: 'old.one',
      entries: [],
      total: 0,
      has_more: false,
      page: 1,
      limit: 20,
    })
  })

  for (const [query, field, type] of [
    ['page=0', 'page', 'greater_than_equal'],
    ['page=one', 'page', 'int_parsing'],
    ['limit=0', 'limit', 'greater_than_equal'],
    ['limit=101', 'limit', 'less_than_equal'],
  ])
    test(`a timeline with ${query} is rejected with 422`, async () => {
      const { status, body } = await call('GET', `/scout/timeline?${query}`)
      expect([status, body.detail]).toEqual([
        422,
        [{ loc: ['query', field], msg: expect.any(String), type }],
      ])
    })
})

describe('an agent that does not exist or is another user’s', () => {
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { mandate: 'x' }],
    ['DELETE', ''],
    ['GET', '/timeline'],
  ] as const)
    test(`an agent that does not exist or is another user’s is 404 for ${method} ${path || '/'}`, async () => {
      for (const slug of ['theirs', 'missing', '%00', 'a%2Fb']) {
        const answer = await call(method, `/${slug}${path}`, body)
        if (slug === '%00') expect(answer.status).toBe(422)
        else expect([answer.status, answer.body]).toEqual([404, { detail: 'Agent not found' }])
      }
    })
})

test('an invalid definition is 422 and lists every field', async () => {
  const { status, body } = await call('PATCH', '/scout', {
    accept: 'yes',
    mandate: 5,
    boundaries: ['ok', ''],
    agent_type: '',
    self_definition: 'x'.repeat(4_001),
  })
  const errors = body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc, type])
  expect(status).toBe(422)
  expect(errors.toSorted()).toEqual(
    [
      [['body', 'accept'], 'bool_type'],
      [['body', 'mandate'], 'string_type'],
      [['body', 'boundaries', 1], 'string_too_short'],
      [['body', 'agent_type'], 'string_too_short'],
      [['body', 'self_definition'], 'string_too_long'],
    ].toSorted(),
  )
})

test('deleting an agent deletes its timeline', async () => {
  const { status, text } = await call('DELETE', '/proud')
  expect([status, text]).toEqual([204, ''])
  expect((await call('GET', '/proud')).status).toBe(404)
  expect((await call('GET', '/proud/timeline')).status).toBe(404)
})

describe('the definition that an agent sends', () => {
  const talk = (agent_slug: string, proposed: object) =>
    request(server.current, 'POST', '/api/talk', {
      token: user.key,
      body: { message: 'Hello', agent_slug, ...proposed },
    })

  test('the definition that an agent sends creates the agent at first, then becomes a proposal; a declined proposal does not return', async () => {
    const proposal = {
      proposed_self_definition: ' A pilot ',
      proposed_boundaries: ['no stunts', ' '],
    }
    expect((await talk('pilot', proposal)).status).toBe(200)
    const created = (await call('GET', '/pilot')).body
    expect(created).toMatchObject({
      self_definition: 'A pilot',
      boundaries: ['no stunts'],
      mandate: null,
      proposal: null,
      exchange_count: 1,
      last_exchange_at: ISO,
    })
    await talk('pilot', proposal)
    expect((await call('GET', '/pilot')).body.proposal).toBe(null)

    const more = { ...proposal, proposed_mandate: 'Fly', proposed_agent_type: 'captain' }
    await talk('pilot', more)
    const waiting = (await call('GET', '/pilot')).body
    expect(waiting).toMatchObject({ mandate: null, agent_type: null, exchange_count: 3 })
    expect(waiting.proposal).toEqual({ mandate: 'Fly', agent_type: 'captain', proposed_at: ISO })
    await talk('pilot', more)
    expect((await call('GET', '/pilot')).body.proposal).toEqual(waiting.proposal)

    await call('PATCH', '/pilot', { accept: false })
    await talk('pilot', more)
    expect((await call('GET', '/pilot')).body.proposal).toBe(null)
    await talk('pilot', { ...more, proposed_mandate: 'Fly safely' })
    const again = (await call('GET', '/pilot')).body.proposal
    expect(again).toEqual({ mandate: 'Fly safely', proposed_at: ISO })
    const accepted = await call('PATCH', '/pilot', { accept: true, agent_type: 'pilot' })
    expect(accepted.body).toMatchObject({
      mandate: 'Fly safely',
      agent_type: 'pilot',
      proposal: null,
    })
  })

  test('the definition that an agent sends in concurrent talks creates one agent, and every exchange is counted', async () => {
    await Promise.all(
      Array.from({ length: 8 }, () => talk('crowd', { proposed_mandate: 'Be many' })),
    )
    expect((await call('GET', '/crowd')).body).toMatchObject({
      mandate: 'Be many',
      proposal: null,
      exchange_count: 8,
    })
    const { body } = await call('GET', '/crowd/timeline')
    expect([body.total, body.entries.length]).toEqual([8, 8])
  })
})
