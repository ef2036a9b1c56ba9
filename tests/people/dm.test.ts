import { beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { ISO, newVerifiedUser, runSql, startRestartable, UUID } from '../harness/http.ts'
import { PASSWORD, request, useSharedServer } from '../harness/server.ts'
import { call, type DmUser, dmUserOf, messagesOf, send, threadOf } from './dm-support.ts'

const server = useSharedServer()
const newPerson = async (on = server.current) => dmUserOf(on, await newVerifiedUser(on))
const callDm = (member: DmUser, method: string, path = '', body?: unknown) =>
  call(server.current, member, method, path, body)
const listOf = async (caller: DmUser, query = '') => (await callDm(caller, 'GET', query)).body
const pair = async () => {
  const [ada, bob] = [await newPerson(), await newPerson()]
  return { ada, bob, thread: await threadOf(server.current, ada, bob) }
}
const write = (who: DmUser, thread: string, content: string, replyTo?: string) =>
  send(server.current, who, thread, content, replyTo)
const textsOf = (messages: { content: string }[]) => messages.map(({ content }) => content)

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const NO_THREAD = [404, { detail: 'Thread not found' }]
const PICTURE_URL = expect.stringMatching(
  /^http:\/\/localhost:\d+\/api\/avatars\/initials-[\w-]+\.svg$/,
)

let ada: DmUser
let bob: DmUser
let thread: string
beforeAll(async () => {
  ;({ ada, bob, thread } = await pair())
})

describe('direct threads', () => {
  test('a thread started by username is visible to both members', async () => {
    const [eve, dan] = [await newPerson(), await newPerson()]
    const begun = await callDm(eve, 'POST', '', { username: dan.username })
    const summary = (peer: DmUser) => ({
      thread_id: begun.body.thread_id,
      peer_user_id: peer.id,
      peer_username: peer.username,
      peer_display_name: peer.username,
      peer_avatar_url: PICTURE_URL,
      peer_online: true,
      last_message: null,
      unread: 0,
      last_message_at: ISO,
      archived: false,
    })
    expect([begun.status, begun.body]).toEqual([201, summary(dan)])
    expect(begun.body.thread_id).toEqual(UUID)
    expect(await listOf(eve)).toEqual([summary(dan)])
    expect(await listOf(dan)).toEqual([summary(eve)])
  })

  test('starting a thread again returns the same one, from either side and in any case', async () => {
    const [eve, dan] = [await newPerson(), await newPerson()]
    const first = await threadOf(server.current, eve, dan)
    for (const username of [dan.username.toUpperCase(), ` @${dan.username} `])
      expect((await callDm(eve, 'POST', '', { username })).body.thread_id).toBe(first)
    expect(await threadOf(server.current, dan, eve)).toBe(first)
    expect(await listOf(eve)).toHaveLength(1)
  })

  test('concurrent starts by both users create one thread', async () => {
    for (let round = 0; round < 3; round++) {
      const [eve, dan] = [await newPerson(), await newPerson()]
      const begun = await Promise.all(
        [eve, dan, eve, dan, eve, dan].map((member) =>
          callDm(member, 'POST', '', { username: (member === eve ? dan : eve).username }),
        ),
      )
      expect(begun.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
      expect(new Set(begun.map(({ body }) => body.thread_id)).size).toBe(1)
      expect(await listOf(eve)).toHaveLength(1)
      expect(await listOf(dan)).toHaveLength(1)
    }
  })

  test('a thread with oneself, an unknown user or the service is rejected', async () => {
    const self = await callDm(ada, 'POST', '', { username: ada.username })
    expect([self.status, self.body]).toEqual([400, { detail: 'You cannot write to yourself' }])
    for (const username of ['no-such-user', 'icog', '@icog', 'deleted', 'Ünicode', '%']) {
      const { status, body } = await callDm(ada, 'POST', '', { username })
      expect([username, status, body]).toEqual([
        username,
        404,
        { detail: 'No user has this username' },
      ])
    }
  })

  test('at most 50 new threads a day are started; existing ones stay open', async () => {
    const eve = await newPerson()
    const known = await threadOf(server.current, eve, ada)
    for (let n = 1; n < 50; n++)
      expect((await callDm(eve, 'POST', '', { username: `guess-${n}` })).status).toBe(404)
    const { status, body } = await callDm(eve, 'POST', '', { username: bob.username })
    expect([status, body]).toEqual([
      429,
      { detail: expect.stringMatching(/^Too many new threads\. Try again in 2[34] hours\.$/) },
    ])
    expect(await threadOf(server.current, eve, ada)).toBe(known)
  })
})

describe('direct messages', () => {
  test('a user sends at most 60 messages a minute over all threads', async () => {
    const [eve, bob, carl] = [await newPerson(), await newPerson(), await newPerson()]
    const threads = [
      await threadOf(server.current, eve, bob),
      await threadOf(server.current, eve, carl),
    ]
    const answers = await Promise.all(
      Array.from({ length: 61 }, (_, n) =>
        callDm(eve, 'POST', `/${threads[n % 2]}/messages`, { content: `Message ${n}` }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body])).toEqual([
      [
        429,
        {
          detail: expect.stringMatching(
            /^Too many messages sent\. Try again in (\d+ seconds?|1 minute)\.$/,
          ),
        },
      ],
    ])
    const answered = await callDm(bob, 'POST', `/${threads[0]}/messages`, { content: 'Slow down!' })
    expect(answered.status).toBe(201)
  })

  test('a message reaches the peer with its author', async () => {
    const { ada, bob, thread } = await pair()
    const sent = await callDm(ada, 'POST', `/${thread}/messages`, { content: ' Hello Bob! \n' })
    const message = {
      id: UUID,
      thread_id: thread,
      author_id: ada.id,
      author_username: ada.username,
      author_display_name: ada.username,
      author_avatar_url: PICTURE_URL,
      content: 'Hello Bob!',
      mentions_icog: false,
      reply_to_message_id: null,
      created_at: ISO,
    }
    expect([sent.status, sent.body]).toEqual([201, message])
    const answered = await write(bob, thread, 'Hello Ada!', sent.body.id)
    expect(answered).toMatchObject({ author_id: bob.id, reply_to_message_id: sent.body.id })
    for (const member of [ada, bob])
      expect(await messagesOf(server.current, member, thread)).toEqual([sent.body, answered])
    const [summary] = await listOf(ada)
    expect(summary).toMatchObject({ last_message: answered, last_message_at: answered.created_at })
  })

  test('a message shows the current display name and avatar of its author', async () => {
    const { ada, bob, thread } = await pair()
    await write(ada, thread, 'Hello')
    await request(server.current, 'PUT', '/api/profile', {
      token: ada.accessToken,
      body: { display_name: 'Ada Lovelace' },
    })
    const drawn = (await listOf(bob))[0]
    expect(drawn).toMatchObject({
      peer_display_name: 'Ada Lovelace',
      last_message: { author_display_name: 'Ada Lovelace' },
    })
    const picture = await fetch(
      new URL(new URL(drawn.peer_avatar_url).pathname, server.current.url),
    )
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toBe('image/svg+xml')
    expect(picture.headers.get('cache-control')).toContain('immutable')
    const bytes = await picture.bytes()
    expect(new TextDecoder().decode(bytes)).toContain('>AL</text>')

    const form = new FormData()
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    form.set('file', new File([png], 'a.png', { type: 'image/png' }))
    const uploaded = await fetch(new URL('/api/profile/avatar', server.current.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.accessToken}` },
      body: form,
    })
    const { avatar_url } = (await uploaded.json()) as { avatar_url: string }
    const url = `${server.current.baseUrl}${avatar_url}`
    expect((await listOf(bob))[0]).toMatchObject({
      peer_avatar_url: url,
      last_message: { author_avatar_url: url },
    })
  })

  test('a page has the newest messages, oldest first', async () => {
    const { ada, bob, thread } = await pair()
    const sent = []
    for (let n = 1; n <= 60; n++) sent.push(await write(n % 2 ? ada : bob, thread, `${n}`))
    const last = await messagesOf(server.current, bob, thread)
    expect(last).toEqual(sent.slice(10))
    const page = (query: string) => messagesOf(server.current, ada, thread, query)
    expect(await page(`?before=${last[0].id}`)).toEqual(sent.slice(0, 10))
    expect(await page(`?before=${sent[5].id}&limit=3`)).toEqual(sent.slice(2, 5))
    expect(await page(`?before=${sent[0].id}`)).toEqual([])
    expect(await page('?limit=100')).toEqual(sent)
  })

  test('concurrent messages get distinct positions and none is lost', async () => {
    const { ada, bob, thread } = await pair()
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, n) => write(n % 2 ? ada : bob, thread, `${n}`)),
    )
    const listed = await messagesOf(server.current, ada, thread)
    expect(textsOf(listed).toSorted()).toEqual(textsOf(sent).toSorted())
    expect(await messagesOf(server.current, bob, thread)).toEqual(listed)
    const times = listed.map(({ created_at }: { created_at: string }) => created_at)
    expect(times).toEqual(times.toSorted())
    expect((await listOf(ada))[0].unread).toBe(20)
    expect((await listOf(bob))[0]).toMatchObject({ unread: 20, last_message: listed.at(-1) })
  })

  test('a message of 10,000 characters is accepted, a longer one is not', async () => {
    const longest = '💬'.repeat(10_000)
    expect((await write(ada, thread, longest)).content).toBe(longest)
    const { body } = await callDm(ada, 'POST', `/${thread}/messages`, { content: `${longest}x` })
    expect(body.detail[0]).toMatchObject({ loc: ['body', 'content'], type: 'string_too_long' })
  })

  test('only the name as a word mentions the service', async () => {
    for (const content of ['@icog hi', 'hi @ICOG!', '(@icog)', 'so,@icog?', 'a\n@icog', '@icog: a'])
      expect([content, (await write(ada, thread, content)).mentions_icog]).toEqual([content, true])
    for (const content of [
      'icog',
      'bob@icog.com',
      '@icogs',
      '@icog.com',
      'x@icog',
      '@icog_bot',
      '@icog-bot',
      'https://example.com/@icog',
      '@icog/cli',
      '@@icog',
      '@ icog',
      'é@icog',
    ])
      expect([content, (await write(ada, thread, content)).mentions_icog]).toEqual([content, false])
  })

  test('a message replies only to one of the same thread', async () => {
    const other = await pair()
    const elsewhere = await write(other.ada, other.thread, 'Elsewhere')
    for (const id of [NO_ID, elsewhere.id]) {
      const { status, body } = await callDm(ada, 'POST', `/${thread}/messages`, {
        content: 'x',
        reply_to_message_id: id,
      })
      expect([status, body]).toEqual([404, { detail: 'Message not found' }])
      const page = await callDm(ada, 'GET', `/${thread}/messages?before=${id}`)
      expect([page.status, page.body]).toEqual([404, { detail: 'Message not found' }])
    }
  })
})

describe('unread counts', () => {
  test('unread messages count for each member, without the member’s own', async () => {
    const { ada, bob, thread } = await pair()
    for (const content of ['1', '2', '3']) await write(ada, thread, content)
    expect((await listOf(ada))[0].unread).toBe(0)
    expect((await listOf(bob))[0].unread).toBe(3)
    await write(bob, thread, '4')
    expect((await listOf(ada))[0].unread).toBe(1)
    const read = await callDm(bob, 'POST', `/${thread}/read`)
    expect([read.status, read.body]).toEqual([200, (await listOf(bob))[0]])
    expect(read.body).toMatchObject({ unread: 0, last_message: { content: '4' } })
    expect((await callDm(bob, 'POST', `/${thread}/read`)).body).toEqual(read.body)
    expect((await listOf(ada))[0].unread).toBe(1)
  })

  test('twenty concurrent reads leave no unread message', async () => {
    const { ada, bob, thread } = await pair()
    await write(ada, thread, '1')
    const reads = await Promise.all(
      Array.from({ length: 20 }, () => callDm(bob, 'POST', `/${thread}/read`)),
    )
    expect(new Set(reads.map(({ status, body }) => `${status} ${body.unread}`))).toEqual(
      new Set(['200 0']),
    )
    await write(ada, thread, '2')
    expect((await listOf(bob))[0].unread).toBe(1)
  })
})

describe('thread list', () => {
  test('threads are listed by their last message, in pages', async () => {
    const eve = await newPerson()
    const peers = [await newPerson(), await newPerson(), await newPerson()]
    const threads: string[] = []
    for (const peer of peers) threads.push(await threadOf(server.current, eve, peer))
    const idsOf = async (query = '') =>
      (await listOf(eve, query)).map(({ thread_id }: { thread_id: string }) => thread_id)
    const [first, second, third] = threads as [string, string, string]
    expect(await idsOf()).toEqual([third, second, first])
    await write(peers[0] as DmUser, first, 'Hello')
    expect(await idsOf()).toEqual([first, third, second])
    expect(await idsOf('?limit=2')).toEqual([first, third])
    expect(await idsOf(`?limit=2&before=${third}`)).toEqual([second])
  })

  test('archived threads are left out until the next message', async () => {
    const { ada, bob, thread } = await pair()
    const archived = await callDm(ada, 'PUT', `/${thread}/archive`)
    expect([archived.status, archived.body]).toMatchObject([200, { archived: true }])
    expect(await listOf(ada)).toEqual([])
    expect(await listOf(ada, '?include_archived=false')).toEqual([])
    expect(await listOf(ada, '?include_archived=true')).toEqual([archived.body])
    expect((await listOf(bob))[0].archived).toBe(false)
    const back = await callDm(ada, 'PUT', `/${thread}/archive`)
    expect(back.body.archived).toBe(false)

    await callDm(ada, 'PUT', `/${thread}/archive`)
    await write(bob, thread, 'Are you there?')
    expect(await listOf(ada)).toMatchObject([{ archived: false, unread: 1 }])
  })

  test('a peer is online if signed in and seen within a minute', async () => {
    await using it = await startRestartable()
    const [ada, bob] = [await newPerson(it.current), await newPerson(it.current)]
    await threadOf(it.current, ada, bob)
    const isOnline = async () => (await call(it.current, ada, 'GET')).body[0].peer_online
    expect(await isOnline()).toBe(true)
    const seen = (seconds: number) =>
      `update sessions set last_seen_at = now() - interval '${seconds} seconds' where user_id = '${bob.id}'`
    await it.restart(seen(61))
    expect(await isOnline()).toBe(false)
    await request(it.current, 'GET', '/api/me', { token: bob.accessToken })
    expect(await isOnline()).toBe(true)
    // A request within the minute extends it.
    await it.restart(seen(30))
    const askedAt = Date.now()
    await request(it.current, 'GET', '/api/me', { token: bob.accessToken })
    const { body } = await request(it.current, 'GET', '/api/auth/sessions', {
      token: bob.accessToken,
    })
    expect(Date.parse(body[0].last_seen_at)).toBeGreaterThanOrEqual(askedAt)
    await request(it.current, 'DELETE', '/api/auth/sessions', { token: bob.accessToken })
    expect(await isOnline()).toBe(false)
  })
})

describe('access', () => {
  test('a user who is not a member gets 404 for every request on a thread', async () => {
    const eve = await newPerson()
    for (const id of [thread, NO_ID])
      for (const [method, path, body] of [
        ['GET', '/messages'],
        ['POST', '/messages', { content: 'Let me in' }],
        ['POST', '/read'],
        ['PUT', '/archive'],
      ] as const) {
        const answer = await callDm(eve, method, `/${id}${path}`, body)
        expect([method, path, answer.status, answer.body]).toEqual([method, path, ...NO_THREAD])
      }
    const before = await callDm(eve, 'GET', `?before=${thread}`)
    expect([before.status, before.body]).toEqual(NO_THREAD)
    expect(await listOf(eve)).toEqual([])
  })
})

describe('rejected requests', () => {
  const rejected: [string, string, string, unknown, string[], string][] = [
    ['POST', '', 'without a username', {}, ['body', 'username'], 'missing'],
    [
      'POST',
      '',
      'with an empty username',
      { username: ' ' },
      ['body', 'username'],
      'string_too_short',
    ],
    [
      'POST',
      '',
      'with a username that is not text',
      { username: 1 },
      ['body', 'username'],
      'string_type',
    ],
    ['POST', '/id/messages', 'without content', {}, ['body', 'content'], 'missing'],
    [
      'POST',
      '/id/messages',
      'with empty content',
      { content: ' ' },
      ['body', 'content'],
      'string_too_short',
    ],
    [
      'POST',
      '/id/messages',
      'with an invalid message id',
      { content: 'x', reply_to_message_id: 'x' },
      ['body', 'reply_to_message_id'],
      'uuid_parsing',
    ],
    [
      'GET',
      '?include_archived=maybe',
      'with an invalid boolean',
      undefined,
      ['query', 'include_archived'],
      'bool_parsing',
    ],
    ['GET', '?limit=0', 'with a limit of 0', undefined, ['query', 'limit'], 'greater_than_equal'],
    [
      'GET',
      '/id/messages?limit=0',
      'with a limit of 0',
      undefined,
      ['query', 'limit'],
      'greater_than_equal',
    ],
    [
      'GET',
      '/id/messages?limit=101',
      'with a limit of 101',
      undefined,
      ['query', 'limit'],
      'less_than_equal',
    ],
    [
      'GET',
      '/id/messages?before=x',
      'with an invalid cursor',
      undefined,
      ['query', 'before'],
      'uuid_parsing',
    ],
    [
      'GET',
      '/x/messages',
      'with an invalid thread id',
      undefined,
      ['path', 'thread_id'],
      'uuid_parsing',
    ],
    [
      'POST',
      '/x/read',
      'with an invalid thread id',
      undefined,
      ['path', 'thread_id'],
      'uuid_parsing',
    ],
    [
      'PUT',
      '/x/archive',
      'with an invalid thread id',
      undefined,
      ['path', 'thread_id'],
      'uuid_parsing',
    ],
  ]
  for (const [method, path, how, body, loc, type] of rejected)
    test(`${method} ${path} ${how} is 422`, async () => {
      const answer = await callDm(ada, method, path.replace('/id', `/${thread}`), body)
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        [{ loc, msg: expect.any(String), type }],
      ])
    })
})

describe('deleting an account', () => {
  const leave = (member: DmUser, on = server.current) =>
    request(on, 'DELETE', '/api/auth/delete-account', {
      token: member.accessToken,
      body: { password: PASSWORD },
    })

  test('deleting an account deletes the user’s messages; the peer keeps the thread and their own', async () => {
    const { ada, bob, thread } = await pair()
    const question = await write(ada, thread, 'My secret')
    const kept = await write(bob, thread, 'My answer', question.id)
    await write(ada, thread, 'More secrets')
    expect((await leave(ada)).status).toBe(200)
    const [summary] = await listOf(bob)
    expect(summary).toMatchObject({
      thread_id: thread,
      peer_username: 'deleted',
      peer_display_name: 'Deleted user',
      peer_online: false,
      unread: 0,
      last_message: { ...kept, reply_to_message_id: null },
    })
    expect(summary.peer_user_id).not.toBe(ada.id)
    expect(await messagesOf(server.current, bob, thread)).toEqual([
      { ...kept, reply_to_message_id: null },
    ])
    const { status, body } = await callDm(bob, 'POST', `/${thread}/messages`, { content: 'Hello?' })
    expect([status, body]).toEqual([409, { detail: 'The other user has deleted their account' }])
    expect((await callDm(bob, 'POST', `/${thread}/read`)).status).toBe(200)
    expect((await callDm(bob, 'PUT', `/${thread}/archive`)).body.archived).toBe(true)
    expect((await callDm(bob, 'POST', '', { username: ada.username })).status).toBe(404)
  })

  test('after both accounts are deleted, nothing is left', async () => {
    await using it = await startRestartable()
    const [ada, bob, eve] = [
      await newPerson(it.current),
      await newPerson(it.current),
      await newPerson(it.current),
    ]
    const thread = await threadOf(it.current, ada, bob)
    await send(it.current, ada, thread, 'Hello')
    await send(it.current, bob, thread, 'Hello')
    const kept = await threadOf(it.current, ada, eve)
    const deletions = await Promise.all([leave(ada, it.current), leave(bob, it.current)])
    expect(deletions.map(({ status }) => status)).toEqual([200, 200])
    expect((await call(it.current, eve, 'GET')).body).toMatchObject([{ thread_id: kept }])
    await it.current.stop()
    const rows = await runSql(
      it.database,
      `select count(*)::int as rows, count(*) filter (where row like '%${ada.id}%' or row like '%${bob.id}%')::int as named
       from (select t::text as row from dm_threads t union all select m::text from dm_members m
         union all select m::text from dm_messages m) all_rows`,
    )
    // Eve’s thread and her member row.
    expect(rows).toEqual([{ rows: 2, named: 0 }])
    await it.restart()
  })

  test('while the peer writes, neither request fails', async () => {
    for (let round = 0; round < 3; round++) {
      const { ada, bob, thread } = await pair()
      const [deletion, ...sent] = await Promise.all([
        leave(ada),
        ...Array.from({ length: 10 }, (_, n) =>
          callDm(n % 2 ? ada : bob, 'POST', `/${thread}/messages`, { content: `${n} @icog` }),
        ),
      ])
      expect(deletion?.status).toBe(200)
      for (const { status } of sent) expect([201, 401, 404, 409]).toContain(status)
      const authors = (await messagesOf(server.current, bob, thread)).map(
        ({ author_id }: { author_id: string }) => author_id,
      )
      expect(authors).not.toContain(ada.id)
    }
  })
})

describe('reserved names', () => {
  for (const name of ['icog', 'deleted'])
    test(`${name} cannot be a username`, async () => {
      const email = `${name}@example.com`
      const signedUp = await request(server.current, 'POST', '/api/auth/signup', {
        body: { email, password: PASSWORD, confirm_password: PASSWORD },
      })
      expect(signedUp.status).toBe(201)
      const { body } = await request(server.current, 'GET', '/api/profile', {
        token: signedUp.body.access_token,
      })
      expect(body.username).toBe(`${name}-user`)
    })
})

test('an avatar of initials is drawn only for a valid path', async () => {
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const get = (file: string) => request(server.current, 'GET', `/api/avatars/${file}`)
  const good = await get(`initials-${hex('Ж')}-3.svg`)
  expect([good.status, good.headers.get('content-security-policy')]).toEqual([
    200,
    "default-src 'none'",
  ])
  expect(good.text).toContain('>Ж</text>')
  for (const file of [
    `initials-${hex('<b')}-3.svg`,
    `initials-${hex('abc')}-3.svg`,
    'initials-ff-3.svg',
    'initials-4-3.svg',
    'initials-414-3.svg',
    `initials-${hex('A')}-12.svg`,
    `initials-${hex('A')}.svg`,
    `initials-${hex('A')}-3.webp`,
  ])
    expect([file, (await get(file)).status]).toEqual([file, 404])
})
