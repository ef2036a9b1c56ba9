import { beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { PASSWORD, request, useServer } from '../harness/server.ts'
import { call, messagesOf, type Person, personOf, send, threadOf } from './dm-support.ts'
import { ISO, newVerifiedUser, runSql, startRestartable, UUID } from './support.ts'

const server = useServer()
const newPerson = async (on = server.current) => personOf(on, await newVerifiedUser(on))
const ask = (who: Person, method: string, path = '', body?: unknown) =>
  call(server.current, who, method, path, body)
const listOf = async (who: Person, query = '') => (await ask(who, 'GET', query)).body
const pair = async () => {
  const [ada, bob] = [await newPerson(), await newPerson()]
  return { ada, bob, thread: await threadOf(server.current, ada, bob) }
}
const write = (who: Person, thread: string, content: string, replyTo?: string) =>
  send(server.current, who, thread, content, replyTo)
const textsOf = (messages: { content: string }[]) => messages.map(({ content }) => content)

const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const NO_THREAD = [404, { detail: 'Thread not found' }]
const PICTURE_URL = expect.stringMatching(
  /^http:\/\/localhost:\d+\/api\/avatars\/initials-[\w-]+\.svg$/,
)

let ada: Person
let bob: Person
let thread: string
beforeAll(async () => {
  ;({ ada, bob, thread } = await pair())
})

describe('a thread', () => {
  test('is begun with somebody by their username, and seen by both', async () => {
    const [eve, dan] = [await newPerson(), await newPerson()]
    const begun = await ask(eve, 'POST', '', { username: dan.username })
    const summary = (peer: Person) => ({
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

  test('is the same one whoever begins it, and however the name is written', async () => {
    const [eve, dan] = [await newPerson(), await newPerson()]
    const first = await threadOf(server.current, eve, dan)
    for (const username of [dan.username.toUpperCase(), ` @${dan.username} `])
      expect((await ask(eve, 'POST', '', { username })).body.thread_id).toBe(first)
    expect(await threadOf(server.current, dan, eve)).toBe(first)
    expect(await listOf(eve)).toHaveLength(1)
  })

  test('is one when both begin it at once', async () => {
    for (let round = 0; round < 3; round++) {
      const [eve, dan] = [await newPerson(), await newPerson()]
      const begun = await Promise.all(
        [eve, dan, eve, dan, eve, dan].map((who) =>
          ask(who, 'POST', '', { username: (who === eve ? dan : eve).username }),
        ),
      )
      expect(begun.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
      expect(new Set(begun.map(({ body }) => body.thread_id)).size).toBe(1)
      expect(await listOf(eve)).toHaveLength(1)
      expect(await listOf(dan)).toHaveLength(1)
    }
  })

  test('is not begun with oneself, nor with nobody, nor with the service', async () => {
    const self = await ask(ada, 'POST', '', { username: ada.username })
    expect([self.status, self.body]).toEqual([400, { detail: 'You cannot write to yourself' }])
    for (const username of ['nobody-has-this', 'icog', '@icog', 'deleted', 'Ünicode', '%']) {
      const { status, body } = await ask(ada, 'POST', '', { username })
      expect([username, status, body]).toEqual([
        username,
        404,
        { detail: 'Nobody has this username' },
      ])
    }
  })

  test('is begun with 50 strangers a day at most; those one knows stay open', async () => {
    const eve = await newPerson()
    const known = await threadOf(server.current, eve, ada)
    for (let n = 1; n < 50; n++)
      expect((await ask(eve, 'POST', '', { username: `guess-${n}` })).status).toBe(404)
    const { status, body } = await ask(eve, 'POST', '', { username: bob.username })
    expect([status, body]).toEqual([
      429,
      { detail: 'You have begun many threads today. Please go on tomorrow.' },
    ])
    expect(await threadOf(server.current, eve, ada)).toBe(known)
  })
})

describe('a message', () => {
  test('is one of 60 a minute at most that somebody writes, in all threads together', async () => {
    const [eve, bob, carl] = [await newPerson(), await newPerson(), await newPerson()]
    const threads = [
      await threadOf(server.current, eve, bob),
      await threadOf(server.current, eve, carl),
    ]
    const answers = await Promise.all(
      Array.from({ length: 61 }, (_, n) =>
        ask(eve, 'POST', `/${threads[n % 2]}/messages`, { content: `Message ${n}` }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body])).toEqual([
      [429, { detail: 'Too many requests. Please try again later.' }],
    ])
    const answered = await ask(bob, 'POST', `/${threads[0]}/messages`, { content: 'Slow down!' })
    expect(answered.status).toBe(201)
  })

  test('reaches the other one, and says who wrote it', async () => {
    const { ada, bob, thread } = await pair()
    const sent = await ask(ada, 'POST', `/${thread}/messages`, { content: ' Hello Bob! \n' })
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
    for (const who of [ada, bob])
      expect(await messagesOf(server.current, who, thread)).toEqual([sent.body, answered])
    const [summary] = await listOf(ada)
    expect(summary).toMatchObject({ last_message: answered, last_message_at: answered.created_at })
  })

  test('carries the display name and the picture that its author has now', async () => {
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

  test('is of a page of the newest ones, oldest first', async () => {
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

  test('keeps its place among those written at once, and none is lost', async () => {
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

  test('of 10,000 characters is taken, one more is not', async () => {
    const longest = '💬'.repeat(10_000)
    expect((await write(ada, thread, longest)).content).toBe(longest)
    const { body } = await ask(ada, 'POST', `/${thread}/messages`, { content: `${longest}x` })
    expect(body.detail[0]).toMatchObject({ loc: ['body', 'content'], type: 'string_too_long' })
  })

  test('asks the service by its name as a word', async () => {
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

  test('replies to one of the same thread alone', async () => {
    const other = await pair()
    const elsewhere = await write(other.ada, other.thread, 'Elsewhere')
    for (const id of [NO_ID, elsewhere.id]) {
      const { status, body } = await ask(ada, 'POST', `/${thread}/messages`, {
        content: 'x',
        reply_to_message_id: id,
      })
      expect([status, body]).toEqual([404, { detail: 'Message not found' }])
      const page = await ask(ada, 'GET', `/${thread}/messages?before=${id}`)
      expect([page.status, page.body]).toEqual([404, { detail: 'Message not found' }])
    }
  })
})

describe('what is unread', () => {
  test('is counted for each, and not what one wrote oneself', async () => {
    const { ada, bob, thread } = await pair()
    for (const content of ['1', '2', '3']) await write(ada, thread, content)
    expect((await listOf(ada))[0].unread).toBe(0)
    expect((await listOf(bob))[0].unread).toBe(3)
    await write(bob, thread, '4')
    expect((await listOf(ada))[0].unread).toBe(1)
    const read = await ask(bob, 'POST', `/${thread}/read`)
    expect([read.status, read.body]).toEqual([200, (await listOf(bob))[0]])
    expect(read.body).toMatchObject({ unread: 0, last_message: { content: '4' } })
    expect((await ask(bob, 'POST', `/${thread}/read`)).body).toEqual(read.body)
    expect((await listOf(ada))[0].unread).toBe(1)
  })

  test('is read once by twenty who read at once', async () => {
    const { ada, bob, thread } = await pair()
    await write(ada, thread, '1')
    const reads = await Promise.all(
      Array.from({ length: 20 }, () => ask(bob, 'POST', `/${thread}/read`)),
    )
    expect(new Set(reads.map(({ status, body }) => `${status} ${body.unread}`))).toEqual(
      new Set(['200 0']),
    )
    await write(ada, thread, '2')
    expect((await listOf(bob))[0].unread).toBe(1)
  })
})

describe('the list of threads', () => {
  test('has those first in which somebody wrote last, and goes on page by page', async () => {
    const eve = await newPerson()
    const peers = [await newPerson(), await newPerson(), await newPerson()]
    const threads: string[] = []
    for (const peer of peers) threads.push(await threadOf(server.current, eve, peer))
    const idsOf = async (query = '') =>
      (await listOf(eve, query)).map(({ thread_id }: { thread_id: string }) => thread_id)
    const [first, second, third] = threads as [string, string, string]
    expect(await idsOf()).toEqual([third, second, first])
    await write(peers[0] as Person, first, 'Hello')
    expect(await idsOf()).toEqual([first, third, second])
    expect(await idsOf('?limit=2')).toEqual([first, third])
    expect(await idsOf(`?limit=2&before=${third}`)).toEqual([second])
  })

  test('leaves out what is archived, until the next message brings it back', async () => {
    const { ada, bob, thread } = await pair()
    const archived = await ask(ada, 'PUT', `/${thread}/archive`)
    expect([archived.status, archived.body]).toMatchObject([200, { archived: true }])
    expect(await listOf(ada)).toEqual([])
    expect(await listOf(ada, '?include_archived=false')).toEqual([])
    expect(await listOf(ada, '?include_archived=true')).toEqual([archived.body])
    expect((await listOf(bob))[0].archived).toBe(false)
    const back = await ask(ada, 'PUT', `/${thread}/archive`)
    expect(back.body.archived).toBe(false)

    await ask(ada, 'PUT', `/${thread}/archive`)
    await write(bob, thread, 'Are you there?')
    expect(await listOf(ada)).toMatchObject([{ archived: false, unread: 1 }])
  })

  test('says who is online: whoever was seen within a minute, and is signed in', async () => {
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
    // Seen again while it is still known: it counts from then on.
    await it.restart(seen(30))
    const asked = Date.now()
    await request(it.current, 'GET', '/api/me', { token: bob.accessToken })
    const { body } = await request(it.current, 'GET', '/api/auth/sessions', {
      token: bob.accessToken,
    })
    expect(Date.parse(body[0].last_seen_at)).toBeGreaterThanOrEqual(asked)
    await request(it.current, 'DELETE', '/api/auth/sessions', { token: bob.accessToken })
    expect(await isOnline()).toBe(false)
  })
})

describe('nobody else', () => {
  test('sees or changes a thread', async () => {
    const eve = await newPerson()
    for (const id of [thread, NO_ID])
      for (const [method, path, body] of [
        ['GET', '/messages'],
        ['POST', '/messages', { content: 'Let me in' }],
        ['POST', '/read'],
        ['PUT', '/archive'],
      ] as const) {
        const answer = await ask(eve, method, `/${id}${path}`, body)
        expect([method, path, answer.status, answer.body]).toEqual([method, path, ...NO_THREAD])
      }
    const before = await ask(eve, 'GET', `?before=${thread}`)
    expect([before.status, before.body]).toEqual(NO_THREAD)
    expect(await listOf(eve)).toEqual([])
  })
})

describe('a request is refused', () => {
  const refusals: [string, string, string, unknown, string[], string][] = [
    ['POST', '', 'without a username', {}, ['body', 'username'], 'missing'],
    ['POST', '', 'with an empty one', { username: ' ' }, ['body', 'username'], 'string_too_short'],
    ['POST', '', 'with one that is no text', { username: 1 }, ['body', 'username'], 'string_type'],
    ['POST', '/id/messages', 'without content', {}, ['body', 'content'], 'missing'],
    [
      'POST',
      '/id/messages',
      'with none',
      { content: ' ' },
      ['body', 'content'],
      'string_too_short',
    ],
    [
      'POST',
      '/id/messages',
      'replying to no id',
      { content: 'x', reply_to_message_id: 'x' },
      ['body', 'reply_to_message_id'],
      'uuid_parsing',
    ],
    [
      'GET',
      '?include_archived=maybe',
      'unclear',
      undefined,
      ['query', 'include_archived'],
      'bool_parsing',
    ],
    ['GET', '?limit=0', 'for no threads', undefined, ['query', 'limit'], 'greater_than_equal'],
    [
      'GET',
      '/id/messages?limit=0',
      'for none',
      undefined,
      ['query', 'limit'],
      'greater_than_equal',
    ],
    ['GET', '/id/messages?limit=101', 'for 101', undefined, ['query', 'limit'], 'less_than_equal'],
    [
      'GET',
      '/id/messages?before=x',
      'before no id',
      undefined,
      ['query', 'before'],
      'uuid_parsing',
    ],
    ['GET', '/x/messages', 'of no id', undefined, ['path', 'thread_id'], 'uuid_parsing'],
    ['POST', '/x/read', 'to read no id', undefined, ['path', 'thread_id'], 'uuid_parsing'],
    ['PUT', '/x/archive', 'to archive no id', undefined, ['path', 'thread_id'], 'uuid_parsing'],
  ]
  for (const [method, path, how, body, loc, type] of refusals)
    test(`${method} ${path} ${how}`, async () => {
      const answer = await ask(ada, method, path.replace('/id', `/${thread}`), body)
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        [{ loc, msg: expect.any(String), type }],
      ])
    })
})

describe('when somebody deletes their account', () => {
  const leave = (who: Person, on = server.current) =>
    request(on, 'DELETE', '/api/auth/delete-account', {
      token: who.accessToken,
      body: { password: PASSWORD },
    })

  test('what they wrote goes; the other one keeps the thread and what they wrote', async () => {
    const { ada, bob, thread } = await pair()
    const asked = await write(ada, thread, 'My secret')
    const kept = await write(bob, thread, 'My answer', asked.id)
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
    const { status, body } = await ask(bob, 'POST', `/${thread}/messages`, { content: 'Hello?' })
    expect([status, body]).toEqual([409, { detail: 'The other person has deleted their account' }])
    expect((await ask(bob, 'POST', `/${thread}/read`)).status).toBe(200)
    expect((await ask(bob, 'PUT', `/${thread}/archive`)).body.archived).toBe(true)
    expect((await ask(bob, 'POST', '', { username: ada.username })).status).toBe(404)
  })

  test('and the other one too, nothing is left', async () => {
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
    const left = await Promise.all([leave(ada, it.current), leave(bob, it.current)])
    expect(left.map(({ status }) => status)).toEqual([200, 200])
    expect((await call(it.current, eve, 'GET')).body).toMatchObject([{ thread_id: kept }])
    await it.current.stop()
    const rows = await runSql(
      it.database,
      `select count(*)::int as rows, count(*) filter (where row like '%${ada.id}%' or row like '%${bob.id}%')::int as named
       from (select t::text as row from dm_threads t union all select m::text from dm_members m
         union all select m::text from dm_messages m) all_rows`,
    )
    // What Eve has: her thread, and how it looks to her.
    expect(rows).toEqual([{ rows: 2, named: 0 }])
    await it.restart()
  })

  test('while the other one writes, neither is in the way of the other', async () => {
    for (let round = 0; round < 3; round++) {
      const { ada, bob, thread } = await pair()
      const [left, ...sent] = await Promise.all([
        leave(ada),
        ...Array.from({ length: 10 }, (_, n) =>
          ask(n % 2 ? ada : bob, 'POST', `/${thread}/messages`, { content: `${n} @icog` }),
        ),
      ])
      expect(left?.status).toBe(200)
      for (const { status } of sent) expect([201, 401, 404, 409]).toContain(status)
      const authors = (await messagesOf(server.current, bob, thread)).map(
        ({ author_id }: { author_id: string }) => author_id,
      )
      expect(authors).not.toContain(ada.id)
    }
  })
})

describe('a name that the service goes by', () => {
  for (const name of ['icog', 'deleted'])
    test(`${name} is nobody’s username`, async () => {
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

test('a picture of initials is drawn for what its name says, and for nothing else', async () => {
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
