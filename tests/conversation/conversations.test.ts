import { beforeAll, describe, expect, test } from 'bun:test'
import { remember } from '../../shared/contract/index.ts'
import { ISO, newVerifiedUser, startRestartable, UUID } from '../harness/http.ts'
import {
  newUser,
  type RequestOptions,
  request,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()
let user: TestUser
let other: TestUser
beforeAll(async () => {
  user = await newUser(server.current)
  other = await newUser(server.current)
})

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

const call = (
  method: string,
  path = '',
  body?: unknown,
  caller = user,
  target = server.current,
) => {
  const options: RequestOptions = { token: caller.key, ...(body !== undefined && { body }) }
  return request(target, method, `/api/sessions${path}`, options)
}
const make = async (title: string, member = user) =>
  (await call('POST', '', { title }, member)).body
const titles = (sessions: { title: string }[]) => sessions.map(({ title }) => title)

describe('a session', () => {
  test('a session is created empty, with every field', async () => {
    const { status, body } = await call('POST', '', { title: ' A trip ' })
    expect([status, body]).toEqual([
      201,
      {
        id: UUID,
        title: 'A trip',
        provider: null,
        model: null,
        created_at: ISO,
        updated_at: ISO,
        message_count: 0,
        last_message_preview: null,
        category_id: null,
        category_name: null,
        category_color: null,
        category_icon: null,
        is_pinned: false,
        is_archived: false,
        initiated_by: null,
        unread: false,
      },
    ])
    const response = await call('GET', `/${body.id}`)
    expect([response.status, response.body]).toEqual([200, body])
    const messages = await call('GET', `/${body.id}/messages`)
    expect([messages.status, messages.body]).toEqual([200, []])
  })

  test('a session can be created without a title or a body', async () => {
    for (const body of [{}, { title: null }, undefined]) {
      const answer = await call('POST', '', body)
      expect([answer.status, answer.body.title]).toEqual([201, 'New chat'])
    }
  })

  test('a session can be renamed', async () => {
    const { id, updated_at } = await make('Old')
    const { status, body } = await call('PATCH', `/${id}`, { title: 'New' })
    expect([status, body.title]).toEqual([200, 'New'])
    expect(body.updated_at >= updated_at).toBe(true)
  })

  test('a session is pinned and unpinned, and archived and restored, by the same request', async () => {
    const { id, updated_at } = await make('Toggled')
    for (const [path, field] of [
      ['pin', 'is_pinned'],
      ['archive', 'is_archived'],
    ])
      for (const expected of [true, false, true]) {
        const { status, body } = await call('PUT', `/${id}/${path}`)
        expect([status, body[field as string], body.updated_at]).toEqual([
          200,
          expected,
          updated_at,
        ])
      }
  })

  test('a session counts every concurrent toggle', async () => {
    const { id } = await make('Raced')
    await Promise.all(Array.from({ length: 9 }, () => call('PUT', `/${id}/pin`)))
    expect((await call('GET', `/${id}`)).body.is_pinned).toBe(true)
  })

  test('a session is moved into a category and out again', async () => {
    const { id } = await make('Moved')
    const category = (await call('POST', '/categories', { name: 'Work', color: 'red' })).body
    const moved = await call('PUT', `/${id}/move`, { category_id: category.id })
    expect([moved.status, moved.body]).toMatchObject([
      200,
      {
        id,
        category_id: category.id,
        category_name: 'Work',
        category_color: 'red',
        category_icon: category.icon,
      },
    ])
    const out = await call('PUT', `/${id}/move`, { category_id: null })
    expect([out.status, out.body]).toMatchObject([200, { category_id: null, category_name: null }])
  })

  test('a session is marked as read', async () => {
    const { id } = await make('Read')
    const { status, body } = await call('POST', `/${id}/read`)
    expect([status, body]).toMatchObject([200, { id, unread: false }])
  })

  test('a session is 404 after it is deleted', async () => {
    const { id } = await make('Gone')
    const { status, text } = await call('DELETE', `/${id}`)
    expect([status, text]).toEqual([204, ''])
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/${id}`)).status).toBe(404)
  })
})

describe('the list of sessions', () => {
  test('the list of sessions has pinned ones first, then the last changed; archived ones are listed separately', async () => {
    const freshUser = await newUser(server.current)
    const sessions = []
    for (const title of ['one', 'two', 'three', 'four']) sessions.push(await make(title, freshUser))
    await call('PUT', `/${sessions[1].id}/pin`, undefined, freshUser)
    await call('PUT', `/${sessions[3].id}/archive`, undefined, freshUser)
    await call('PATCH', `/${sessions[0].id}`, { title: 'one again' }, freshUser)
    const listed = await call('GET', '', undefined, freshUser)
    expect([listed.status, titles(listed.body)]).toEqual([200, ['two', 'one again', 'three']])
    const archived = await call('GET', '?archived=true', undefined, freshUser)
    expect(titles(archived.body)).toEqual(['four'])
  })

  test('the list of sessions has pages that neither repeat nor miss a session', async () => {
    const freshUser = await newUser(server.current)
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.push((await make(`n${n}`, freshUser)).id)
    for (const id of [ids[2], ids[5]]) await call('PUT', `/${id}/pin`, undefined, freshUser)
    const seen: string[] = []
    for (let before = ''; ; ) {
      const { body } = await call('GET', `?limit=2${before}`, undefined, freshUser)
      seen.push(...titles(body))
      if (body.length < 2) break
      before = `&before=${body.at(-1).id}`
    }
    expect(seen).toEqual(['n5', 'n2', 'n6', 'n4', 'n3', 'n1', 'n0'])
  })

  test('the list of sessions is filtered by category', async () => {
    const freshUser = await newUser(server.current)
    const inside = await make('inside', freshUser)
    await make('outside', freshUser)
    const { id } = (await call('POST', '/categories', { name: 'Work' }, freshUser)).body
    await call('PUT', `/${inside.id}/move`, { category_id: id }, freshUser)
    const { body } = await call('GET', `?category_id=${id}`, undefined, freshUser)
    expect(titles(body)).toEqual(['inside'])
    expect((await call('GET', `?category_id=${NO_ID}`, undefined, freshUser)).body).toEqual([])
  })

  test('the list of sessions is searched for all words of a title, literally and without regard to case', async () => {
    const freshUser = await newUser(server.current)
    for (const title of ['A trip to Paris', '100% sure', 'snake_case', 'Über Köln'])
      await make(title, freshUser)
    const search = async (q: string) =>
      titles((await call('GET', `?q=${encodeURIComponent(q)}`, undefined, freshUser)).body)
    expect(await search('paris TRIP')).toEqual(['A trip to Paris'])
    expect(await search('paris london')).toEqual([])
    expect(await search('%')).toEqual(['100% sure'])
    expect(await search('_')).toEqual(['snake_case'])
    expect(await search('\\')).toEqual([])
    expect(await search('köl')).toEqual(['Über Köln'])
    expect(await search('  ')).toHaveLength(4)
  })
})

describe('another user’s session', () => {
  test('another user’s session is 404 for every endpoint and stays unchanged', async () => {
    const { id } = await make('Mine')
    const before = (await call('GET', `/${id}`)).body
    for (const target of [id, NO_ID])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { title: 'Yours' }],
        ['DELETE', ''],
        ['GET', '/messages'],
        ['POST', '/read'],
        ['PUT', '/pin'],
        ['PUT', '/archive'],
        ['PUT', '/move', { category_id: null }],
      ] as const) {
        const answer = await call(method, `/${target}${path}`, body, other)
        expect([method, path, answer.status, answer.body]).toEqual([
          method,
          path,
          404,
          { detail: 'Session not found' },
        ])
      }
    expect((await call('GET', `?before=${id}`, undefined, other)).status).toBe(404)
    expect((await call('GET', '', undefined, other)).body).toEqual([])
    expect((await call('GET', `/${id}`)).body).toEqual(before)
  })

  test('a session cannot be moved to another user’s category', async () => {
    const theirs = (await call('POST', '/categories', { name: 'Theirs' }, other)).body
    const { id } = await make('Mine')
    for (const category_id of [theirs.id, NO_ID]) {
      const { status, body } = await call('PUT', `/${id}/move`, { category_id })
      expect([status, body]).toEqual([404, { detail: 'Category not found' }])
    }
  })
})

describe('422 is returned for', () => {
  const refusals: [string, string, string, unknown, (string | number)[], string][] = [
    ['an invalid session id', 'GET', '/no-id', undefined, ['path', 'session_id'], 'uuid_parsing'],
    [
      'an invalid session id to pin',
      'PUT',
      '/no-id/pin',
      undefined,
      ['path', 'session_id'],
      'uuid_parsing',
    ],
    ['a move without a category', 'PUT', `/${NO_ID}/move`, {}, ['body', 'category_id'], 'missing'],
    [
      'a move to an invalid id',
      'PUT',
      `/${NO_ID}/move`,
      { category_id: 'x' },
      ['body', 'category_id'],
      'uuid_parsing',
    ],
    [
      'a move to a number',
      'PUT',
      `/${NO_ID}/move`,
      { category_id: 1 },
      ['body', 'category_id'],
      'string_type',
    ],
    ['a missing title', 'PATCH', `/${NO_ID}`, {}, ['body', 'title'], 'missing'],
    ['an empty title', 'PATCH', `/${NO_ID}`, { title: ' ' }, ['body', 'title'], 'string_too_short'],
    [
      'a title that is too long',
      'POST',
      '',
      { title: 'x'.repeat(201) },
      ['body', 'title'],
      'string_too_long',
    ],
    ['a limit of 0', 'GET', '?limit=0', undefined, ['query', 'limit'], 'greater_than_equal'],
    ['a limit of 101', 'GET', '?limit=101', undefined, ['query', 'limit'], 'less_than_equal'],
    [
      'a limit that is not a number',
      'GET',
      '?limit=ten',
      undefined,
      ['query', 'limit'],
      'int_parsing',
    ],
    [
      'an invalid value of archived',
      'GET',
      '?archived=maybe',
      undefined,
      ['query', 'archived'],
      'bool_parsing',
    ],
    ['an invalid before', 'GET', '?before=x', undefined, ['query', 'before'], 'uuid_parsing'],
    [
      'an invalid before of messages',
      'GET',
      `/${NO_ID}/messages?before=x`,
      undefined,
      ['query', 'before'],
      'uuid_parsing',
    ],
  ]
  for (const [what, method, path, body, loc, type] of refusals)
    test(what, async () => {
      const answer = await call(method, path, body)
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        [{ loc, msg: expect.any(String), type }],
      ])
    })
})

describe('messages', () => {
  /** SQL that inserts messages as a conversation would leave them. */
  const insertMessages = (userId: string, sessionId: string, memoryIds: string[], count = 7) => {
    const id = (n: number) => `01a1fdd5-1d91-733f-bcad-00000000000${n}`
    const cited = JSON.stringify(memoryIds.map((memory_id) => ({ memory_id, score: 0.5 })))
    const rows = Array.from({ length: count }, (_, i) => i + 1).map((n) =>
      n % 2
        ? `('${userId}', '${sessionId}', ${n}, '${id(n)}', 'user', 'question ${n}', null, null, null, '[]')`
        : `('${userId}', '${sessionId}', ${n}, '${id(n)}', 'assistant', 'answer ${n}', '${id(n - 1)}', 'local', '{"input_tokens":1,"output_tokens":2,"estimated":true}', '${cited}')`,
    )
    return {
      id,
      statements: [
        `insert into chat_messages (user_id, session_id, position, message_id, role, content, reply_to, provider, usage, memories) values ${rows}`,
        `insert into chat_message_versions (user_id, message_id, version, content, provider, model, is_partial, created_at) values
          ('${userId}', '${id(2)}', 1, 'first try', 'openai', 'm', true, '2026-01-01T00:00:00Z'),
          ('${userId}', '${id(2)}', 2, 'second try', 'local', null, false, '2026-01-02T00:00:00Z')`,
        `update chat_sessions set message_count = ${count}, is_unread = true where session_id = '${sessionId}'`,
      ],
    }
  }

  test('messages are returned oldest first, in pages, with versions and the memories that still exist', async () => {
    await using restartable = await startRestartable()
    const freshUser = await newUser(restartable.current)
    const at = (method: string, path: string) =>
      call(method, path, undefined, freshUser, restartable.current)
    const remembered = await Promise.all(
      ['Ada likes tea', 'Ada lives in Paris'].map((content) =>
        freshUser.client.call(remember, { body: { content } }),
      ),
    )
    const [kept = '', forgotten = ''] = remembered.map(({ memory_id }) => memory_id)
    const { id: sessionId } = (await at('POST', '')).body
    const { id, statements } = insertMessages(freshUser.id, sessionId, [kept, forgotten])
    await restartable.restart(...statements)
    await request(restartable.current, 'DELETE', `/api/memories/${forgotten}`, {
      token: freshUser.key,
    })

    const page = await at('GET', `/${sessionId}/messages?limit=3`)
    expect(page.body.map((message: { content: string }) => message.content)).toEqual([
      'question 5',
      'answer 6',
      'question 7',
    ])
    const rest = await at('GET', `/${sessionId}/messages?before=${page.body[0].id}`)
    expect(rest.body).toHaveLength(4)
    expect(rest.body[0]).toEqual({
      id: id(1),
      session_id: sessionId,
      role: 'user',
      content: 'question 1',
      content_blocks: [],
      file_ids: [],
      url_snapshot_hash: null,
      reply_to: null,
      provider: null,
      model: null,
      usage: null,
      memories: [],
      is_partial: false,
      versions: [],
      created_at: ISO,
    })
    expect(rest.body[1]).toMatchObject({
      id: id(2),
      role: 'assistant',
      reply_to: id(1),
      provider: 'local',
      usage: { input_tokens: 1, output_tokens: 2, estimated: true },
      memories: [{ memory_id: kept, content_text: 'Ada likes tea', score: 0.5 }],
      versions: [
        {
          content: 'first try',
          provider: 'openai',
          model: 'm',
          is_partial: true,
          created_at: '2026-01-01T00:00:00.000Z',
        },
        { content: 'second try', provider: 'local', model: null, is_partial: false },
      ],
    })
    expect(rest.body[3].versions).toEqual([])

    const foreign = await at('GET', `/${sessionId}/messages?before=${NO_ID}`)
    expect([foreign.status, foreign.body]).toEqual([404, { detail: 'Message not found' }])
    expect((await at('GET', `/${sessionId}`)).body).toMatchObject({
      unread: true,
      message_count: 7,
    })
    expect((await at('POST', `/${sessionId}/read`)).body).toMatchObject({ unread: false })

    const found = async (q: string) => (await at('GET', `?q=${encodeURIComponent(q)}`)).body.length
    expect(await found('QUESTION 7')).toBe(1)
    expect(await found('question answer')).toBe(0)

    expect((await at('DELETE', `/${sessionId}`)).status).toBe(204)
    expect((await at('GET', `/${sessionId}/messages`)).status).toBe(404)
  })
})

describe('a session with messages', () => {
  const chat = async (user: TestUser, message: string, session_id?: string) => {
    const { status, body } = await request(server.current, 'POST', '/api/chat', {
      token: user.key,
      body: { message, ...(session_id && { session_id }) },
    })
    expect(status).toBe(200)
    return body as { session_id: string; message: { id: string; content: string } }
  }

  test('a session with messages has the title of its first message and the preview of its last, and is found by search', async () => {
    const freshUser = await newVerifiedUser(server.current)
    const long = `What\n  do you know ${'of tea '.repeat(40)}?`
    const first = await chat(freshUser, long)
    await chat(freshUser, 'And another one?')
    const second = await chat(freshUser, 'What of coffee?', first.session_id)
    const [session, ...rest] = (await call('GET', '', undefined, freshUser)).body
    expect(rest).toHaveLength(1)
    expect(session).toMatchObject({
      id: first.session_id,
      provider: 'local',
      model: null,
      message_count: 4,
      unread: false,
    })
    expect(session.title).toMatch(/^What do you know of tea .*…$/)
    expect(session.title.length).toBeLessThanOrEqual(80)
    expect(session.last_message_preview.length).toBeLessThanOrEqual(160)
    expect(second.message.content.replace(/\s+/g, ' ')).toStartWith(
      session.last_message_preview.replace('…', ''),
    )
    const found = await call('GET', '?q=COFFEE', undefined, freshUser)
    expect(found.body.map(({ id }: { id: string }) => id)).toEqual([first.session_id])
  })

  test('a session with messages keeps the title that the user set', async () => {
    const freshUser = await newVerifiedUser(server.current)
    const { id } = await make('Mine', freshUser)
    await chat(freshUser, 'Something else', id)
    expect((await call('GET', `/${id}`, undefined, freshUser)).body.title).toBe('Mine')
  })

  test('a session with messages stores every concurrent message at a position of its own', async () => {
    const freshUser = await newVerifiedUser(server.current)
    const { id } = await make('Busy', freshUser)
    const sent = Array.from({ length: 8 }, (_, n) => `question ${n}`)
    await Promise.all(sent.map((message) => chat(freshUser, message, id)))
    const { body } = await call('GET', `/${id}/messages`, undefined, freshUser)
    const questions = body.filter(({ role }: { role: string }) => role === 'user')
    expect(questions.map(({ content }: { content: string }) => content).toSorted()).toEqual(sent)
    const answered = body.map(({ reply_to }: { reply_to: string | null }) => reply_to)
    expect(answered.filter(Boolean).toSorted()).toEqual(
      questions.map((question: { id: string }) => question.id).toSorted(),
    )
    expect((await call('GET', `/${id}`, undefined, freshUser)).body.message_count).toBe(16)
  })
})
