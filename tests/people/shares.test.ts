import { describe, expect, test } from 'bun:test'
import { useConversation } from '../conversation/support.ts'
import { ISO, newVerifiedUser, runSql, startRestartable } from '../harness/http.ts'
import { says } from '../harness/model-server.ts'
import { PASSWORD, request, type TestServer, type TestUser } from '../harness/server.ts'

const it = useConversation()

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const NOT_FOUND = [404, { detail: 'Share not found' }]

const del = (path: string, caller: TestUser) =>
  request(it.server, 'DELETE', path, { token: caller.key })
/** Requests without credentials. */
const read = (token: string, query = '', server: TestServer = it.server) =>
  request(server, 'GET', `/api/shares/${token}${query}`)

/** Creates a session with these questions and answers. */
const converse = async (member: TestUser, ...exchanges: [said: string, answer: string][]) => {
  const { body: session } = await it.post('/api/sessions', { title: 'A trip' }, member)
  for (const [message, answer] of exchanges) {
    it.model.next(says(answer))
    const reply = await it.post('/api/chat', { message, session_id: session.id }, member)
    expect(reply.status).toBe(200)
  }
  const { body: messages } = await it.get(`/api/sessions/${session.id}/messages`, member)
  return { session, messages }
}
const share = async (body: object, who = it.user) => {
  const shared = await it.post('/api/shares', body, who)
  expect(shared.status).toBe(200)
  return shared.body as { token: string; url: string }
}
const textsOf = (body: { messages: { content: string }[] }) =>
  body.messages.map(({ content }) => content)

describe('sharing a conversation', () => {
  test('a share shows its messages to the public, and nothing more', async () => {
    const { session } = await converse(
      it.user,
      ['I drink green tea.', 'Noted.'],
      ['What do I drink?', 'Green tea.'],
    )
    const shared = await it.post('/api/shares', { session_id: session.id })
    expect([shared.status, shared.body]).toEqual([
      200,
      {
        token: expect.stringMatching(/^[\w-]{43}$/),
        url: `${it.server.baseUrl}/s/${shared.body.token}`,
      },
    ])
    const { status, body } = await read(shared.body.token)
    const message = (role: string, content: string) => ({
      role,
      content,
      files: [],
      created_at: ISO,
    })
    expect([status, body]).toEqual([
      200,
      {
        title: 'A trip',
        message_count: 4,
        created_at: ISO,
        messages: [
          message('user', 'I drink green tea.'),
          message('assistant', 'Noted.'),
          message('user', 'What do I drink?'),
          message('assistant', 'Green tea.'),
        ],
        next_cursor: null,
      },
    ])
  })

  test('the page of a share is German where the browser is, and its messages stay as they are', async () => {
    const { session } = await converse(it.user, ['Sign in', 'Accept'])
    const { token } = await share({ session_id: session.id })
    const { text } = await request(it.server, 'GET', `/s/${token}`, {
      headers: { 'accept-language': 'de' },
    })
    expect(text).toContain('<html lang="de">')
    expect(text).toMatch(/Geteilt am \d{1,2}\. \p{L}+ \d{4} · 2 Nachrichten</u)
    expect(text).toMatch(/<time datetime="[^"]+">\d\d\.\d\d\.\d{4}, \d\d:\d\d UTC<\/time>/)
    for (const part of ['<h2>Nutzer</h2>', '<p>Sign in</p>', '<p>Accept</p>', '<h1>A trip</h1>'])
      expect(text).toContain(part)
  })

  test('an answer of nearly only white space does not slow the page', async () => {
    const padded = `Here it is:${' '.repeat(900_000)}done.`
    const { session } = await converse(it.user, ['Draw me a picture.', padded])
    const { token } = await share({ session_id: session.id })
    const page = await request(it.server, 'GET', `/s/${token}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`<p>${padded}</p>`)
  })

  // Each takes longer than the limit of a test if the time grows with the square of the depth.
  test('the page of thousands of nested quotes, lists and emphases is shown', async () => {
    const deep = ['>'.repeat(100_000), '- '.repeat(50_000), '*'.repeat(400_000)].map((marks) =>
      marks.startsWith('*') ? `${marks}a${marks}` : `${marks}a`,
    )
    const { session } = await converse(
      it.user,
      ...deep.map((answer): [string, string] => ['Nest it.', answer]),
    )
    const { token } = await share({ session_id: session.id })
    const page = await request(it.server, 'GET', `/s/${token}`)
    expect(page.status).toBe(200)
    expect(page.text.match(/<blockquote>/g)).toHaveLength(100_000)
    expect(page.text.match(/<li>/g)).toHaveLength(50_000)
    expect(page.text.match(/<strong>/g)).toHaveLength(200_000)
  })

  test('a share can end with a given message', async () => {
    const { session, messages } = await converse(it.user, ['One', 'Two'], ['Three', 'Four'])
    const { token } = await share({ session_id: session.id, message_id: messages[2].id })
    const { body } = await read(token)
    expect(textsOf(body)).toEqual(['One', 'Two', 'Three'])
    expect([body.message_count, body.next_cursor]).toEqual([3, null])
    const all = await share({ session_id: session.id, message_id: null })
    expect(textsOf((await read(all.token)).body)).toHaveLength(4)
  })

  test('a share does not change with its session', async () => {
    const { session } = await converse(it.user, ['One', 'Two'])
    const { token } = await share({ session_id: session.id })
    const before = (await read(token)).body
    it.model.always(says('Something else'))
    const path = `/api/sessions/${session.id}`
    const again = { message: 'One', session_id: session.id }
    expect((await it.post('/api/chat/regenerate', again)).status).toBe(200)
    expect((await it.post('/api/chat', { ...again, message: 'More' })).status).toBe(200)
    await request(it.server, 'PATCH', path, { token: it.user.key, body: { title: 'Renamed' } })
    expect((await read(token)).body).toEqual(before)
    const later = (await read((await share({ session_id: session.id })).token)).body
    expect([later.title, textsOf(later)]).toEqual([
      'Renamed',
      ['One', 'Something else', 'More', 'Something else'],
    ])
    expect((await del(path, it.user)).status).toBe(204)
    expect((await read(token)).body).toEqual(before)
  })

  test('a share of an empty session is empty', async () => {
    const { body: session } = await it.post('/api/sessions', {})
    const { token } = await share({ session_id: session.id })
    expect((await read(token)).body).toEqual({
      title: session.title,
      message_count: 0,
      created_at: ISO,
      messages: [],
      next_cursor: null,
    })
  })

  test('a share has the names of files and pictures and the text of blocks', async () => {
    const user = await it.newUser()
    const form = new FormData()
    form.set('file', new File(['the secret plan'], 'plan.txt', { type: 'text/plain' }))
    const uploaded = await fetch(new URL('/api/files', it.server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}` },
      body: form,
    })
    const { id, file_id = id } = (await uploaded.json()) as { id?: string; file_id?: string }
    const pixel =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const reply = await it.post(
      '/api/chat',
      {
        message: 'Look at these.',
        file_ids: [file_id],
        content_blocks: [
          { type: 'text', text: 'First the plan,' },
          { type: 'image_url', image_url: { url: pixel } },
          { type: 'text', text: 'then the picture.' },
          { type: 'file', file_id },
        ],
      },
      user,
    )
    expect(reply.status).toBe(200)
    const { token } = await share({ session_id: reply.body.session_id }, user)
    const answer = await read(token)
    expect(answer.body.messages[0]).toEqual({
      role: 'user',
      content: 'Look at these.\n\nFirst the plan,\n\nthen the picture.',
      files: ['plan.txt', 'Picture'],
      created_at: ISO,
    })
    expect(answer.text).not.toContain('secret plan')
    expect(answer.text).not.toContain('base64')
  })

  test('a share never contains memories, instructions or its owner', async () => {
    const user = await it.newUser()
    await it.post('/api/remember', { content: 'The safe opens with a brass key' }, user)
    await request(it.server, 'PUT', '/api/auth/instructions', {
      token: user.accessToken,
      body: { instructions: 'Speak like a sailor' },
    })
    const { session, messages } = await converse(user, ['How does the safe open?', 'You know how.'])
    expect(messages[1].memories).toHaveLength(1)
    const { token, url } = await share({ session_id: session.id }, user)
    const profile = await it.get('/api/profile', user)
    const page = await fetch(new URL(new URL(url).pathname, it.server.url))
    for (const text of [(await read(token)).text, await page.text()]) {
      expect(text).toContain('You know how.')
      for (const input of [
        'brass key',
        'sailor',
        user.id,
        user.email,
        profile.body.username,
        session.id,
        messages[0].id,
        messages[1].memories[0].memory_id,
        messages[1].model,
      ])
        expect(text).not.toContain(input)
    }
  })
})

describe('a long conversation', () => {
  test('5,000 messages are shared and read in pages', async () => {
    await using it = await startRestartable()
    const user = await newVerifiedUser(it.current)
    const created = await request(it.current, 'POST', '/api/sessions', {
      token: user.accessToken,
      body: { title: 'Long' },
    })
    await it.restart(
      `insert into chat_messages (user_id, session_id, position, message_id, role, content)
       select '${user.id}', '${created.body.id}', n, gen_random_uuid(), case when n % 2 = 1 then 'user' else 'assistant' end,
       case when n > 4990 then repeat('x', 400000) else 'Said ' || n end from generate_series(1, 5000) n`,
      `update chat_sessions set message_count = 5000 where session_id = '${created.body.id}'`,
    )
    const { body, status } = await request(it.current, 'POST', '/api/shares', {
      token: user.accessToken,
      body: { session_id: created.body.id },
    })
    expect(status).toBe(200)
    const seen: string[] = []
    let pages = 0
    let cursor: number | null = 0
    let largest = 0
    while (cursor !== null) {
      const page = await read(body.token, `?limit=100&cursor=${cursor}`, it.current)
      expect(page.body.message_count).toBe(5_000)
      seen.push(...textsOf(page.body))
      largest = Math.max(largest, page.text.length)
      cursor = page.body.next_cursor
      pages++
    }
    expect(seen).toHaveLength(5_000)
    expect(seen.slice(0, 4_990)).toEqual(Array.from({ length: 4_990 }, (_, n) => `Said ${n + 1}`))
    // A page of long messages has fewer than a hundred.
    expect(largest).toBeLessThan(1_700_000)
    expect(pages).toBeGreaterThan(50)

    const first = await request(it.current, 'GET', `/s/${body.token}`)
    expect(first.text).toContain('Said 100<')
    expect(first.text).not.toContain('Said 101<')
    expect(first.text).toContain('href="?after=100"')
    const next = await request(it.current, 'GET', `/s/${body.token}?after=100`)
    expect(next.text).toContain('Said 101<')
    expect(next.text).toContain('From the beginning')
  })

  test('limit and cursor page through a share', async () => {
    const { session } = await converse(it.user, ['One', 'Two'], ['Three', 'Four'])
    const { token } = await share({ session_id: session.id })
    const first = await read(token, '?limit=3')
    expect([textsOf(first.body), first.body.next_cursor]).toEqual([['One', 'Two', 'Three'], 3])
    const rest = await read(token, '?limit=3&cursor=3')
    expect([textsOf(rest.body), rest.body.next_cursor]).toEqual([['Four'], null])
    const beyond = await read(token, '?cursor=99')
    expect([textsOf(beyond.body), beyond.body.next_cursor]).toEqual([[], null])
    for (const [query, field, type] of [
      ['?limit=0', 'limit', 'greater_than_equal'],
      ['?limit=101', 'limit', 'less_than_equal'],
      ['?cursor=-1', 'cursor', 'greater_than_equal'],
      ['?cursor=x', 'cursor', 'int_parsing'],
    ])
      expect((await read(token, query)).body.detail[0]).toMatchObject({
        loc: ['query', field],
        type,
      })
  })
})

describe('a user’s shares', () => {
  test('shares are listed newest first and revoked one by one', async () => {
    const user = await it.newUser()
    const { session, messages } = await converse(user, ['One', 'Two'])
    const fullShare = await share({ session_id: session.id }, user)
    const part = await share({ session_id: session.id, message_id: messages[0].id }, user)
    const row = (shared: object, message_count: number) => ({
      ...shared,
      session_id: session.id,
      title: 'A trip',
      message_count,
      created_at: ISO,
    })
    const listed = await it.get('/api/shares', user)
    expect([listed.status, listed.body]).toEqual([200, [row(part, 1), row(fullShare, 2)]])
    expect((await it.get('/api/shares?limit=1', user)).body).toEqual([row(part, 1)])
    expect((await it.get(`/api/shares?limit=1&before=${part.token}`, user)).body).toEqual([
      row(fullShare, 2),
    ])

    const removal = await del(`/api/shares/${fullShare.token}`, user)
    expect([removal.status, removal.text]).toEqual([204, ''])
    const after = await read(fullShare.token)
    expect([after.status, after.body]).toEqual([
      410,
      { detail: 'This conversation is no longer shared' },
    ])
    expect((await it.get('/api/shares', user)).body).toEqual([row(part, 1)])
    expect((await read(part.token)).status).toBe(200)
    const twice = await del(`/api/shares/${fullShare.token}`, user)
    expect([twice.status, twice.body]).toEqual(NOT_FOUND)
    expect(
      await runSql(
        it.server.database,
        `select title, message_count from shares where token = '${fullShare.token}'`,
      ),
    ).toEqual([{ title: '', message_count: 0 }])
  })

  test('a user has at most 500 shares, also with concurrent requests', async () => {
    const user = await it.newUser()
    const { body: session } = await it.post('/api/sessions', {}, user)
    const statuses: number[] = []
    for (let n = 0; n < 505; n += 5) {
      const created = await Promise.all(
        Array.from({ length: 5 }, () => it.post('/api/shares', { session_id: session.id }, user)),
      )
      statuses.push(...created.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(500)
    expect(statuses.filter((status) => status === 409)).toHaveLength(5)
    const { body } = await it.get('/api/shares?limit=1', user)
    await del(`/api/shares/${body[0].token}`, user)
    expect((await it.post('/api/shares', { session_id: session.id }, user)).status).toBe(200)
  })

  test('another user can neither list nor revoke a share', async () => {
    const [owner, other] = [await it.newUser(), await it.newUser()]
    const { body: session } = await it.post('/api/sessions', {}, owner)
    const { token } = await share({ session_id: session.id }, owner)
    const refused = await del(`/api/shares/${token}`, other)
    expect([refused.status, refused.body]).toEqual(NOT_FOUND)
    expect((await it.get('/api/shares', other)).body).toEqual([])
    const before = await it.get(`/api/shares?before=${token}`, other)
    expect([before.status, before.body]).toEqual(NOT_FOUND)
    expect((await read(token)).status).toBe(200)
  })

  test('sharing while the account is deleted makes neither request fail', async () => {
    for (let round = 0; round < 3; round++) {
      const eve = await it.newUser()
      const { session } = await converse(eve, ['Hello', 'Hi'])
      const [deletion, ...shared] = await Promise.all([
        request(it.server, 'DELETE', '/api/auth/delete-account', {
          token: eve.accessToken,
          body: { password: PASSWORD },
        }),
        ...Array.from({ length: 20 }, () =>
          it.post('/api/shares', { session_id: session.id }, eve),
        ),
      ])
      expect(deletion?.status).toBe(200)
      for (const { status } of shared) expect([200, 401, 404]).toContain(status)
    }
  })

  test('deleting the account deletes its shares', async () => {
    const user = await it.newUser()
    const { session } = await converse(user, ['One', 'Two'])
    const { token } = await share({ session_id: session.id }, user)
    const { status } = await request(it.server, 'DELETE', '/api/auth/delete-account', {
      token: user.accessToken,
      body: { password: PASSWORD },
    })
    expect(status).toBe(200)
    const afterDeletion = await read(token)
    expect([afterDeletion.status, afterDeletion.body]).toEqual(NOT_FOUND)
    expect((await request(it.server, 'GET', `/s/${token}`)).status).toBe(404)
  })
})

describe('rejected shares', () => {
  test('a session or message that is not the caller’s is 404', async () => {
    const other = await it.newUser()
    const mine = await converse(it.user, ['One', 'Two'])
    const theirs = await converse(other, ['Three', 'Four'])
    for (const [body, detail] of [
      [{ session_id: NO_ID }, 'Session not found'],
      [{ session_id: theirs.session.id }, 'Session not found'],
      [{ session_id: mine.session.id, message_id: NO_ID }, 'Message not found'],
      [{ session_id: mine.session.id, message_id: theirs.messages[0].id }, 'Message not found'],
    ] as const) {
      const answer = await it.post('/api/shares', body)
      expect([answer.status, answer.body]).toEqual([404, { detail }])
    }
  })

  test('an invalid request is 422', async () => {
    for (const [body, field, type] of [
      [{}, 'session_id', 'missing'],
      [{ session_id: null }, 'session_id', 'string_type'],
      [{ session_id: 'x' }, 'session_id', 'uuid_parsing'],
      [{ session_id: NO_ID, message_id: 5 }, 'message_id', 'string_type'],
    ] as const) {
      const { status, body: answer } = await it.post('/api/shares', body)
      expect([status, answer.detail]).toEqual([
        422,
        [{ loc: ['body', field], msg: expect.any(String), type }],
      ])
    }
  })

  test('an unknown token is 404', async () => {
    for (const token of ['x', 'A'.repeat(43), NO_ID, '%E2%82', 'a%2Fb']) {
      const { status } = await read(token)
      expect([token, status]).toEqual([token, 404])
    }
    for (const token of ['x', 'A'.repeat(43), '%00', '%E2%82', 'a%2Fb'])
      expect((await request(it.server, 'GET', `/s/${token}`)).status).toBe(404)
  })
})
