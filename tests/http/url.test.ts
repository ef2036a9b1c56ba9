import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { databaseKind } from '../harness/database.ts'
import { quietPort } from '../harness/ports.ts'
import {
  type Answer,
  request,
  startServer,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import { newVerifiedUser, runSql, startRestartable } from './support.ts'

// Some tests start servers of their own, and wait for their mail.
setDefaultTimeout(60_000)

let web: Web
let server: TestServer
beforeAll(async () => {
  web = await startWeb()
  // A busy machine is given time: how long a page may take is tested by itself.
  server = await startServer({}, undefined, { fetching: { ...web.fetching, timeoutMs: 60_000 } })
}, 60_000)
afterAll(async () => {
  await server?.stop()
  await web?.[Symbol.asyncDispose]()
})

const post = (url: unknown, token: string, target = server) =>
  request(target, 'POST', '/api/url', { token, body: { url } })

/** Asks as somebody who has asked less than ten times. */
const readers: Promise<string>[] = []
let asked = 0
const read = async (url: unknown): Promise<Answer> => {
  const reader = Math.floor(asked++ / 10)
  readers[reader] ??= newVerifiedUser(server).then(({ key }) => key)
  return post(url, await readers[reader])
}
/** The page at a site that answers with this. */
const readPage = async (body: string | Uint8Array, type?: string) => {
  const host = web.site(() => new Response(body, { headers: type ? { 'content-type': type } : {} }))
  return read(`http://${host}/page`)
}
const failure = async (url: string) => {
  const { status, body } = await read(url)
  expect([url, status, Object.keys(body), typeof body.detail]).toEqual([
    url,
    502,
    ['detail'],
    'string',
  ])
  return body.detail as string
}
const respond = (head: string, body = '') => `HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n${body}`
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

const REFUSED = 'There is no public web server at this address'

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
  test('is answered with its title, its article as Markdown, and a hash of that', async () => {
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

  test('without an article is answered with its lines', async () => {
    const short = await readPage('<title>Hi</title><p>Hello <b>there</b>.<p>Bye.', 'text/html')
    expect(short.body).toMatchObject({
      title: 'Hi',
      text: 'Hello there.\nBye.',
      excerpt: 'Hello there. Bye.',
      word_count: 3,
    })
  })

  test('without a title is called by its file name, or its host', async () => {
    const host = web.site(() => new Response('some text'))
    expect((await read(`http://${host}/notes%20of%20may.txt`)).body.title).toBe('notes of may.txt')
    expect((await read(`http://${host}/`)).body.title).toBe(host)
    expect((await read(`http://${host}/%00`)).body.title).toBe('')
  })

  for (const [what, html] of Object.entries({
    'unclosed elements':
      '<p>unclosed <b>bold <i>both</b> text <table><tr><td>cell<p>more <a href="x>y',
    'elements deep in each other': `${'<div>'.repeat(5_000)}more text`,
    'a hundred thousand elements': '<li><a href=/>more</a></li>'.repeat(60_000),
    'five megabytes of paragraphs': `<p>${'more words to read here. '.repeat(10)}</p>`.repeat(
      19_000,
    ),
    'no element at all': 'more',
    'stray ends and NULs': '</p></div></html>mo\0re text &#0; &#xD800; more</body>',
  }))
    test(`with ${what} is read all the same`, async () => {
      const { status, body } = await readPage(html, 'text/html')
      expect(status).toBe(200)
      expect(body.text).toContain('more')
    })

  test('is counted in words also where there are no spaces', async () => {
    const { body } = await readPage('私は学生です。', 'text/plain;charset=utf-8')
    expect(body.word_count).toBe(4)
  })

  test('that is long is cut, and its excerpt at a word', async () => {
    const { body } = await readPage('lorem ipsum '.repeat(30_000), 'text/plain')
    expect(body.text).toHaveLength(200_000)
    expect(body.excerpt).toMatch(/^(lorem|ipsum)( (lorem|ipsum))+…$/)
    expect(body.excerpt.length).toBeLessThanOrEqual(300)
  })
})

describe('text of other kinds', () => {
  for (const [type, text, title] of [
    ['text/plain', 'just  text\n\n\n\nand more', 'page'],
    ['text/markdown', '# Notes of May\n\n- tea', 'Notes of May'],
    ['application/json', '{"a": [1, 2]}', 'page'],
    ['application/ld+json; charset=utf-8', '{"a": 1}', 'page'],
    ['text/csv', 'a,b\n1,2', 'page'],
  ] as const)
    test(`${type} is answered as it stands`, async () => {
      const { status, body } = await readPage(text, type)
      expect([status, body.title, body.text]).toEqual([
        200,
        title,
        text.replace('\n\n\n\n', '\n\n'),
      ])
    })

  test('a PDF is answered with the text of its pages', async () => {
    const { status, body } = await readPage(pdf('Hello from a PDF'), 'application/pdf')
    expect([status, body.text, body.title, body.word_count]).toEqual([
      200,
      'Hello from a PDF',
      'A small file',
      4,
    ])
  })

  test('pictures, archives, programs and broken PDFs are 502', async () => {
    for (const [body, type] of [
      ['\x89PNG', 'image/png'],
      ['PK', 'application/zip'],
      ['x', 'application/octet-stream'],
      ['MZ\0\0', 'text/plain'],
      ['%PDF-1.7 nothing', 'application/pdf'],
    ] as const)
      expect((await readPage(body, type)).status).toBe(502)
  })

  test('what has no text is 502', async () => {
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

describe('letters', () => {
  const encoded = {
    'by its header': ['text/html; charset=Shift_JIS', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    'by a byte order mark, over the header': [
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
    'as UTF-8 where nothing is said': ['text/plain', [...Buffer.from('naïve 日本')], 'naïve 日本'],
    'as Windows-1252 where that is not UTF-8': ['text/plain', [0x63, 0x61, 0x66, 0xe9], 'café'],
    'of an encoding that nobody knows': ['text/plain; charset=klingon', [0x61, 0x62], 'ab'],
  } as const
  for (const [how, [type, bytes, text]] of Object.entries(encoded))
    test(`are read ${how}`, async () => {
      const { status, body } = await readPage(new Uint8Array(bytes), type)
      expect([status, body.text]).toEqual([200, text])
    })

  for (const [coding, pack] of Object.entries({
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
  }))
    test(`are unpacked from ${coding}`, async () => {
      const host = web.site(
        () =>
          new Response(pack('packed text'), {
            headers: { 'content-encoding': coding, 'content-type': 'text/plain' },
          }),
      )
      expect((await read(`http://${host}`)).body).toMatchObject({ text: 'packed text' })
    })
})

describe('redirects', () => {
  test('are followed, and the answer says where to', async () => {
    const target = web.site(({ url }) => new Response(`here is ${new URL(url).search}`))
    const start = web.site(({ url }) =>
      redirect(new URL(url).pathname === '/' ? '/next?a=1' : `http://${target}/end?b=2#part`),
    )
    const { status, body } = await read(`http://${start}/`)
    expect([status, body.text]).toEqual([200, 'here is ?b=2'])
    expect(body.url).toStartWith(`http://${target}/end?b=2`)
  })

  test('are followed five times and not six', async () => {
    const host = web.site(({ url }) => {
      const left = Number(new URL(url).pathname.slice(1))
      return left > 0 ? redirect(`/${left - 1}`) : new Response('arrived')
    })
    expect((await read(`http://${host}/5`)).body.text).toBe('arrived')
    expect(await failure(`http://${host}/6`)).toContain('redirects more than 5 times')
  })
})

describe('what a site does wrong is 502', () => {
  test('an error status', async () => {
    for (const status of [400, 401, 404, 418, 500, 503]) {
      const host = web.site(() => new Response('sorry', { status }))
      expect(await failure(`http://${host}`)).toBe(`The site answered with status ${status}`)
    }
  })

  test('more than 5 MB: announced, sent, or unpacked', async () => {
    const large = 'The page is larger than 5 MB'
    const tooMany = 5 * 1024 * 1024 + 1
    const endless = (socket: Socket) => {
      socket.write(respond('200 OK'))
      const more = () => {
        while (socket.writable && socket.write('x'.repeat(65_536)));
      }
      socket.on('drain', more)
      socket.once('data', more)
    }
    const announced = web.rawSite((socket) =>
      socket.once('data', () => socket.write(respond(`200 OK\r\nContent-Length: ${tooMany}`))),
    )
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024))
    const packed = web.site(() => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }))
    for (const host of [announced, web.rawSite(endless), packed])
      expect(await failure(`http://${host}`)).toBe(large)
    const most = web.site(() => new Response('x'.repeat(tooMany - 1)))
    expect((await read(`http://${most}`)).status).toBe(200)
  })

  test('taking too long: to answer, to end, or by one redirect after the other', async () => {
    await using impatient = await startServer({}, undefined, {
      fetching: { ...web.fetching, timeoutMs: 1_000 },
    })
    const { key } = await newVerifiedUser(impatient)
    const silent = web.rawSite(() => {})
    const slow = web.rawSite((socket) => {
      socket.once('data', () => socket.write(respond('200 OK\r\nContent-Length: 100', 'x')))
    })
    const detour = web.site(() => redirect(`http://${silent}/`))
    for (const host of [silent, slow, detour]) {
      const { status, body } = await post(`http://${host}`, key, impatient)
      expect([status, body]).toEqual([502, { detail: 'The site took too long to answer' }])
    }
  })

  test('breaking off, or speaking something else than HTTP', async () => {
    const says = (text: string) =>
      web.rawSite((socket) => socket.once('data', () => socket.end(text)))
    for (const text of [
      '',
      'SSH-2.0-OpenSSH_9.6\r\n',
      respond('200 OK\r\nContent-Length: 100', 'only this'),
      respond('200 OK\r\nContent-Encoding: gzip', 'no gzip'),
      respond('200 OK\r\nContent-Encoding: zstd', 'whatever'),
      respond(`200 OK\r\nX-Long: ${'x'.repeat(200_000)}`),
      respond('302 Found'),
    ])
      await failure(`http://${says(text)}`)
  })

  test('not accepting connections', async () => {
    const host = web.name('closed.test', ['93.184.255.1'])
    const port = await quietPort()
    await using alone = await startServer({}, undefined, {
      fetching: { ...web.fetching, route: () => ({ host: '127.0.0.1', port }) },
    })
    const { key } = await newVerifiedUser(alone)
    expect((await post(`http://${host}`, key, alone)).body).toEqual({
      detail: 'The site does not accept connections',
    })
  })
})

describe('over TLS', () => {
  test('the certificate is the one of the host that was asked for', async () => {
    const host = web.secureSite(({ headers }) => new Response(`for ${headers.get('host')}`))
    expect((await read(`https://${host}/`)).body.text).toBe('for secure.test')
    const other = web.secureSite(() => new Response('somebody else'), 'other.test')
    expect(await failure(`https://${other}/`)).toBe('The site has no valid certificate')
    const address = web.addressOf(host)
    expect(await failure(`https://${address}/`)).toBe('The site has no valid certificate')
  })
})

/** Tells that nothing was connected to, but the sites that a test put there. */
const untouched = async (act: () => Promise<void>, ...hosts: string[]) => {
  const before = web.connections.length
  await act()
  const own = hosts.map((host) => web.addressOf(host))
  expect(
    web.connections.slice(before).filter((to) => !own.includes(to.split(' ')[0] ?? '')),
  ).toEqual([])
  expect(web.forbidden()).toBe(0)
}

describe('an address that is not of the public internet', () => {
  const spellings = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.0.0.1.'],
    ...['127.8.9.10', '0', '0.0.0.0', '10.0.0.1', '172.16.0.1', '192.168.1.1', '192.168.257'],
    ...['169.254.169.254', '2852039166', '100.64.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['198.18.0.1', '192.0.2.1', '１２７.０.０.１', '①②⑦.⓪.⓪.①', '127%2e0%2e0%2e1'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[fe80::1]'],
    ...['[fd00:ec2::254]', '[fc00::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[ff02::1]'],
    ...['[2001:db8::1]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '168.63.129.16'],
  ]
  for (let i = 0; i < spellings.length; i += 10)
    test(`is refused, and never connected to: ${spellings.slice(i, i + 10).join(' ')}`, () =>
      untouched(async () => {
        for (const spelling of spellings.slice(i, i + 10))
          expect(await failure(`http://${spelling}/`)).toBe(REFUSED)
      }))

  test('is refused behind a name, and the answer is that for a name that does not exist', () =>
    untouched(async () => {
      for (const addresses of [
        ['127.0.0.1'],
        ['10.1.2.3'],
        ['::1'],
        ['::ffff:10.0.0.1'],
        ['fe80::1%eth0'],
        ['93.184.254.1', '192.168.0.1'],
        ['169.254.169.254', '93.184.254.1'],
        ['no address'],
        [],
      ])
        expect(await failure(`http://${web.name('inside.test', addresses)}/`)).toBe(REFUSED)
      expect(await failure('http://does-not-exist.test/')).toBe(REFUSED)
    }))

  test('is refused after a redirect of every kind', async () => {
    const targets = [
      'http://127.0.0.1/',
      'http://2130706433:8080/',
      'http://[::1]/',
      '//169.254.169.254/latest/meta-data/',
      `http://${web.name('redirected.test', ['10.0.0.1'])}/`,
      'https://localhost/',
      'file:///etc/passwd',
      'ftp://ftp.example.com/',
      'data:text/plain,hello',
      'http://user:password@public.test/',
      'http://public.test:22/',
      'http://[broken',
    ]
    let target = ''
    let status = 302
    const host = web.site(() => new Response(null, { status, headers: { location: target } }))
    await untouched(async () => {
      for ([status, target] of targets.map(
        (each, i) => [[301, 302, 303, 307, 308][i % 5] ?? 302, each] as const,
      ))
        expect(await failure(`http://${host}/`)).toBe(REFUSED)
    }, host)
  })

  test('is refused when a name changes to it: what was checked is what is connected to', async () => {
    const host = web.site(({ url }) =>
      new URL(url).pathname === '/' ? redirect('/again') : new Response('public'),
    )
    const address = web.addressOf(host)
    await untouched(async () => {
      web.name(host, [address], ['127.0.0.1'])
      const looked = web.lookups.length
      expect((await read(`http://${host}/page`)).body.text).toBe('public')
      expect(web.lookups.slice(looked)).toEqual([host])
      web.name(host, [address], ['127.0.0.1'])
      expect(await failure(`http://${host}/`)).toBe(REFUSED)
      web.name(host, [address])
    }, host)
  })

  test('is refused at ports where the web is not served', () =>
    untouched(async () => {
      const host = web.name('ports.test', ['93.184.254.2'])
      for (const port of [1, 22, 25, 3000, 5432, 6379, 65535])
        expect(await failure(`http://${host}:${port}/`)).toBe(REFUSED)
    }))

  test('is fetched at the ports where it is', async () => {
    const host = web.site(() => new Response('served'))
    const address = web.addressOf(host)
    for (const port of [80, 8080, 8443]) {
      web.connections.length = 0
      await read(`http://${host}:${port}/`)
      expect(web.connections).toEqual([`${address} ${port}`])
    }
  })
})

test('a server as it is started refuses its own machine, by every name', async () => {
  await using plain = await startServer()
  const { key } = await newVerifiedUser(plain)
  let connections = 0
  const counting = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  const { port } = counting.address() as { port: number }
  const own = new URL(plain.url).port
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://127.0.0.1:${own}/api/health`,
    'http://localhost/',
    'http://localhost:8080/',
    'http://0.0.0.0:8080/',
    'http://[::1]:8080/',
  ]) {
    const { status, body } = await post(url, key, plain)
    expect([url, status, body]).toEqual([url, 502, { detail: REFUSED }])
  }
  counting.close()
  expect(connections).toBe(0)
})

test('what is no URL of the web is 422, and nothing of it is repeated', async () => {
  for (const [url, type] of [
    ['example.com', 'url_parsing'],
    ['http://', 'url_parsing'],
    ['http://[::1', 'url_parsing'],
    ['http://256.256.256.256/', 'url_parsing'],
    ['ftp://example.com', 'url_scheme'],
    ['file:///etc/passwd', 'url_scheme'],
    ['javascript:alert(1)', 'url_scheme'],
    ['http://name:hush@example.com/', 'value_error'],
    ['', 'string_too_short'],
    [`http://example.com/${'x'.repeat(2048)}`, 'string_too_long'],
    [7, 'string_type'],
    [undefined, 'missing'],
  ] as const) {
    const { status, body, text } = await read(url)
    expect([url, status, body.detail?.[0]?.type, body.detail?.[0]?.loc]).toEqual([
      url,
      422,
      type,
      ['body', 'url'],
    ])
    expect(text).not.toContain('hush')
  }
})

describe('the limiter', () => {
  const many = (times: number, key: string, target = server) =>
    Promise.all(Array.from({ length: times }, () => post('http://127.0.0.1/', key, target)))

  const twoUsers = (target: TestServer) =>
    Promise.all([newVerifiedUser(target), newVerifiedUser(target)])

  const limits = async (
    [user, neighbour]: [TestUser, TestUser],
    target: TestServer,
    other: TestServer,
  ) => {
    const answers = (
      await Promise.all([many(15, user.key, target), many(15, user.accessToken, other)])
    ).flat()
    expect(answers.filter(({ status }) => status === 502)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20)
    for (const { body, headers } of refused) {
      expect(body).toEqual({
        error: 'rate_limited',
        retry_after: expect.any(Number),
        method: 'POST',
      })
      expect(Number.isInteger(body.retry_after)).toBe(true)
      expect(body.retry_after).toBeGreaterThanOrEqual(1)
      expect(body.retry_after).toBeLessThanOrEqual(60)
      expect(headers.get('retry-after')).toBe(String(body.retry_after))
      expect(headers.get('x-request-id')).toBeTruthy()
    }
    expect((await post('http://127.0.0.1/', neighbour.key, target)).status).toBe(502)
  }

  test('lets ten a minute of a user pass, by all credentials together, with its own answer', async () =>
    limits(await twoUsers(server), server, server))

  test.skipIf(databaseKind !== 'postgres')(
    'counts in PostgreSQL for all replicas together',
    async () => {
      const env = { SVC_RATE_LIMIT_STORE: 'postgres', SVC_BASE_URL: 'http://svc.test' }
      await using one = await startServer(env)
      // Either replica may send a mail, so both users are there before the second is.
      const users = await twoUsers(one)
      await using two = await startServer(env, one.database)
      await limits(users, one, two)
    },
  )
})

describe('what was read', () => {
  test('is kept for whoever read it, the newest two hundred', async () => {
    await using restartable = await startRestartable({}, { fetching: web.fetching })
    const user = await newVerifiedUser(restartable.current)
    const host = web.site(() => new Response('the newest page'))
    await restartable.restart(
      `insert into url_snapshots (user_id, hash, url, title, text, created_at)
       select '${user.id}', 'hash ' || n, 'http://x.test', 'x', 'x', now() - n * interval '1 minute'
       from generate_series(1, 250) n`,
    )
    for (let i = 0; i < 2; i++) {
      const { body } = await post(`http://${host}/`, user.key, restartable.current)
      expect(body.text).toBe('the newest page')
    }
    await restartable.current.stop()
    const rows = await runSql(
      restartable.database,
      `select hash, url, title, text from url_snapshots where user_id = '${user.id}' order by created_at desc`,
    )
    expect(rows).toHaveLength(200)
    expect(rows[0]).toEqual({
      hash: createHash('sha256').update('the newest page').digest('hex'),
      url: `http://${host}/`,
      title: host,
      text: 'the newest page',
    })
    expect(rows.at(-1)?.hash).toBe('hash 199')
    await restartable.restart()
  })

  test('stands in no log, nor does where it was found', async () => {
    const host = web.site(() => new Response('confidential words'))
    await read(`http://${host}/confidential-path?token=abc`)
    await failure(`http://${web.name('unseen.test', [])}/confidential-path`)
    expect(server.log.join('')).not.toMatch(/confidential|unseen/)
  })
})

/** The smallest PDF that shows a line (ISO 32000-1, annex H). */
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
