import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { readLines, requestHead } from '../../server/platform/process/protocol.ts'
import { post, useSites } from '../conversation/url-support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type Answer, startServer } from '../harness/server.ts'

const suite = useSites()
const isLinux = process.platform === 'linux'
const READER = fileURLToPath(
  new URL('../../server/platform/text/document-process.ts', import.meta.url),
)

const upload = async (content: Uint8Array<ArrayBuffer> | string, name: string) => {
  const { key } = await newVerifiedUser(suite.server)
  const form = new FormData()
  form.set('file', new Blob([content]), name)
  const response = await fetch(new URL('/api/files', suite.server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** A PDF below 2 MB with a string of 400 MB in it. */
const bomb = (): Uint8Array<ArrayBuffer> => {
  const content = Buffer.alloc(400 * 1024 * 1024, 'a')
  content.write('BT /F1 12 Tf (')
  const packed = deflateSync(content, { level: 1 })
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
4 0 obj<</Filter/FlateDecode/Length ${packed.byteLength}>>
stream
`
  const tail = '\nendstream endobj\ntrailer<</Root 1 0 R>>'
  return new Uint8Array(Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)]))
}

/** A small PDF with hundreds of pages that each take long: they change the graphics state and have no text. */
const laborious = (): Uint8Array<ArrayBuffer> => {
  const pages = Array.from({ length: 400 }, (_, i) => i + 4)
  const packed = deflateSync(Buffer.alloc(2_000_000, 'q Q '))
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[${pages.map((id) => `${id} 0 R`).join(' ')}]/Count ${pages.length}>>endobj
${pages.map((id) => `${id} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R>>endobj`).join('\n')}
3 0 obj<</Filter/FlateDecode/Length ${packed.byteLength}>>
stream
`
  const tail = '\nendstream endobj\ntrailer<</Root 1 0 R>>'
  return new Uint8Array(Buffer.concat([Buffer.from(head), packed, Buffer.from(tail)]))
}

/** The ids of the document reader processes that this process started. */
const readers = (): string[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1')
    .split(' ')
    .filter((pid) => pid.trim())
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('document-process')
      } catch {
        return false
      }
    })

/** Waits for a killed process to end. */
const untilNoReaders = async () => {
  await eventually(() => readers().length === 0)
}

describe('a document reader', () => {
  test('a file of 20 MB of spaces is read to its end', async () => {
    const { status, body } = await upload(`${' '.repeat(20_000_000)}\nthe end`, 'spaces.txt')
    expect(status).toBe(201)
    expect(body.has_text).toBe(true)
  })

  test.if(isLinux)(
    'a reader that uses too much memory for a PDF is killed, and the next one reads',
    async () => {
      const page = await suite.readPage(bomb(), 'application/pdf')
      expect([page.status, page.body.detail]).toEqual([502, 'It takes too much memory to read'])
      const { status, body } = await upload(bomb(), 'bomb.pdf')
      expect([status, body.has_text]).toEqual([201, false])
      await untilNoReaders()
      expect((await upload('# Notes', 'notes.md')).body.has_text).toBe(true)
    },
  )

  test.if(isLinux)(
    'a failed allocation in the PDF parser is reported as too little memory',
    async () => {
      const command = [
        '/bin/sh',
        '-c',
        'ulimit -d 700000; exec "$@"',
        'sh',
        process.execPath,
        '--smol',
      ]
      const reader = Bun.spawn([...command, READER], { env: {}, stdin: 'pipe', stdout: 'pipe' })
      const task = { header: { contentType: 'application/pdf' }, bytes: bomb() }
      reader.stdin.write(requestHead(task))
      reader.stdin.write(task.bytes)
      await reader.stdin.end()
      const lines = await Array.fromAsync(readLines(reader.stdout))
      expect(lines).toEqual([
        { failed: expect.stringContaining('Out of memory'), isTooLarge: true },
      ])
    },
  )

  test.if(isLinux)('a reader that exceeds the time for a page is killed', async () => {
    await using server = await startServer({}, undefined, {
      fetching: { ...suite.web.fetching, timeoutMs: 3_000 },
    })
    const type = { 'content-type': 'application/pdf' }
    const host = suite.web.site(() => new Response(laborious(), { headers: type }))
    const { key } = await newVerifiedUser(server)
    const { status, body } = await post(server, `http://${host}/page`, key)
    expect([status, body.detail]).toEqual([502, 'It took too long to read'])
    await untilNoReaders()
  })

  test.if(isLinux)('a reader compiles JavaScript, because it has memory for code', async () => {
    await upload('# Notes', 'notes.md')
    const maps = readers().map((pid) => readFileSync(`/proc/${pid}/maps`, 'latin1'))
    expect(maps.length).toBeGreaterThan(0)
    for (const map of maps) expect(map).toMatch(/ r[w-]xp 0+ 00:00 0 *$/m)
  })

  test.if(isLinux)('a reader receives no environment variable of the server', async () => {
    await upload('# Notes', 'notes.md')
    const environments = readers().map((pid) => readFileSync(`/proc/${pid}/environ`, 'latin1'))
    expect(environments.length).toBeGreaterThan(0)
    for (const environment of environments) expect(environment).not.toMatch(/SVC_|TEST_|HOME/)
  })
})
