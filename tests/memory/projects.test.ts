import { expect, test } from 'bun:test'
import {
  capture,
  context,
  forgetMatching,
  listCaptures,
  listMemories,
  listProjects,
  memoryFacets,
  mergeProject,
  type Recall,
  recall,
  remember,
  restoreMatching,
} from '../../shared/contract/index.ts'
import { newUser, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const SHOP = 'acme/shop'
const BLOG = 'ada/blog'

/** Notes of a shop, of a blog and of the person. */
const withNotes = async () => {
  const user = await newUser(server.current)
  const note = async (content: string, project?: string) =>
    (await user.client.call(remember, { body: { content, ...(project && { project }) } })).memory_id
  return {
    ...user,
    note,
    ids: {
      shop: await note('The database of the staging server is PostgreSQL 16 on port 5433.', SHOP),
      blog: await note(
        'The database of the staging server is SQLite, its password is in 1Password.',
        BLOG,
      ),
      person: await note('Ada likes every database with a good manual.'),
    },
  }
}

const found = async ({ client }: Pick<TestUser, 'client'>, body: Omit<Recall, 'explain'>) =>
  (await client.call(recall, { body })).memories.map(({ memory_id }) => memory_id)

const QUESTION = 'Which database does the staging server have?'

test('a question in a project is answered from it, then from what is of no project', async () => {
  const user = await withNotes()
  const { shop, blog, person } = user.ids
  expect(await found(user, { query: QUESTION })).toEqual(
    expect.arrayContaining([shop, blog, person]),
  )
  expect(await found(user, { query: QUESTION, in_project: SHOP })).toEqual([shop, person])
  expect(await found(user, { query: QUESTION, in_project: BLOG })).toEqual([blog, person])
  expect(await found(user, { query: QUESTION, in_project: 'acme/new' })).toEqual([person])
  expect(await found(user, { query: QUESTION, project: BLOG })).toEqual([blog])
  expect(await found(user, { query: QUESTION, project: 'acme/new' })).toEqual([])
})

test.each<[name: string, query: string, isFound: boolean]>([
  ['whole', 'Which staging server does ada/blog have?', true],
  ['last part', 'Which staging server does the Blog have?', true],
  ['owner alone', 'Which staging server does Ada have?', false],
  ['part of a word', 'Which staging server do bloggers have?', false],
])('another project is searched where the question names it: %s', async (_, query, isFound) => {
  const user = await withNotes()
  const ids = await found(user, { query, in_project: SHOP })
  expect(ids).toContain(user.ids.shop)
  expect(ids.includes(user.ids.blog)).toBe(isFound)
})

test('a word that the project itself uses names no other one', async () => {
  const user = await withNotes()
  await user.note('The blog of the shop has its own staging server.', SHOP)
  const ids = await found(user, {
    query: 'Where is the staging server of the blog?',
    in_project: SHOP,
  })
  expect(ids).not.toContain(user.ids.blog)
})

test('filters and walls hold together', async () => {
  const user = await withNotes()
  const { client } = user
  for (const project of [SHOP, BLOG])
    await client.call(remember, {
      body: { content: `Invoices of ${project} are kept for years.`, tags: ['tax'], project },
    })
  const { memories } = await client.call(recall, {
    body: { query: 'How long are invoices kept?', tag: 'tax', in_project: SHOP },
  })
  expect(memories.map(({ project }) => project)).toEqual([SHOP])
})

test('another project answers where nothing else does', async () => {
  const user = await withNotes()
  await user.note('The kiln of the pottery needs nine hours to cool.', BLOG)
  const query = 'How many hours does the kiln need to cool?'
  expect(await found(user, { query, in_project: SHOP })).toHaveLength(1)
  const { text, memories } = await user.client.call(context, { body: { query, project: SHOP } })
  expect(memories.map(({ project }) => project)).toEqual([BLOG])
  expect(text).toContain(`, project ${BLOG}: The kiln`)
})

test('a block names the project of a memory where it is another one', async () => {
  const user = await withNotes()
  const textIn = async (project?: string) =>
    (await user.client.call(context, { body: { query: QUESTION, ...(project && { project }) } }))
      .text
  expect(await textIn(SHOP)).toContain('PostgreSQL 16')
  expect(await textIn(SHOP)).not.toMatch(/SQLite|project/)
  expect(await textIn()).toContain(`, project ${SHOP}: The database`)
})

test('the same text is one memory in each project, and one of no project', async () => {
  const user = await newUser(server.current)
  const store = async (project?: string) =>
    user.client.call(remember, { body: { content: 'Use pnpm.', ...(project && { project }) } })
  const stored = [await store(SHOP), await store(BLOG), await store(), await store(SHOP)]
  expect(stored.map(({ deduplicated }) => deduplicated)).toEqual([false, false, false, true])
  expect(stored.map(({ project }) => project)).toEqual([SHOP, BLOG, null, SHOP])
  const { total, project } = await user.client.call(memoryFacets, { query: {} })
  expect(total).toBe(3)
  expect(project).toEqual([
    { value: SHOP, count: 1 },
    { value: BLOG, count: 1 },
  ])
})

test('a project is listed, forgotten as a whole, and restored', async () => {
  const user = await withNotes()
  const { client } = user
  const body = { client: 'codex', session: '7', channel: 'hook' as const, project: SHOP }
  const message = { turn: '1', role: 'user' as const, content: 'Ship it.' }
  await client.call(capture, { body: { ...body, messages: [message] } })
  const listed = async () =>
    (await client.call(listProjects)).projects.map(({ project, memories, conversations }) => [
      project,
      memories,
      conversations,
    ])
  expect(await listed()).toEqual([
    [SHOP, 2, 1],
    [BLOG, 1, 0],
  ])
  const { count, deleted_since } = await client.call(forgetMatching, { body: { project: SHOP } })
  expect(count).toBe(2)
  expect(await listed()).toEqual([[BLOG, 1, 0]])
  expect(await found(user, { query: QUESTION, project: SHOP })).toEqual([])
  await client.call(restoreMatching, {
    body: { project: SHOP, deleted_since: deleted_since ?? '' },
  })
  expect(await listed()).toContainEqual([SHOP, 2, 1])
})

test('a renamed repository is joined with its old name, also for what is stored later', async () => {
  const user = await withNotes()
  const { client } = user
  const same = 'The database of the staging server is PostgreSQL 16 on port 5433.'
  await user.note(same, 'acme/store')
  const merged = await client.call(mergeProject, { body: { project: SHOP, into: 'acme/store' } })
  expect(merged).toEqual({ project: 'acme/store', count: 0, deleted: 1 })
  const again = await client.call(mergeProject, { body: { project: BLOG, into: SHOP } })
  expect(again).toEqual({ project: 'acme/store', count: 1, deleted: 0 })
  await user.note('The shop is closed on Sundays.', SHOP)
  const { projects } = await client.call(listProjects)
  expect(projects).toMatchObject([{ project: 'acme/store', memories: 3, aliases: [SHOP, BLOG] }])
  for (const project of [SHOP, BLOG, 'acme/store'])
    expect((await client.call(listMemories, { query: { project } })).memories).toHaveLength(3)
  expect(await found(user, { query: QUESTION, in_project: BLOG })).toHaveLength(3)
  // The old name begins again.
  await client.call(mergeProject, { body: { project: 'acme/store', into: 'acme/renamed' } })
  expect((await client.call(listProjects)).projects).toMatchObject([
    { project: 'acme/renamed', aliases: [SHOP, 'acme/store', BLOG].toSorted() },
  ])
})

test('only a project with memories is merged, into another one, and of the caller alone', async () => {
  const user = await withNotes()
  const stranger = await newUser(server.current)
  const merge = (client: TestUser['client'], from: string, into: string) =>
    client.call(mergeProject, { body: { project: from, into } })
  await expect(merge(user.client, SHOP, SHOP)).rejects.toMatchObject({ status: 409 })
  await expect(merge(user.client, 'acme/new', SHOP)).rejects.toMatchObject({ status: 404 })
  await expect(merge(stranger.client, SHOP, BLOG)).rejects.toMatchObject({ status: 404 })
  expect((await stranger.client.call(listProjects)).projects).toEqual([])
  expect((await user.client.call(listProjects)).projects).toHaveLength(2)
})

test('merges and writes at once lose and double nothing', async () => {
  const user = await newUser(server.current)
  const { client } = user
  const texts = Array.from({ length: 20 }, (_, i) => `Decision ${i} of the team.`)
  await client.call(remember, { body: { content: 'The first decision.', project: SHOP } })
  await Promise.all([
    ...texts.map((content) => client.call(remember, { body: { content, project: SHOP } })),
    client.call(mergeProject, { body: { project: SHOP, into: BLOG } }).catch(() => undefined),
    client.call(mergeProject, { body: { project: SHOP, into: BLOG } }).catch(() => undefined),
  ])
  await client.call(mergeProject, { body: { project: SHOP, into: BLOG } }).catch(() => undefined)
  const { projects } = await client.call(listProjects)
  expect(projects).toMatchObject([{ project: BLOG, memories: 21 }])
  expect((await client.call(listCaptures, { query: {} })).sessions).toEqual([])
})
