import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const CODINGS = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  'gzip, br': (text: string) => brotliCompressSync(gzipSync(text)),
} as const

const remembered = JSON.stringify({ content: 'Ada prefers tea.' })

describe('compressed bodies', () => {
  for (const [coding, compress] of Object.entries(CODINGS))
    test.each([
      ['JSON', 'POST', '/api/remember', 'application/json'],
      ['a large JSON body', 'POST', '/api/remember/batch', 'application/json'],
      ['an upload', 'POST', '/api/memories/import', 'application/x-ndjson'],
      ['a form', 'POST', '/api/auth/mcp/oauth/token', 'application/x-www-form-urlencoded'],
      ['MCP', 'POST', '/api/mcp', 'application/json'],
    ])(
      `%s with Content-Encoding ${coding} is answered with 415`,
      async (kind, method, path, type) => {
        const { key } = await newUser(server.current)
        const text = kind === 'a large JSON body' ? remembered.padEnd(100_000) : remembered
        const response = await fetch(`${server.current.url}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': type,
            'content-encoding': coding,
          },
          body: compress(text),
        })
        expect(response.status).toBe(415)
        expect(await response.text()).toContain('send it without Content-Encoding')
      },
    )

  test('a body with Content-Encoding identity is read', async () => {
    const { key } = await newUser(server.current)
    for (const coding of ['identity', 'Identity', '']) {
      const headers = { 'content-encoding': coding }
      const sent = { token: key, headers, body: { content: 'Ada prefers tea.' } }
      expect((await request(server.current, 'POST', '/api/remember', sent)).status).toBe(201)
    }
  })
})
