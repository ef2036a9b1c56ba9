import { describe, expect, test } from 'bun:test'
import { contract } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

let user: ReturnType<typeof newVerifiedUser> | undefined
const post = async (path: string, body: unknown) => {
  user ??= newVerifiedUser(server.current)
  return request(server.current, 'POST', path, { token: (await user).key, body })
}

const NO_SESSION = [404, { detail: 'Session not found' }]

describe('a session_id that names no session', () => {
  const cases = [
    ['an empty string', ''],
    ['a space', ' '],
    ['no UUID', 'none'],
    ['an unknown UUID', '0197fdc2-0000-7000-8000-000000000000'],
  ] as const
  for (const path of ['/api/chat', '/api/chat/stream', '/api/chat/regenerate'])
    for (const [name, session_id] of cases)
      test(`${name} is 404 at ${path}`, async () => {
        const answer = await post(path, { message: 'x', session_id })
        expect([answer.status, answer.body]).toEqual(NO_SESSION)
      })

  test('null at POST /api/chat creates a session', async () => {
    const answer = await post('/api/chat', { message: 'x', session_id: null })
    expect(answer.status).toBe(200)
    expect(answer.body.session_id).toBeString()
  })

  for (const [name, session_id] of cases.slice(0, 3))
    test(`${name} is 422 at POST /api/shares`, async () => {
      expect((await post('/api/shares', { session_id })).status).toBe(422)
    })
})

test('an empty url_snapshot_hash is 404, like an unknown one', async () => {
  for (const url_snapshot_hash of ['', 'none']) {
    const answer = await post('/api/chat', { message: 'x', url_snapshot_hash })
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Page not found' }])
  }
})

describe('an empty id in a body', () => {
  /** Body fields that contain an id, with the endpoints that take them. */
  const fields = contract.flatMap((row) =>
    Object.keys(row.body?.properties ?? {})
      .filter((name) => /(_id|_ids|_hash|_slug)$/.test(name))
      .map((name) => ({ row, name })),
  )
  for (const { row, name } of fields)
    test(`${name} of ${row.method} ${row.path} is no server error`, async () => {
      user ??= newVerifiedUser(server.current)
      const { key, accessToken } = await user
      const path = row.path.replace(/\{\w+\}/g, '0197fdc2-0000-7000-8000-000000000000')
      const token = ['jwt', 'session'].includes(row.credential) ? accessToken : key
      const value = name.endsWith('_ids') ? [''] : ''
      const body = { message: 'x', name: 'x', content: 'x', to: [], [name]: value }
      const answer = await request(server.current, row.method, path, { token, body })
      expect(answer.status).toBeLessThan(500)
    })
})
