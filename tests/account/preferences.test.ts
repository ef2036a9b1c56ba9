import { describe, expect, test } from 'bun:test'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const all = async (token: string) =>
  (await request(server.current, 'GET', '/api/preferences', { token })).body
const set = (token: string, key: string, body: unknown) =>
  request(server.current, 'PUT', `/api/preferences/${key}`, { token, body })

describe('preferences', () => {
  test('a new account has all preferences with their defaults', async () => {
    const { accessToken } = await newUser(server.current)
    expect(await all(accessToken)).toEqual({ auto_fetch_urls: 'ask', auto_learn_urls: 'off' })
  })

  for (const [key, values] of [
    ['auto_fetch_urls', ['always', 'never', 'ask']],
    ['auto_learn_urls', ['on', 'off']],
  ] as const)
    test(`${key} accepts ${values.join(', ')} and does not change the others`, async () => {
      const { accessToken } = await newUser(server.current)
      const before = await all(accessToken)
      for (const value of values) {
        const { status, body } = await set(accessToken, key, { value })
        expect([status, body]).toEqual([200, { key, value }])
        expect(await all(accessToken)).toEqual({ ...before, [key]: value })
      }
    })

  test('a value that is not allowed is 422 and lists the allowed values', async () => {
    const { accessToken } = await newUser(server.current)
    const wrong = ['sometimes', 'ALWAYS', 'on', '', ' ask', null, 1, true, ['ask'], { ask: 1 }]
    for (const value of wrong) {
      const { status, body } = await set(accessToken, 'auto_fetch_urls', { value })
      expect([status, body.detail]).toEqual([
        422,
        [
          {
            loc: ['body', 'value'],
            type: 'literal_error',
            msg: "Input should be 'always', 'ask' or 'never'",
          },
        ],
      ])
    }
    expect((await all(accessToken)).auto_fetch_urls).toBe('ask')
  })

  test('a missing value is 422', async () => {
    const { accessToken } = await newUser(server.current)
    for (const body of [{}, { auto_learn_urls: 'on' }]) {
      const { status, body: answer } = await set(accessToken, 'auto_learn_urls', body)
      expect([status, answer.detail]).toEqual([
        422,
        [{ loc: ['body', 'value'], type: 'missing', msg: 'Field required' }],
      ])
    }
  })

  test('an unknown key is 404', async () => {
    const { accessToken } = await newUser(server.current)
    for (const key of ['theme', 'AUTO_FETCH_URLS', '__proto__', 'constructor', 'toString', '%20']) {
      const { status, body } = await set(accessToken, key, { value: 'on' })
      expect([key, status, body]).toEqual([key, 404, { detail: 'Unknown preference' }])
    }
    expect(Object.keys(await all(accessToken))).toHaveLength(2)
  })

  test('an API key sets preferences of its user only', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    expect((await set(ada.key, 'auto_learn_urls', { value: 'on' })).status).toBe(200)
    expect((await all(ada.accessToken)).auto_learn_urls).toBe('on')
    expect((await all(bob.key)).auto_learn_urls).toBe('off')
  })

  test('parallel changes to different keys are all kept', async () => {
    const { key } = await newUser(server.current)
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        i % 2
          ? set(key, 'auto_fetch_urls', { value: 'never' })
          : set(key, 'auto_learn_urls', { value: 'on' }),
      ),
    )
    expect(await all(key)).toEqual({ auto_fetch_urls: 'never', auto_learn_urls: 'on' })
  })
})
