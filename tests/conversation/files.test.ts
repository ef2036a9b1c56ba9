import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { uploadFile } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { ISO, UUID } from '../harness/http.ts'
import {
  type Answer,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'

const server = useServer()
let user: TestUser
let other: TestUser
beforeAll(async () => {
  user = await newUser(server.current)
  other = await newUser(server.current)
})

const NO_FILE = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
const MAX_BYTES = 25 * 1024 * 1024

const upload = async (
  content: string | Uint8Array<ArrayBuffer>,
  name = 'notes.txt',
  type = 'application/octet-stream',
  { who: caller = user, field = 'file' } = {},
) => {
  const form = new FormData()
  form.set(field, new Blob([content], { type }), name)
  const response = await fetch(new URL('/api/files', server.current.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}
const call = (method: string, path = '', member = user) =>
  request(server.current, method, `/api/files${path}`, { token: member.key })
const blobs = () => readdirSync(join(server.current.database.env.SVC_DATA_DIR, 'blobs'))

const picture = (format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff') =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    .toFormat(format)
    .toBuffer() as Promise<Buffer<ArrayBuffer>>

/** A minimal PDF with a line of text. */
const pdf = (text: string): string => {
  const content = `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`
}

describe('a file', () => {
  test('a file is stored, described, listed and downloaded unchanged', async () => {
    const freshUser = await newUser(server.current)
    const text = '# Notes\n\nAda likes tea – and coffee.\n'
    const stored = await upload(text, 'Résumé (1).md', 'text/markdown', { who: freshUser })
    expect([stored.status, stored.body]).toEqual([
      201,
      {
        id: UUID,
        name: 'Résumé (1).md',
        type: 'text/markdown',
        size: Buffer.byteLength(text),
        has_text: true,
        created_at: ISO,
      },
    ])
    const response = await call('GET', `/${stored.body.id}`, freshUser)
    expect([response.status, response.body]).toEqual([200, stored.body])
    const content = await call('GET', `/${stored.body.id}/content`, freshUser)
    expect([content.status, content.text]).toEqual([200, text])
    const second = await upload('{}', 'b.json', '', { who: freshUser })
    const listed = await call('GET', '', freshUser)
    expect([listed.status, listed.body]).toEqual([200, [second.body, stored.body]])
    expect((await call('GET', '?limit=1', freshUser)).body).toEqual([second.body])
    expect((await call('GET', `?before=${second.body.id}`, freshUser)).body).toEqual([stored.body])
  })

  test('a file is served so that browsers do not run it', async () => {
    const { body } = await upload('<script>alert(1)</script>', 'it’s (bad) *.html', 'text/html')
    const { headers } = await call('GET', `/${body.id}/content`)
    expect(headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''it%E2%80%99s%20%28bad%29%20%2A.html",
    )
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('private, no-store')
  })

  test('a file can be uploaded with the typed client', async () => {
    const file = new File(['hello'], 'hello.txt')
    expect(await user.client.call(uploadFile, { upload: file })).toMatchObject({
      name: 'hello.txt',
      type: 'text/plain',
      size: 5,
    })
  })

  test('a file is deleted with its bytes', async () => {
    const before = blobs()
    const { body } = await upload('to be deleted')
    expect(blobs()).toHaveLength(before.length + 1)
    const { status, text } = await call('DELETE', `/${body.id}`)
    expect([status, text]).toEqual([204, ''])
    expect(blobs()).toEqual(before)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/content'],
      ['DELETE', ''],
    ])
      expect((await call(method as string, `/${body.id}${path}`)).status).toBe(404)
  })

  test('a file is deleted with the account', async () => {
    const freshUser = await newUser(server.current)
    const before = blobs()
    await upload('one', 'one.txt', '', { who: freshUser })
    await upload('two', 'two.txt', '', { who: freshUser })
    await request(server.current, 'DELETE', '/api/auth/delete-account', {
      token: freshUser.accessToken,
      body: { password: PASSWORD },
    })
    await eventually(() => blobs().length <= before.length)
    expect(blobs()).toEqual(before)
  })
})

describe('the type of a file', () => {
  const texts: [string, string, string, string][] = [
    ['main.py', '', 'print("é")', 'text/plain'],
    ['data.CSV', 'application/vnd.ms-excel', 'a,b\n1,2', 'text/csv'],
    ['data.json', 'application/json', '{"a": 1}', 'application/json'],
    ['notes', 'text/markdown; charset=utf-8', '# Notes', 'text/markdown'],
    ['page.htm', '', '<p>Hello</p>', 'text/html'],
    ['picture.svg', 'image/svg+xml', '<svg><text>Hello</text></svg>', 'text/plain'],
    ['lies.png', 'image/png', 'no picture at all', 'text/plain'],
  ]
  for (const [name, type, content, expected] of texts)
    test(`the type of a file is ${expected} for ${name} sent as ${type || 'nothing'}`, async () => {
      const { status, body } = await upload(content, name, type)
      expect([status, body]).toMatchObject([201, { name, type: expected, has_text: true }])
    })

  test('the type of a file is text for UTF-16', async () => {
    const { body } = await upload(Buffer.from('\ufeffhello', 'utf16le'), 'wide.txt')
    expect(body).toMatchObject({ type: 'text/plain', has_text: true })
  })

  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const)
    test(`the type of a file is an image for ${format} content, whatever its name`, async () => {
      const { status, body } = await upload(await picture(format), 'x.txt', 'text/plain')
      expect([status, body]).toMatchObject([201, { type: `image/${format}`, has_text: false }])
    })

  test('has_text is true for a PDF with text, and false without', async () => {
    const { status, body } = await upload(pdf('Ada lives in Paris'), 'x.bin')
    expect([status, body]).toMatchObject([201, { type: 'application/pdf', has_text: true }])
    const broken = await upload('%PDF-1.4 and nothing of one', 'x.pdf')
    expect([broken.status, broken.body]).toMatchObject([
      201,
      { type: 'application/pdf', has_text: false },
    ])
  })

  test('has_text is false for white space', async () => {
    expect((await upload(' \n\n ')).body).toMatchObject({ type: 'text/plain', has_text: false })
  })
})

describe('a file’s name', () => {
  for (const [name, expected] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
    [`${'x'.repeat(300)}.txt`, `${'x'.repeat(196)}.txt`],
    ['  ', 'file'],
  ] as const)
    test(`${name.slice(0, 30)} is stored as ${expected.slice(0, 30)}`, async () => {
      expect((await upload('x', name)).body.name).toBe(expected)
    })
})

describe('a file is rejected', () => {
  const KINDS = 'The file must be text, a PDF, a JPEG, PNG, WebP or GIF'
  test('a file is rejected with another type', async () => {
    const others: Uint8Array<ArrayBuffer>[] = [
      Buffer.from('PK\x03\x04\x00\x00\x00\x00'),
      Buffer.from([0, 1, 2, 3]),
      Buffer.from('\x89PNG and no more', 'latin1'),
      Buffer.from('GIF89a\x00\x00\x00\x00\x00\x00\x00\x00'),
      await picture('tiff'),
    ]
    for (const bytes of others) {
      const { status, body } = await upload(bytes, 'x.txt', 'text/plain')
      expect([status, body]).toEqual([400, { detail: KINDS }])
    }
  })

  test('a file is rejected when it is empty', async () => {
    const { status, body } = await upload('')
    expect([status, body]).toEqual([400, { detail: 'The file is empty' }])
  })

  test('a file is rejected over 25 MB but not at 25 MB', async () => {
    const before = blobs()
    const most = await upload(new Uint8Array(MAX_BYTES).fill(97), 'most.txt')
    expect([most.status, most.body.size]).toEqual([201, MAX_BYTES])
    const over = await upload(new Uint8Array(MAX_BYTES + 1).fill(97))
    expect([over.status, over.body]).toEqual([413, { detail: 'The file is larger than 25 MB' }])
    await call('DELETE', `/${most.body.id}`)
    expect(blobs()).toEqual(before)
  })

  test('a file is rejected in another field, or outside of a form', async () => {
    const elsewhere = await upload('x', 'x.txt', '', { field: 'other' })
    const asJson = await request(server.current, 'POST', '/api/files', {
      token: user.key,
      body: { file: 'x' },
    })
    for (const { status, body } of [elsewhere, asJson])
      expect([status, body.detail]).toEqual([
        422,
        [{ loc: ['body', 'file'], type: 'missing', msg: 'Field required' }],
      ])
  })
})

describe('another user’s file', () => {
  test('another user’s file is 404 for every endpoint', async () => {
    const { body } = await upload('mine')
    for (const id of [body.id, NO_FILE])
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/content'],
        ['DELETE', ''],
      ]) {
        const answer = await call(method as string, `/${id}${path}`, other)
        expect([answer.status, answer.body]).toEqual([404, { detail: 'File not found' }])
      }
    expect((await call('GET', '', other)).body).toEqual([])
    expect((await call('GET', `/${body.id}`)).status).toBe(200)
  })

  test('another user’s file with an invalid id is 422', async () => {
    const { status, body } = await call('GET', '/no-id/content')
    expect([status, body.detail[0]]).toMatchObject([
      422,
      { loc: ['path', 'file_id'], type: 'uuid_parsing' },
    ])
  })
})
