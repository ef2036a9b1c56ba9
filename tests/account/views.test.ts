import { expect, test } from 'bun:test'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const call = (user: TestUser, method: string, name = '', body?: object) =>
  request(server.current, method, `/api/views${name && `/${encodeURIComponent(name)}`}`, {
    token: user.key,
    ...(body && { body }),
  })

const namesOf = async (user: TestUser): Promise<string[]> =>
  (await call(user, 'GET')).body.views.map(({ name }: { name: string }) => name)

test('views are saved under their names, replaced, listed by name and deleted', async () => {
  const user = await newUser(server.current)
  const query = { tag: 'work', sort: 'happened', deleted: true }
  const saved = await call(user, 'PUT', 'Work / year 🪿', { query })
  expect([saved.status, saved.body]).toEqual([
    200,
    { name: 'Work / year 🪿', query, created_at: expect.any(String) },
  ])
  await call(user, 'PUT', 'A', { query: {} })
  expect(await namesOf(user)).toEqual(['A', 'Work / year 🪿'])
  const replaced = await call(user, 'PUT', 'Work / year 🪿', { query: { tag: 'other' } })
  expect(replaced.body).toEqual({ ...saved.body, query: { tag: 'other' } })
  expect((await call(user, 'DELETE', 'Work / year 🪿')).status).toBe(204)
  expect((await call(user, 'DELETE', 'Work / year 🪿')).status).toBe(404)
  expect(await namesOf(user)).toEqual(['A'])
})

test('views are of their user, and limited in number, also by requests at once', async () => {
  const user = await newUser(server.current)
  const other = await newUser(server.current)
  const names = Array.from({ length: 105 }, (_, i) => `View ${i}`)
  const answers = await Promise.all(names.map((name) => call(user, 'PUT', name, { query: {} })))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(100)
  expect(statuses.filter((status) => status === 409)).toHaveLength(5)
  const [kept = ''] = await namesOf(user)
  expect((await call(user, 'PUT', kept, { query: { tag: 'x' } })).status).toBe(200)
  expect(await namesOf(other)).toEqual([])
  expect((await call(other, 'DELETE', kept)).status).toBe(404)
})

test('the same new view of several requests at once is one', async () => {
  const user = await newUser(server.current)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => call(user, 'PUT', 'Same', { query: { tag: `${i}` } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(await namesOf(user)).toEqual(['Same'])
})

test.each([
  ['no query', 'A', {}],
  ['a list', 'A', { query: [] }],
  ['a value that is no text', 'A', { query: { tag: 5 } }],
  ['a long value', 'A', { query: { tag: 'x'.repeat(501) } }],
  [
    'many filters',
    'A',
    { query: Object.fromEntries([...'abcdefghijklmnopqrstu'].map((name) => [name, 'x'])) },
  ],
  ['a long name', 'x'.repeat(61), { query: {} }],
  ['a blank name', ' ', { query: {} }],
])('a view with %s is refused', async (_, name, body) => {
  const user = await newUser(server.current)
  expect((await call(user, 'PUT', name, body)).status).toBe(422)
  expect(await namesOf(user)).toEqual([])
})
