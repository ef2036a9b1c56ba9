import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import type { Input } from '../../shared/contract/common.ts'
import {
  capture,
  completeMemoryField,
  forgetMatching,
  listMemories,
  memoryChanges,
  memoryFacets,
  memoryHistory,
  memoryStatistics,
  recall,
  remember,
  rememberBatch,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import { machineWithKey } from '../cli/svc.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newMailedUser, useServerWithMail } from '../harness/mail.ts'
import { newUser, request, startServer, type TestUser } from '../harness/server.ts'
import { connectHttp, textOf } from '../mcp/client.ts'
import { expectConsistent } from './consistency.ts'
import { importFile, linesOf } from './transfer-support.ts'

const suite = useServerWithMail()

const CONTENT = 'The kiln fires at 900 degrees.'

type Body = Partial<Input<typeof Remember>>

const newWriter = async (signedUp: Promise<TestUser> = newUser(suite.server)) => {
  const user = await signedUp
  return {
    ...user,
    write: (body: Body = {}) => user.client.call(remember, { body: { content: CONTENT, ...body } }),
    all: async () => (await user.client.call(listMemories)).memories,
    import: (...lines: object[]) => importFile(suite.server, user, linesOf(lines)),
    historyOf: async (memory_id: string) =>
      (await user.client.call(memoryHistory, { params: { memory_id } })).slice(1),
  }
}

describe('duplicates', () => {
  test('a duplicate adds its tags and its greater importance, and the answer says so', async () => {
    const { client, write, historyOf } = await newWriter()
    const first = await write({ tags: ['Pottery'], importance: 0.4 })
    expect(first).not.toHaveProperty('added')
    const { next_cursor: cursor } = await client.call(memoryChanges)
    const second = await write({ tags: ['pottery', 'heat'], importance: 0.9 })
    const { memory_id } = first
    const now = { memory_id, tags: ['Pottery', 'heat'], importance: 0.9 }
    expect(second).toMatchObject({
      ...now,
      deduplicated: true,
      added: { tags: ['heat'], importance: 0.9 },
    })
    expect(await historyOf(memory_id)).toMatchObject([
      {
        action: 'updated',
        actor: { kind: 'api_key' },
        before: { tags: ['Pottery'], importance: 0.4 },
      },
    ])
    const { memories } = await client.call(memoryChanges, { query: { cursor } })
    expect(memories).toMatchObject([now])
    const found = await client.call(recall, { body: { query: 'kiln', tags: ['heat'] } })
    expect(found.memories).toMatchObject([now])
    await expectConsistent(suite.server)
  })

  test.each<[string, Body, Body, object | undefined]>([
    ['nothing new', { tags: ['a'], importance: 0.9 }, {}, undefined],
    ['no tags and the same importance', { importance: 0.9 }, { importance: 0.9 }, undefined],
    ['a lower importance', { importance: 0.9 }, { importance: 0.2 }, undefined],
    ['no importance, where it was below the default', { importance: 0.2 }, {}, undefined],
    [
      'the default, where it was below',
      { importance: 0.2 },
      { importance: 0.5 },
      { importance: 0.5 },
    ],
    ['the default, where none was given', {}, { importance: 0.5 }, undefined],
    ['the same tags in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }, undefined],
    [
      'a tag twice',
      { tags: ['a'] },
      { tags: ['Ü', 'ü'], importance: 0 },
      { tags: ['Ü'], importance: undefined },
    ],
    [
      'more than 64 tags in all',
      { tags: Array.from({ length: 63 }, (_, i) => `t${i}`) },
      { tags: ['x', 'y'] },
      { tags: ['x'] },
    ],
  ])('a duplicate with %s adds what is new', async (_, first, second, added) => {
    const { write, historyOf } = await newWriter()
    const stored = await write(first)
    const again = await write(second)
    expect(again.deduplicated).toBe(true)
    expect<unknown>(again.added).toEqual(added)
    expect(await historyOf(stored.memory_id)).toHaveLength(added ? 1 : 0)
    if (added) return
    const { deduplicated: _new, ...before } = stored
    expect(again).toMatchObject(before)
  })

  test('duplicates in a batch, also of each other, add their tags', async () => {
    const { client } = await newWriter()
    const { memories } = await client.call(rememberBatch, {
      body: {
        memories: [
          { content: CONTENT, tags: ['one'] },
          { content: 'Another.', tags: ['one'] },
          { content: CONTENT, tags: ['two'] },
          { content: CONTENT, importance: 0.8 },
        ],
      },
    })
    const whole = { tags: ['one', 'two'], importance: 0.8 }
    expect(memories).toMatchObject([
      { ...whole, deduplicated: false },
      { tags: ['one'], deduplicated: false },
      { ...whole, deduplicated: true, added: { tags: ['two'] } },
      { ...whole, deduplicated: true, added: { importance: 0.8 } },
    ])
    await expectConsistent(suite.server)
  })

  test('duplicates that arrive at once lose no tag', async () => {
    const { write, all } = await newWriter()
    await write()
    const tags = Array.from({ length: 12 }, (_, i) => `tag ${i}`)
    await Promise.all(tags.map((tag) => write({ tags: [tag] })))
    const [memory, ...others] = await all()
    expect(others).toEqual([])
    expect(memory?.tags.toSorted()).toEqual(tags.toSorted())
  })

  test('an imported duplicate changes only memories that were imported', async () => {
    const { write, all, import: importLines } = await newWriter()
    await write({ tags: ['mine'], importance: 0.3 })
    const line = { content_text: 'The glaze is blue.', tags: ['file'] }
    await importLines(line)
    const again = await importLines(
      { ...line, tags: ['later'], importance: 0.7 },
      { content_text: CONTENT, tags: ['planted'], importance: 1 },
    )
    expect(again.body).toMatchObject({ imported: 0, deduplicated: 2 })
    expect((await all()).toReversed()).toMatchObject([
      { content_text: CONTENT, tags: ['mine'], importance: 0.3 },
      { tags: ['file', 'later'], importance: 0.7 },
    ])
    await expectConsistent(suite.server)
  })

  test('duplicates in one file add their tags', async () => {
    const { all, import: importLines } = await newWriter()
    await importLines(
      { content_text: CONTENT, tags: ['one'] },
      { content_text: CONTENT, tags: ['two'] },
    )
    expect(await all()).toMatchObject([{ tags: ['one', 'two'] }])
  })

  test('a duplicate of an assistant changes no memory of the user, and one of the user changes that of an assistant', async () => {
    const { write, all } = await newWriter()
    await write({ tags: ['mine'], importance: 0.3 })
    const planted = await write({ tags: ['planted'], importance: 1, author: ' ASSISTANT\u200b' })
    expect(planted).toMatchObject({ tags: ['mine'], importance: 0.3, deduplicated: true })
    expect(planted).not.toHaveProperty('added')

    const content = 'The glaze is blue.'
    await write({ content, tags: ['theirs'], author: 'assistant' })
    expect(await write({ content, tags: ['mine'], importance: 0.9 })).toMatchObject({
      tags: ['theirs', 'mine'],
      importance: 0.9,
      source: { trust: 'user' },
    })
    expect(await all()).toHaveLength(2)
    await expectConsistent(suite.server)
  })

  test('the same text for an organization changes no memory of the user themselves', async () => {
    const { accessToken: token, write, all } = await newWriter()
    await write({ tags: ['mine'] })
    const org = await request(suite.server, 'POST', '/api/orgs', {
      token,
      body: { name: 'Potters' },
    })
    const stored = await request(suite.server, 'POST', '/api/remember', {
      token,
      headers: { 'x-org-id': org.body.id },
      body: { content: CONTENT, tags: ['theirs'] },
    })
    expect(stored.body).toMatchObject({ deduplicated: false, tags: ['theirs'] })
    expect(await all()).toMatchObject([{ tags: ['mine'] }])
  })

  test('a captured message that arrives again gets the project that it had none of, and changes nothing of its user', async () => {
    const { client, all } = await newWriter()
    const send = (project?: string) =>
      client.call(capture, {
        body: {
          client: 'codex',
          session: '0199a3f2-7c1e-7b52-9d0e-4a8f6f1c2b3d',
          channel: 'hook',
          ...(project && { project }),
          messages: [{ turn: '1', ordinal: 1, role: 'user', content: CONTENT }],
        },
      })
    const { memories } = await send()
    const params = { memory_id: memories[0]?.memory_id ?? '' }
    await client.call(updateMemory, { params, body: { tags: ['kept'], importance: 0 } })
    await send()
    expect(await all()).toMatchObject([{ tags: ['kept'], importance: 0, project: null }])
    for (const project of ['acme/shop', 'acme/mill']) {
      await send(project)
      expect(await all()).toMatchObject([{ tags: ['kept'], importance: 0, project: 'acme/shop' }])
    }
  })

  test('the MCP tools report the additions', async () => {
    const { key } = await newWriter()
    await using mcp = await connectHttp(suite.server, key)
    const tags = ['heat']
    await mcp.call('remember', { content: CONTENT })
    const again = await mcp.call('remember', { content: CONTENT, tags, importance: 0.9 })
    expect(again.structuredContent).toMatchObject({ added: { tags, importance: 0.9 }, tags })
    expect(textOf(again)).toContain(', which now has tags "heat" and importance 0.9.')
    const batch = await mcp.call('remember_batch', {
      memories: [{ content: CONTENT, tags: ['batch'] }, { content: CONTENT }],
    })
    expect(batch.structuredContent).toMatchObject({
      memories: [{ added: { tags: ['batch'] } }, {}],
    })
    expect(textOf(batch)).toContain('(remembered already), which now has tags "batch"')
  })

  test('svc remember reports the additions', async () => {
    const { machine } = await machineWithKey(suite.server)
    await machine.svc(['remember', CONTENT])
    const again = await machine.svc(['remember', CONTENT, '--tag', 'heat', '--importance', '0.9'])
    expect(again.stderr).toBe(
      'This memory already exists. Added tags: heat. Its importance is now 0.9.\n',
    )
    const json = await machine.svc(['remember', CONTENT, '--tag', 'x', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ added: { tags: ['x'] }, tags: ['heat', 'x'] })
    expect((await machine.svc(['remember', CONTENT, '--tag', 'x'])).stderr).toBe(
      'This memory already exists.\n',
    )
  })
})

/** Labels, each with how it is stored, and other spellings of the same. */
const SPELLINGS: [string, string, ...string[]][] = [
  ['Work', 'Work', 'work', 'WORK', ' work ', 'w\u00ADork'],
  ['Deep  work', 'Deep work', 'deep\u00A0work', 'deep\twork', 'Deep\u3000Work', 'DEEP\u2003WORK'],
  [
    '\u200BPlan\uFEFF',
    'Plan',
    'plan',
    'pl\u2060an',
    '\u202Eplan\u202C',
    'plan\u200D',
    'p\u200Clan',
  ],
  ['Cafe\u0301', 'Caf\u00E9', 'CAF\u00C9', 'cafe\u0301'],
  ['Straße', 'Straße', 'STRASSE', 'strasse', 'STRA\u1E9EE'],
  ['ΟΔΟΣ', 'ΟΔΟΣ', 'οδος', 'οδοσ', 'Οδος'],
  ['İzmir', 'İzmir', 'izmir', 'IZMIR', 'I\u0307zmir'],
  ['Ｗｉｒｅ', 'Ｗｉｒｅ', 'wire', 'WIRE', 'ｗｉｒｅ'],
  ['Проект', 'Проект', 'ПРОЕКТ', 'проект'],
  ['Հայ', 'Հայ', 'հայ', 'ՀԱՅ'],
  ['ﬁre', 'ﬁre', 'fire', 'FIRE'],
  ['カ\u3099ス', 'ガス', 'ｶﾞｽ'],
  ['Tiếng Việt', 'Tiếng Việt', 'TIẾNG VIỆT', 'tie\u0302\u0301ng vie\u0323\u0302t'],
  ['مشروع', 'مشروع', '\u200Fمشروع\u200E', ' مشروع'],
]

/** Labels that look or sound alike and are not the same. */
const DIFFERENT: [string, string][] = [
  ['ısı', 'isi'],
  ['café', 'cafe'],
  ['می\u200Cروم', 'میروم'],
  ['👩\u200D🔬', '👩🔬'],
  ['क\u094D\u200Dष', 'क\u094Dष'],
  ['ガス', 'カス'],
  ['re-do', 'redo'],
  ['deep work', 'deepwork'],
]

describe('tags and authors', () => {
  test.each(SPELLINGS)(
    'the label %j is stored as %j, and found by every spelling',
    async (...row) => {
      const [given, stored, ...others] = row
      const { client, write, all } = await newWriter()
      const memory = await write({ tags: [given, ...others], author: given })
      expect(memory).toMatchObject({ tags: [stored], author: stored })
      await write({ content: 'Another.', tags: ['other'], author: 'other' })
      for (const spelling of [stored, given, ...others]) {
        const again = await write({ tags: [spelling] })
        expect(again).toMatchObject({ deduplicated: true, tags: [stored] })
        expect(again).not.toHaveProperty('added')
        for (const filter of [{ tag: spelling }, { tags: [spelling] }, { author: spelling }]) {
          const query = { query: 'kiln another', ...filter }
          const found = {
            listed: await client.call(listMemories, { query: filter }),
            recalled: await client.call(recall, { body: query }),
          }
          expect(found).toMatchObject({
            listed: { memories: [{ content_text: CONTENT }] },
            recalled: { memories: [{ content_text: CONTENT }] },
          })
          const facets = await client.call(memoryFacets, { query: filter })
          expect(facets).toMatchObject({
            total: 1,
            tag: [{ value: stored, count: 1 }],
            author: [{ value: stored, count: 1 }],
          })
        }
        for (const field of ['tag', 'author'] as const)
          expect(
            await client.call(completeMemoryField, { query: { field, prefix: spelling } }),
          ).toMatchObject({ values: [stored] })
      }
      const body = { tag: others.at(-1) ?? '', author: others[0] ?? '' }
      expect(await client.call(forgetMatching, { body })).toMatchObject({ count: 1 })
      expect(await all()).toMatchObject([{ content_text: 'Another.' }])
    },
  )

  test.each(DIFFERENT)('the label %j is not %j', async (one, other) => {
    const { client, write } = await newWriter()
    const { tags } = await write({ tags: [one, other], author: one })
    expect(tags).toEqual([one, other])
    for (const filter of [{ author: other }, { tags: [other], author: other }])
      expect(await client.call(listMemories, { query: filter })).toMatchObject({ memories: [] })
    const { memories } = await client.call(recall, { body: { query: 'kiln', author: other } })
    expect(memories).toEqual([])
  })

  test('spellings of several memories count as one, shown as the first', async () => {
    const { client, write } = await newWriter(newMailedUser(suite.server, suite.mailbox))
    for (const [i, spelling] of ['Work', 'work', 'WORK ', 'work'].entries())
      await write({ content: `Kiln ${i}.`, tags: [spelling], author: spelling })
    const count = 4
    expect(await client.call(memoryFacets)).toMatchObject({
      tag: [{ value: 'Work', count }],
      author: [{ value: 'Work', count }],
    })
    expect(await client.call(memoryStatistics)).toMatchObject({
      authors: 1,
      tags: [{ tag: 'Work', count }],
    })
    for (const field of ['tag', 'author'] as const)
      expect(await client.call(completeMemoryField, { query: { field } })).toEqual({
        values: ['Work'],
        has_more: false,
      })
  })

  test('an update stores and compares labels alike', async () => {
    const { client, write } = await newWriter()
    const { memory_id } = await write({ tags: ['Old'], author: 'Old' })
    const changed = await client.call(updateMemory, {
      params: { memory_id },
      body: { tags: [' New  tag', 'NEW TAG', 'plain'], author: ' Ada\u00A0L. ' },
    })
    expect(changed).toMatchObject({ tags: ['New tag', 'plain'], author: 'Ada L.' })
    const counts = async (query: object) =>
      (await client.call(memoryFacets, { query: query as { tag: string } })).total
    expect(await counts({ tag: 'new tag', author: 'ADA L.' })).toBe(1)
    expect(await counts({ tag: 'old' })).toBe(0)
    await client.call(updateMemory, {
      params: { memory_id },
      body: { tags: ['plain'], author: null },
    })
    expect(await counts({ tag: 'new tag' })).toBe(0)
    expect(await counts({ author: 'ada l.' })).toBe(0)
    expect(await counts({ tag: 'PLAIN' })).toBe(1)
    await expectConsistent(suite.server)
  })

  test('an import stores and compares labels alike', async () => {
    const { client, all, import: importLines } = await newWriter()
    await importLines({ content_text: CONTENT, tags: [' Heat ', 'heat'], author: 'Ada \u200B' })
    expect(await all()).toMatchObject([{ tags: ['Heat'], author: 'Ada' }])
    const { memories } = await client.call(listMemories, { query: { tag: 'HEAT', author: 'ada' } })
    expect(memories).toHaveLength(1)
  })

  test.each(['', ' ', '\u00A0\t', '\u200B', '\u202E\uFEFF', '\u200D'])(
    'a label %j is refused as empty',
    async (label) => {
      const { accessToken: token } = await newWriter()
      const send = (method: string, path: string, body: object) =>
        request(suite.server, method, path, { token, body })
      for (const body of [{ tags: ['ok', label] }, { author: label }]) {
        const answer = await send('POST', '/api/remember', { content: CONTENT, ...body })
        expect(answer.status).toBe(422)
        expect(answer.body.detail[0].type).toBe('string_too_short')
      }
    },
  )

  test('labels of an earlier version are found by every spelling', async () => {
    const database = await createDatabase()
    const before = await startServer({}, database)
    const { client, key } = await newUser(before)
    await client.call(remember, { body: { content: CONTENT, tags: ['Work'], author: 'Ada' } })
    await before.stop()
    const observer = await openPostgres(database.env.SVC_DATABASE_URL ?? '')
    await observer.query('update memories set folded_tags = null, folded_author = null', [])
    await observer.query('delete from backfills', [])
    const after = await startServer({}, database)
    await eventually(async () => {
      const { body } = await request(after, 'GET', '/api/memories?tag=work&author=ADA', {
        token: key,
      })
      return body.memories.length === 1
    })
    await after.stop()
    await observer.close()
  }, 60_000)
})

describe('invisible characters', () => {
  test.each([
    ['a zero-width space', '\u200B'],
    ['a soft hyphen', '\u00AD'],
    ['a byte order mark', '\uFEFF'],
    ['a word joiner', '\u2060'],
    ['a left-to-right mark', '\u200E'],
    ['a right-to-left mark', '\u200F'],
    ['an Arabic letter mark', '\u061C'],
    ['a direction override', '\u202E'],
    ['a direction isolate', '\u2066'],
    ['an invisible separator', '\u2063'],
    ['a zero-width joiner between Latin letters', '\u200D'],
    ['a zero-width non-joiner between Latin letters', '\u200C'],
  ])('%s makes no second memory', async (_, character) => {
    const { write, all } = await newWriter()
    const first = await write()
    const variant = CONTENT.replace('kiln', `ki${character}ln`)
    for (const content of [variant, `${character}${CONTENT}${character}`])
      expect(await write({ content })).toMatchObject({
        memory_id: first.memory_id,
        deduplicated: true,
        content_text: CONTENT,
      })
    expect(await all()).toHaveLength(1)
  })

  test.each([
    ['a joiner of an emoji', 'The 👩\u200D🔬 is here.'],
    ['a non-joiner of Persian', 'من می\u200Cروم'],
    ['a joiner of Hindi', 'क\u094D\u200Dष'],
    ['a non-joiner of Malayalam', 'ന\u0D4D\u200Cമ'],
    ['the tags of a flag', 'Flag 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['a selector of a variant', 'I \u2764\uFE0F it'],
  ])('%s makes a second memory', async (_, content) => {
    const { write } = await newWriter()
    const bare = content.replace(/\u200C|\u200D|\uFE0F|[\u{E0020}-\u{E007F}]/gu, '')
    const stored = await Promise.all([content, bare].map((text) => write({ content: text })))
    expect(stored.map(({ deduplicated }) => deduplicated)).toEqual([false, false])
  })

  test('a text of an earlier version, which hashed them, is still stored once', async () => {
    const { write } = await newWriter()
    const content = `${CONTENT} It co\u00ADoled.`
    const { memory_id } = await write({ content })
    const observer = await openPostgres(suite.server.database.env.SVC_DATABASE_URL ?? '')
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 32)
    await observer.query(
      'update memories set content_hash = $2::text::uuid where memory_id = $1::text::uuid',
      [memory_id, hash],
    )
    await observer.close()
    expect(await write({ content })).toMatchObject({ memory_id, deduplicated: true })
  })
})
