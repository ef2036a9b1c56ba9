import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { startRestartable } from '../harness/http.ts'
import {
  newUser,
  request,
  startServer,
  type TestServer,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()
const AVATAR = '/api/profile/avatar'
const MAX_BYTES = 5 * 1024 * 1024

interface Part {
  field?: string
  type?: string
  bytes: Uint8Array
}

/** A multipart form with one file. */
const upload = (
  token: string,
  { field = 'file', type = 'image/png', bytes }: Part,
  target: TestServer = server.current,
) => {
  const boundary = `----form${crypto.randomUUID()}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="me.png"\r\nContent-Type: ${type}\r\n\r\n`
  return send(
    token,
    Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    `multipart/form-data; boundary=${boundary}`,
    target,
  )
}

const send = async (
  token: string,
  body: Uint8Array<ArrayBuffer> | string,
  contentType: string,
  target: TestServer = server.current,
) => {
  const response = await fetch(new URL(AVATAR, target.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    body,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const remove = (token: string) => request(server.current, 'DELETE', AVATAR, { token })
const avatarOf = async (token: string): Promise<string | null> =>
  (await request(server.current, 'GET', '/api/profile', { token })).body.avatar_url

const open = (path: unknown, target: TestServer = server.current) =>
  fetch(new URL(String(path), target.url))
const statusOf = async (path: unknown) => (await open(path)).status
const pixels = async (path: unknown) => {
  const bytes = await (await open(path)).arrayBuffer()
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  return (x: number, y: number) => {
    const start = (y * info.width + x) * info.channels
    return nameOf([...data.subarray(start, start + 3)])
  }
}

const COLOURS = { red: [255, 0, 0], green: [0, 255, 0], blue: [0, 0, 255] } as const
type Colour = keyof typeof COLOURS

/** The nearest colour of a pixel, because WebP is lossy. */
const nameOf = (pixel: number[]) =>
  Object.entries(COLOURS).find(([, wanted]) =>
    wanted.every((value, i) => Math.abs(value - (pixel[i] ?? 0)) < 60),
  )?.[0] ?? `rgb(${pixel})`

const patch = (colour: Colour, width: number, height: number) => {
  const [r, g, b] = COLOURS[colour]
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } })
}

const picture = (colour: Colour = 'red', width = 64, height = 64) =>
  patch(colour, width, height).png().toBuffer()

/** A black PNG of any size, created without the decoded pixels. */
const bigPng = (width: number, height: number): Buffer => {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    const check = Buffer.alloc(4)
    length.writeUInt32BE(data.byteLength)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(1, 8)
  const row = 1 + Math.ceil(width / 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('uploading a picture', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const)
    test(`a ${format} upload is stored as a 200x200 WebP`, async () => {
      const { accessToken } = await newUser(server.current)
      const bytes = await patch('green', 640, 480).toFormat(format).toBuffer()
      const { status, body } = await upload(accessToken, { type: `image/${format}`, bytes })
      expect([status, body]).toEqual([
        200,
        { avatar_url: expect.stringMatching(/^\/api\/avatars\/[0-9a-f]{32}\.webp$/) },
      ])
      const kept = await sharp(await (await open(body.avatar_url)).arrayBuffer()).metadata()
      expect([kept.format, kept.width, kept.height]).toEqual(['webp', 200, 200])
      expect((await pixels(body.avatar_url))(100, 100)).toBe('green')
    })

  test('an upload is center-cropped to a square', async () => {
    const { accessToken } = await newUser(server.current)
    const wide = patch('red', 600, 200).composite([
      { input: await picture('green', 200, 200), left: 200, top: 0 },
    ])
    const { body } = await upload(accessToken, { bytes: await wide.png().toBuffer() })
    const at = await pixels(body.avatar_url)
    for (const [x, y] of [
      [3, 3],
      [196, 100],
      [100, 196],
    ] as const)
      expect(at(x, y)).toBe('green')
  })

  test('an upload is rotated upright and loses its metadata', async () => {
    const { accessToken } = await newUser(server.current)
    const lying = await patch('red', 200, 100)
      .composite([{ input: await picture('blue', 100, 100), left: 0, top: 0 }])
      .jpeg({ quality: 100 })
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(lying.includes('Camera')).toBe(true)
    const { body } = await upload(accessToken, { type: 'image/jpeg', bytes: lying })
    const at = await pixels(body.avatar_url)
    expect([at(100, 10), at(100, 190)]).toEqual(['blue', 'red'])
    const kept = await sharp(await (await open(body.avatar_url)).arrayBuffer()).metadata()
    expect([kept.exif, kept.xmp, kept.icc, kept.orientation]).toEqual(Array(4).fill(undefined))
  })

  test('a transparent upload stays transparent', async () => {
    const { accessToken } = await newUser(server.current)
    const background = { r: 0, g: 0, b: 0, alpha: 0 }
    const clear = sharp({ create: { width: 64, height: 64, channels: 4, background } })
    const { body } = await upload(accessToken, { bytes: await clear.png().toBuffer() })
    const kept = sharp(await (await open(body.avatar_url)).arrayBuffer())
    expect((await kept.stats()).isOpaque).toBe(false)
  })

  test('the picture appears in every response with the user', async () => {
    const { accessToken } = await newUser(server.current)
    const { avatar_url } = (await upload(accessToken, { bytes: await picture() })).body
    for (const path of ['/api/profile', '/api/auth/me', '/api/me'])
      expect(
        (await request(server.current, 'GET', path, { token: accessToken })).body.avatar_url,
      ).toBe(avatar_url)
    const renamed = await request(server.current, 'PUT', '/api/profile', {
      token: accessToken,
      body: { display_name: 'Someone' },
    })
    expect(renamed.body.avatar_url).toBe(avatar_url)
  })

  test('an API key uploads and removes a picture', async () => {
    const { key } = await newUser(server.current)
    expect((await upload(key, { bytes: await picture() })).status).toBe(200)
    expect((await remove(key)).status).toBe(200)
  })

  test('an upload without a credential is 401', async () => {
    const { status, body } = await upload('nonsense', { bytes: await picture() })
    expect([status, body]).toEqual([401, { detail: 'Could not validate credentials' }])
  })

  test('a picture survives a restart of the server', async () => {
    await using it = await startRestartable()
    const { accessToken } = await newUser(it.current)
    const { body } = await upload(accessToken, { bytes: await picture() }, it.current)
    await it.restart()
    expect((await open(body.avatar_url, it.current)).status).toBe(200)
  })
})

describe('serving a picture', () => {
  test('a picture needs no credential and has immutable cache headers', async () => {
    const { accessToken } = await newUser(server.current)
    const { body } = await upload(accessToken, { bytes: await picture() })
    const { status, headers } = await open(body.avatar_url)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('the file name of a picture is random and new for each upload', async () => {
    const user = await newUser(server.current)
    const bytes = await picture()
    const first = (await upload(user.accessToken, { bytes })).body.avatar_url
    const second = (await upload(user.accessToken, { bytes })).body.avatar_url
    expect(second).not.toBe(first)
    expect(second).not.toContain(user.id)
  })

  test('a path that is no picture is 404', async () => {
    const { accessToken } = await newUser(server.current)
    const { body } = await upload(accessToken, { bytes: await picture() })
    const path = String(body.avatar_url)
    const file = path.slice('/api/avatars/'.length)
    for (const other of [
      `/api/avatars/${'0'.repeat(32)}.webp`,
      `/api/avatars/avatar-${file}`,
      `/api/avatars/${file.toUpperCase()}`,
      `/api/avatars/${file.replace('.webp', '')}`,
      `/api/avatars/${file.replace('.webp', '.png')}`,
      `${path}%0a`,
      `${path}/x`,
      `/api/avatars/.%2f${file}`,
      `/api/avatars/..%2f..%2fauth.secret`,
      `/api/avatars/..%5c..%5cauth.secret`,
      `/api/avatars/%252e%252e%252fauth.secret`,
      `/api/avatars/%2fetc%2fpasswd`,
      `/api/avatars/%E0%A4%A`,
      `/api/avatars/${'a'.repeat(5000)}`,
      '/api/avatars/',
      '/api/avatars',
    ])
      expect([other, await statusOf(other)]).toEqual([other, 404])
  })
})

describe('replacing or removing a picture', () => {
  test('a replaced picture is deleted and the new one is served', async () => {
    const { accessToken } = await newUser(server.current)
    const first = (await upload(accessToken, { bytes: await picture('red') })).body.avatar_url
    const second = (await upload(accessToken, { bytes: await picture('blue') })).body.avatar_url
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    expect(await avatarOf(accessToken)).toBe(String(second))
    expect((await pixels(second))(100, 100)).toBe('blue')
  })

  test('removing the picture resets avatar_url', async () => {
    const { accessToken } = await newUser(server.current)
    const { avatar_url } = (await upload(accessToken, { bytes: await picture() })).body
    const { status, body } = await remove(accessToken)
    expect([status, body]).toEqual([200, { message: expect.any(String) }])
    expect(await avatarOf(accessToken)).toBeNull()
    expect(await statusOf(avatar_url)).toBe(404)
    expect((await remove(accessToken)).status).toBe(200)
  })

  test('removing a picture keeps the pictures of other users', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    const bytes = await picture()
    const theirs = (await upload(bob.accessToken, { bytes })).body.avatar_url
    await upload(ada.accessToken, { bytes })
    await remove(ada.accessToken)
    expect(await statusOf(theirs)).toBe(200)
  })

  test('fifty parallel uploads leave one picture and no other file', async () => {
    await using own = await startServer()
    const { key } = await newUser(own)
    const bytes = await picture()
    const sent = await Promise.all(Array.from({ length: 50 }, () => upload(key, { bytes }, own)))
    expect(sent.map(({ status }) => status)).toEqual(Array(50).fill(200))
    const { body } = await request(own, 'GET', '/api/profile', { token: key })
    expect((await open(body.avatar_url, own)).status).toBe(200)
    const kept = readdirSync(join(own.database.env.SVC_DATA_DIR, 'blobs'))
    expect(kept).toEqual([expect.stringContaining(body.avatar_url.split('/').at(-1))])
  })
})

describe('an invalid upload is 400 and the old picture stays', () => {
  const refused = async (part: Part) => {
    const { accessToken } = await newUser(server.current)
    const { avatar_url } = (await upload(accessToken, { bytes: await picture() })).body
    const { status, body } = await upload(accessToken, part)
    expect([status, body]).toEqual([400, { detail: expect.any(String) }])
    expect(await avatarOf(accessToken)).toBe(String(avatar_url))
    expect(await statusOf(avatar_url)).toBe(200)
  }

  for (const type of ['image/gif', 'image/svg+xml', 'application/octet-stream', 'image/*', 'x'])
    test(`an upload of the content type ${type} is 400`, async () =>
      refused({ type, bytes: await picture() }))

  for (const format of ['gif', 'tiff', 'avif'] as const)
    test(`${format} content with an allowed content type is 400`, async () =>
      refused({ bytes: await patch('red', 64, 64).toFormat(format).toBuffer() }))

  for (const [name, text] of [
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>'],
    ['a PDF', '%PDF-1.4\n1 0 obj <<>> endobj trailer <<>>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['nothing', ''],
  ])
    test(`${name} content is 400`, async () => refused({ bytes: Buffer.from(text ?? '') }))

  test('truncated content is 400', async () => {
    const noise = crypto.getRandomValues(Buffer.alloc(120 * 120 * 3))
    const raw = { width: 120, height: 120, channels: 3 } as const
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const encoded = await sharp(noise, { raw }).toFormat(format).toBuffer()
      await refused({ type: `image/${format}`, bytes: encoded.subarray(0, encoded.length / 2) })
    }
  })

  test('a small file with more than 50 million pixels is 400', async () => {
    const bomb = bigPng(30_000, 30_000)
    expect(bomb.byteLength).toBeLessThan(MAX_BYTES)
    await refused({ bytes: bomb })
    await refused({ bytes: bigPng(10_000, 5_001) })
    const { accessToken } = await newUser(server.current)
    const { body } = await upload(accessToken, { bytes: bigPng(10_000, 5_001) })
    expect(body.detail).toBe('The picture has 10000 x 5001 pixels; it may have 50 million')
    expect((await upload(accessToken, { bytes: bigPng(10_000, 5_000) })).status).toBe(200)
  })

  test('a file of more than 5 MB is refused, one of 5 MB is accepted', async () => {
    const { accessToken } = await newUser(server.current)
    const jpeg = await patch('green', 64, 64).jpeg().toBuffer()
    const ofSize = (size: number) => Buffer.concat([jpeg, Buffer.alloc(size - jpeg.byteLength)])
    const longest = await upload(accessToken, { type: 'image/jpeg', bytes: ofSize(MAX_BYTES) })
    expect(longest.status).toBe(200)
    await refused({ type: 'image/jpeg', bytes: ofSize(MAX_BYTES + 1) })
    await refused({ type: 'image/jpeg', bytes: ofSize(4 * MAX_BYTES) })
  })
})

describe('an upload without the file is 422', () => {
  const missing = [{ loc: ['body', 'file'], type: 'missing', msg: 'Field required' }]

  test('a form field with another name is 422', async () => {
    const { accessToken } = await newUser(server.current)
    const { status, body } = await upload(accessToken, { field: 'image', bytes: await picture() })
    expect([status, body.detail]).toEqual([422, missing])
  })

  test('a body that is not a form, or an empty form, is 422', async () => {
    const { accessToken } = await newUser(server.current)
    const bytes = await picture()
    for (const [body, type] of [
      ['{}', 'application/json'],
      [bytes, 'image/png'],
      ['', 'multipart/form-data; boundary=x'],
      ['--x--\r\n', 'multipart/form-data'],
      ['--\r\n', 'multipart/form-data; boundary='],
      [
        '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--x--\r\n',
        'multipart/form-data; boundary=x',
      ],
    ] as const) {
      const answer = await send(accessToken, body, type)
      expect([body, type, answer.status, answer.body.detail]).toEqual([body, type, 422, missing])
    }
  })
})

/** An in-memory S3 bucket with the requests that the server sends. */
const startBucket = () => {
  const objects = new Map<string, ArrayBuffer>()
  const bucket = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const found = objects.get(pathname)
      if (!request.headers.get('authorization')?.includes('Credential=key-id/'))
        return new Response(null, { status: 403 })
      if (request.method === 'PUT') objects.set(pathname, await request.arrayBuffer())
      else if (request.method === 'DELETE') objects.delete(pathname)
      else return found ? new Response(found) : new Response(null, { status: 404 })
      return new Response(null, { status: 200 })
    },
  })
  return { objects, url: bucket.url.href, [Symbol.asyncDispose]: () => bucket.stop(true) }
}

test('with a bucket configured, pictures are stored in it and not in the data directory', async () => {
  await using bucket = startBucket()
  await using own = await startServer({
    SVC_S3_ENDPOINT: bucket.url,
    SVC_S3_BUCKET: 'pictures',
    SVC_S3_ACCESS_KEY_ID: 'key-id',
    SVC_S3_SECRET_ACCESS_KEY: 'key-secret',
  })
  const { key } = await newUser(own)
  const first = (await upload(key, { bytes: await picture() }, own)).body.avatar_url
  expect([...bucket.objects.keys()]).toEqual([expect.stringMatching(/^\/pictures\/.*\.webp$/)])
  expect((await open(first, own)).status).toBe(200)
  const second = (await upload(key, { bytes: await picture('blue') }, own)).body.avatar_url
  expect([(await open(first, own)).status, (await open(second, own)).status]).toEqual([404, 200])
  expect(bucket.objects.size).toBe(1)
  expect(readdirSync(own.database.env.SVC_DATA_DIR)).not.toContain('blobs')
})
