import { beforeAll, describe, expect, test } from 'bun:test'
import { ISO, UUID } from '../harness/http.ts'
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

const NO_CATEGORY = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

const call = (method: string, path = '', body?: unknown, caller = user) => {
  const options: RequestOptions = { token: caller.key, ...(body !== undefined && { body }) }
  return request(server.current, method, `/api/sessions/categories${path}`, options)
}
const make = async (body: object, member = user) => (await call('POST', '', body, member)).body

describe('a category', () => {
  test('a category gets the next position, and a color and an icon by default', async () => {
    const freshUser = await newUser(server.current)
    const { status, body } = await call('POST', '', { name: ' Work ' }, freshUser)
    expect([status, body]).toEqual([
      201,
      {
        id: UUID,
        name: 'Work',
        position: 0,
        color: expect.any(String),
        icon: expect.any(String),
        created_at: ISO,
        updated_at: ISO,
      },
    ])
    const second = await make({ name: 'Home', color: 'red', icon: '🏠' }, freshUser)
    expect(second).toMatchObject({ name: 'Home', position: 1, color: 'red', icon: '🏠' })
    const listed = await call('GET', '', undefined, freshUser)
    expect([listed.status, listed.body]).toEqual([200, [body, second]])
  })

  test('an update of a category changes its fields; null and missing fields stay', async () => {
    const created = await make({ name: 'Old', color: 'red', icon: 'star' })
    const changed = await call('PATCH', `/${created.id}`, { name: 'New', color: null })
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...created, name: 'New', updated_at: ISO },
    ])
    const icon = await call('PATCH', `/${created.id}`, { icon: 'moon', color: 'blue', name: null })
    expect(icon.body).toMatchObject({ name: 'New', color: 'blue', icon: 'moon' })
    expect((await call('PATCH', `/${created.id}`, {})).body).toMatchObject({ name: 'New' })
  })

  test('deleting a category leaves its sessions without one', async () => {
    const creation = await make({ name: 'Short-lived', color: 'red', icon: 'star' })
    const session = await request(server.current, 'POST', '/api/sessions', {
      token: user.key,
      body: { title: 'In it' },
    })
    const path = `/api/sessions/${session.body.id}`
    const moved = await request(server.current, 'PUT', `${path}/move`, {
      token: user.key,
      body: { category_id: creation.id },
    })
    expect(moved.body).toMatchObject({
      category_id: creation.id,
      category_name: 'Short-lived',
      category_color: 'red',
      category_icon: 'star',
    })
    const deleted = await call('DELETE', `/${creation.id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    const { body } = await request(server.current, 'GET', path, { token: user.key })
    expect(body).toMatchObject({
      category_id: null,
      category_name: null,
      category_color: null,
      category_icon: null,
    })
    expect((await call('DELETE', `/${creation.id}`)).status).toBe(404)
  })

  test('a category created concurrently gets a position of its own', async () => {
    const freshUser = await newUser(server.current)
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => call('POST', '', { name: `n${n}` }, freshUser)),
    )
    const { body } = await call('GET', '', undefined, freshUser)
    expect(body.map(({ position }: { position: number }) => position)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
  })

  test('a category is rejected with 409 after 200 categories', async () => {
    const freshUser = await newUser(server.current)
    for (let n = 0; n < 200; n++)
      expect((await call('POST', '', { name: `n${n}` }, freshUser)).status).toBe(201)
    const { status, body } = await call('POST', '', { name: 'one more' }, freshUser)
    expect([status, body]).toEqual([409, { detail: 'There can be 200 categories at most' }])
  })
})

describe('another user’s category', () => {
  test('another user’s category is 404 and stays unchanged', async () => {
    const created = await make({ name: 'Mine' })
    const notFound = [404, { detail: 'Category not found' }]
    for (const id of [created.id, NO_CATEGORY]) {
      const changed = await call('PATCH', `/${id}`, { name: 'Yours' }, other)
      expect([changed.status, changed.body]).toEqual(notFound)
      const deleted = await call('DELETE', `/${id}`, undefined, other)
      expect([deleted.status, deleted.body]).toEqual(notFound)
    }
    expect((await call('GET', '', undefined, other)).body).toEqual([])
    expect((await call('GET')).body).toContainEqual(created)
  })
})

describe('creating or updating a category is rejected with 422', () => {
  const refusals: [string, unknown, string, string][] = [
    ['without a name', {}, 'name', 'missing'],
    ['with an empty name', { name: '  ' }, 'name', 'string_too_short'],
    ['with a name that is too long', { name: 'x'.repeat(101) }, 'name', 'string_too_long'],
    ['with a name that is not a string', { name: 5 }, 'name', 'string_type'],
    ['with a color that is not a string', { name: 'x', color: 5 }, 'color', 'string_type'],
    ['with an icon that is not a string', { name: 'x', icon: [] }, 'icon', 'string_type'],
  ]
  for (const [how, body, field, type] of refusals)
    test(how, async () => {
      const answer = await call('POST', '', body)
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        [{ loc: ['body', field], msg: expect.any(String), type }],
      ])
    })

  test('updating a category with invalid fields or an invalid id is rejected with 422', async () => {
    const created = await make({ name: 'Kept' })
    const wrong = await call('PATCH', `/${created.id}`, {
      name: '',
      color: 1,
      icon: 'x'.repeat(51),
    })
    expect(
      wrong.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc[1], type]),
    ).toEqual([
      ['name', 'string_too_short'],
      ['color', 'string_type'],
      ['icon', 'string_too_long'],
    ])
    const { status, body } = await call('PATCH', '/no-id', { name: 'x' })
    expect([status, body.detail[0]]).toMatchObject([
      422,
      { loc: ['path', 'category_id'], type: 'uuid_parsing' },
    ])
  })
})
