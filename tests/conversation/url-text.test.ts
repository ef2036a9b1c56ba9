import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { useSites } from './url-support.ts'

const suite = useSites()
const { readPage, read } = suite

const ARTICLE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Bridges of the valley | The Daily Ledger</title>
<meta property="og:title" content="Bridges of the valley">
<meta name="description" content="How two bridges changed a valley.">
<script>var secret = 'not shown'</script></head><body>
<nav><a href="/">Home</a><a href="/news">News</a></nav>
<main><article><h1>Bridges of the valley</h1>
<p>The first bridge over the river was built in 1874, when the mill at the upper end of the valley
needed a way to bring its timber to the station on the other side, and it lasted forty-one years.</p>
<h2>The second one</h2>
<p>The second bridge, of iron, was <a href="/iron">ordered from a foundry</a> two hundred kilometres
away. It came in pieces, by rail, and was put together by the people of the valley, in one summer.</p>
<ul><li>Length: 48 metres</li><li>Weight: 92 tonnes</li></ul>
<table><tr><th>Year</th><th>Carts</th></tr><tr><td>1916</td><td>8,112</td></tr></table>
</article></main><footer>Terms and conditions</footer></body></html>`

describe('a page', () => {
  test('a page returns its title, its article as Markdown and the hash of the text', async () => {
    const { status, body } = await readPage(ARTICLE, 'text/html')
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(
      ['url', 'title', 'text', 'excerpt', 'word_count', 'snapshot_hash'].toSorted(),
    )
    expect(body).toMatchObject({
      title: 'Bridges of the valley',
      excerpt: 'How two bridges changed a valley.',
      snapshot_hash: createHash('sha256').update(body.text).digest('hex'),
    })
    expect(body.url).toEndWith('.test/page')
    expect(body.text).toStartWith(
      'The first bridge over the river was built in 1874, when the mill',
    )
    for (const part of [
      '## The second one',
      'ordered from a foundry two hundred',
      '| 1916 | 8,112 |',
    ])
      expect(body.text).toContain(part)
    expect(body.text).toMatch(/- +Length: 48 metres/)
    expect(body.text).not.toMatch(/Home|Terms|not shown|<|\/iron/)
    expect(body.word_count).toBeGreaterThan(70)
    expect(body.word_count).toBeLessThan(110)
  })

  test('a page without an article returns its lines', async () => {
    const short = await readPage('<title>Hi</title><p>Hello <b>there</b>.<p>Bye.', 'text/html')
    expect(short.body).toMatchObject({
      title: 'Hi',
      text: 'Hello there.\nBye.',
      excerpt: 'Hello there. Bye.',
      word_count: 3,
    })
  })

  test('a page without a title has its file name or host as title', async () => {
    const host = suite.web.site(() => new Response('some text'))
    expect((await read(`http://${host}/notes%20of%20may.txt`)).body.title).toBe('notes of may.txt')
    expect((await read(`http://${host}/`)).body.title).toBe(host)
    expect((await read(`http://${host}/%00`)).body.title).toBe('')
  })

  for (const [what, html] of Object.entries({
    'unclosed elements':
      '<p>unclosed <b>bold <i>both</b> text <table><tr><td>cell<p>more <a href="x>y',
    'deeply nested elements': `${'<div>'.repeat(5_000)}more text`,
    'a hundred thousand elements': '<li><a href=/>more</a></li>'.repeat(60_000),
    'five megabytes of paragraphs': `<p>${'more words to read here. '.repeat(10)}</p>`.repeat(
      19_000,
    ),
    'no element at all': 'more',
    'stray end tags and NULs': '</p></div></html>mo\0re text &#0; &#xD800; more</body>',
  }))
    test(`a page with ${what} is read`, async () => {
      const { status, body } = await readPage(html, 'text/html')
      expect(status).toBe(200)
      expect(body.text).toContain('more')
    })

  test('a page has a word count in a script without spaces', async () => {
    const { body } = await readPage('私は学生です。', 'text/plain;charset=utf-8')
    expect(body.word_count).toBe(4)
  })

  test('a page that is long is truncated, and its excerpt ends at a word', async () => {
    const { body } = await readPage('lorem ipsum '.repeat(30_000), 'text/plain')
    expect(body.text).toHaveLength(200_000)
    expect(body.excerpt).toMatch(/^(lorem|ipsum)( (lorem|ipsum))+…$/)
    expect(body.excerpt.length).toBeLessThanOrEqual(300)
  })
})

describe('other documents', () => {
  for (const [type, text, title] of [
    ['text/plain', 'just  text\n\n\n\nand more', 'page'],
    ['text/markdown', '# Notes of May\n\n- tea', 'Notes of May'],
    ['application/json', '{"a": [1, 2]}', 'page'],
    ['application/ld+json; charset=utf-8', '{"a": 1}', 'page'],
    ['text/csv', 'a,b\n1,2', 'page'],
  ] as const)
    test(`${type} is returned unchanged`, async () => {
      const { status, body } = await readPage(text, type)
      expect([status, body.title, body.text]).toEqual([
        200,
        title,
        text.replace('\n\n\n\n', '\n\n'),
      ])
    })

  test('a PDF returns the text of its pages', async () => {
    const { status, body } = await readPage(pdf('Hello from a PDF'), 'application/pdf')
    expect([status, body.text, body.title, body.word_count]).toEqual([
      200,
      'Hello from a PDF',
      'A small file',
      4,
    ])
  })

  test('images, archives, programs and broken PDFs are 502', async () => {
    for (const [body, type] of [
      ['\x89PNG', 'image/png'],
      ['PK', 'application/zip'],
      ['x', 'application/octet-stream'],
      ['MZ\0\0', 'text/plain'],
      ['%PDF-1.7 nothing', 'application/pdf'],
    ] as const)
      expect((await readPage(body, type)).status).toBe(502)
  })

  test('a document without text is 502', async () => {
    for (const body of [
      '',
      ' \n ',
      '<html><body><div id=app></div><script>run()</script></body></html>',
    ])
      expect((await readPage(body, 'text/html')).body).toEqual({
        detail: 'There is no text to read',
      })
  })
})

describe('encodings', () => {
  const encoded = {
    'by the content-type header': [
      'text/html; charset=Shift_JIS',
      [0x93, 0xfa, 0x96, 0x7b],
      '日本',
    ],
    'by a byte order mark before the header': [
      'text/html; charset=Shift_JIS',
      [0xef, 0xbb, 0xbf, ...Buffer.from('日本')],
      '日本',
    ],
    'in UTF-16 by a byte order mark': ['text/plain', [0xff, 0xfe, 0xe5, 0x65, 0x2c, 0x67], '日本'],
    'by its meta element': [
      'text/html',
      [...Buffer.from('<meta charset="windows-1251"><p>'), 0xcc, 0xe8, 0xf0],
      'Мир',
    ],
    'as UTF-8 by default': ['text/plain', [...Buffer.from('naïve 日本')], 'naïve 日本'],
    'as Windows-1252 where that is not UTF-8': ['text/plain', [0x63, 0x61, 0x66, 0xe9], 'café'],
    'despite an unknown charset': ['text/plain; charset=klingon', [0x61, 0x62], 'ab'],
  } as const
  for (const [how, [type, bytes, text]] of Object.entries(encoded))
    test(`encodings are decoded ${how}`, async () => {
      const { status, body } = await readPage(new Uint8Array(bytes), type)
      expect([status, body.text]).toEqual([200, text])
    })

  for (const [coding, pack] of Object.entries({
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  }))
    test(`encodings are decompressed from ${coding}`, async () => {
      const host = suite.web.site(
        () =>
          new Response(pack('packed text'), {
            headers: { 'content-encoding': coding, 'content-type': 'text/plain' },
          }),
      )
      expect((await read(`http://${host}`)).body).toMatchObject({ text: 'packed text' })
    })
})

/** A minimal PDF with one line (ISO 32000-1, annex H). */
const pdf = (line: string): Buffer => {
  const content = `BT /F1 24 Tf 72 720 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Title (A small file) >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
