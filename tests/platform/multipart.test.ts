import { describe, expect, test } from 'bun:test'
import { newVerifiedUser } from '../harness/http.ts'
import { request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()
const PATHS = ['/api/files', '/api/profile/avatar', '/api/memories/import', '/api/transcribe']

let user: Promise<TestUser> | undefined
const post = async (path: string, boundary: string, body: string) => {
  user ??= newVerifiedUser(server.current)
  return request(server.current, 'POST', path, {
    token: (await user).accessToken,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
  })
}

const file = (boundary: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello`

const LONG = 'b'.repeat(300)
const cases: [name: string, boundary: string, body: string][] = [
  ['a boundary of 300 characters', LONG, `${file(LONG)}\r\n--${LONG}--\r\n`],
  ['a body that ends within the file', 'B', file('B')],
  ['a body that ends within the headers of a part', 'B', '--B\r\nContent-Disp'],
  ['a body that ends after the file', 'B', `${file('B')}\r\n--B\r\n`],
  ['a body without the boundary', 'B', 'hello'],
]

for (const path of PATHS)
  describe(`POST ${path}`, () => {
    for (const [name, boundary, body] of cases)
      test(`${name} is 422`, async () => {
        const answer = await post(path, boundary, body)
        expect([answer.status, answer.body]).toEqual([
          422,
          { detail: [{ loc: ['body'], type: 'value_error', msg: expect.any(String) }] },
        ])
      })

    test('a form without the field is 422 missing', async () => {
      const answer = await post(path, 'B', `${file('B')}\r\n--B--\r\n`.replace('"file"', '"other"'))
      expect([answer.status, answer.body.detail[0]]).toEqual([
        422,
        { loc: ['body', 'file'], type: 'missing', msg: 'Field required' },
      ])
    })
  })
