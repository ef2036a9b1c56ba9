import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { newVerifiedUser, runSql, startRestartable } from '../harness/http.ts'
import { quietPort } from '../harness/ports.ts'
import { startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { post, useSites } from './url-support.ts'

const suite = useSites()
const { read, failure } = suite

const respond = (head: string, body = '') => `HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n${body}`
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

const REFUSED = 'There is no public web server at this address'

describe('redirects', () => {
  test('redirects are followed, and the response has the final URL', async () => {
    const target = suite.web.site(({ url }) => new Response(`here is ${new URL(url).search}`))
    const start = suite.web.site(({ url }) =>
      redirect(new URL(url).pathname === '/' ? '/next?a=1' : `http://${target}/end?b=2#part`),
    )
    const { status, body } = await read(`http://${start}/`)
    expect([status, body.text]).toEqual([200, 'here is ?b=2'])
    expect(body.url).toStartWith(`http://${target}/end?b=2`)
  })

  test('redirects are followed five times but not six', async () => {
    const host = suite.web.site(({ url }) => {
      const remaining = Number(new URL(url).pathname.slice(1))
      return remaining > 0 ? redirect(`/${remaining - 1}`) : new Response('arrived')
    })
    expect((await read(`http://${host}/5`)).body.text).toBe('arrived')
    expect(await failure(`http://${host}/6`)).toContain('redirects more than 5 times')
  })
})

describe('502 is returned for a site', () => {
  test('502 is returned for a site with an error status', async () => {
    for (const status of [400, 401, 404, 418, 500, 503]) {
      const host = suite.web.site(() => new Response('sorry', { status }))
      expect(await failure(`http://${host}`)).toBe(`The site answered with status ${status}`)
    }
  })

  test('502 is returned for a site with more than 5 MB, announced, sent or decompressed', async () => {
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
    const announced = suite.web.rawSite((socket) =>
      socket.once('data', () => socket.write(respond(`200 OK\r\nContent-Length: ${tooMany}`))),
    )
    const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024))
    const packed = suite.web.site(
      () => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }),
    )
    for (const host of [announced, suite.web.rawSite(endless), packed])
      expect(await failure(`http://${host}`)).toBe(large)
    const most = suite.web.site(() => new Response('x'.repeat(tooMany - 1)))
    expect((await read(`http://${most}`)).status).toBe(200)
  })

  test('502 is returned for a site that is too slow to answer, to end or to stop redirecting', async () => {
    await using shortTimeout = await startServer({}, undefined, {
      fetching: { ...suite.web.fetching, timeoutMs: 1_000 },
    })
    const { key } = await newVerifiedUser(shortTimeout)
    const silent = suite.web.rawSite(() => {})
    const slow = suite.web.rawSite((socket) => {
      socket.once('data', () => socket.write(respond('200 OK\r\nContent-Length: 100', 'x')))
    })
    const detour = suite.web.site(() => redirect(`http://${silent}/`))
    for (const host of [silent, slow, detour]) {
      const { status, body } = await post(shortTimeout, `http://${host}`, key)
      expect([status, body]).toEqual([502, { detail: 'The site took too long to answer' }])
    }
  })

  test('502 is returned for a site that breaks off or does not speak HTTP', async () => {
    const says = (text: string) =>
      suite.web.rawSite((socket) => socket.once('data', () => socket.end(text)))
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

  test('502 is returned for a site that does not accept connections', async () => {
    const host = suite.web.name('closed.test', ['93.184.255.1'])
    const port = await quietPort()
    await using alone = await startServer({}, undefined, {
      fetching: { ...suite.web.fetching, route: () => ({ host: '127.0.0.1', port }) },
    })
    const { key } = await newVerifiedUser(alone)
    expect((await post(alone, `http://${host}`, key)).body).toEqual({
      detail: 'The site does not accept connections',
    })
  })
})

describe('over TLS', () => {
  test('the certificate must be valid for the requested host', async () => {
    const host = suite.web.secureSite(({ headers }) => new Response(`for ${headers.get('host')}`))
    expect((await read(`https://${host}/`)).body.text).toBe('for secure.test')
    const other = suite.web.secureSite(() => new Response('other host'), 'other.test')
    expect(await failure(`https://${other}/`)).toBe('The site has no valid certificate')
    const address = suite.web.addressOf(host)
    expect(await failure(`https://${address}/`)).toBe('The site has no valid certificate')
  })
})

/** Asserts that the server connected to the sites of the test only. */
const untouched = async (act: () => Promise<void>, ...hosts: string[]) => {
  const before = suite.web.connections.length
  await act()
  const own = hosts.map((host) => suite.web.addressOf(host))
  expect(
    suite.web.connections.slice(before).filter((to) => !own.includes(to.split(' ')[0] ?? '')),
  ).toEqual([])
  expect(suite.web.forbidden()).toBe(0)
}

describe('an address outside of the public internet', () => {
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
    test(`an address outside of the public internet is rejected without a connection: ${spellings.slice(i, i + 10).join(' ')}`, () =>
      untouched(async () => {
        for (const spelling of spellings.slice(i, i + 10))
          expect(await failure(`http://${spelling}/`, 400)).toBe(REFUSED)
      }))

  test('an address outside of the public internet is rejected behind a name, with the same response as a name that does not exist', () =>
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
        expect(await failure(`http://${suite.web.name('inside.test', addresses)}/`, 400)).toBe(
          REFUSED,
        )
      expect(await failure('http://does-not-exist.test/', 400)).toBe(REFUSED)
    }))

  test('an address outside of the public internet is rejected after every kind of redirect', async () => {
    const targets = [
      'http://127.0.0.1/',
      'http://2130706433:8080/',
      'http://[::1]/',
      '//169.254.169.254/latest/meta-data/',
      `http://${suite.web.name('redirected.test', ['10.0.0.1'])}/`,
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
    const host = suite.web.site(() => new Response(null, { status, headers: { location: target } }))
    await untouched(async () => {
      for ([status, target] of targets.map(
        (each, i) => [[301, 302, 303, 307, 308][i % 5] ?? 302, each] as const,
      ))
        expect(await failure(`http://${host}/`, 400)).toBe(REFUSED)
    }, host)
  })

  test('an address outside of the public internet is rejected when a name changes to it: the checked address is the one that is connected to', async () => {
    const host = suite.web.site(({ url }) =>
      new URL(url).pathname === '/' ? redirect('/again') : new Response('public'),
    )
    const address = suite.web.addressOf(host)
    await untouched(async () => {
      suite.web.name(host, [address], ['127.0.0.1'])
      const looked = suite.web.lookups.length
      expect((await read(`http://${host}/page`)).body.text).toBe('public')
      expect(suite.web.lookups.slice(looked)).toEqual([host])
      suite.web.name(host, [address], ['127.0.0.1'])
      expect(await failure(`http://${host}/`, 400)).toBe(REFUSED)
      suite.web.name(host, [address])
    }, host)
  })

  test('an address outside of the public internet is rejected at ports that are not for the web', () =>
    untouched(async () => {
      const host = suite.web.name('ports.test', ['93.184.254.2'])
      for (const port of [1, 22, 25, 3000, 5432, 6379, 65535])
        expect(await failure(`http://${host}:${port}/`, 400)).toBe(REFUSED)
    }))

  test('an address outside of the public internet is fetched at the ports of the web', async () => {
    const host = suite.web.site(() => new Response('served'))
    const address = suite.web.addressOf(host)
    for (const port of [80, 8080, 8443]) {
      suite.web.connections.length = 0
      await read(`http://${host}:${port}/`)
      expect(suite.web.connections).toEqual([`${address} ${port}`])
    }
  })
})

test('a server with its default configuration rejects its own machine by every name', async () => {
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
    const { status, body } = await post(plain, url, key)
    expect([url, status, body]).toEqual([url, 400, { detail: REFUSED }])
  }
  counting.close()
  expect(connections).toBe(0)
})

test('an invalid URL is 422, and the response does not repeat it', async () => {
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

describe('the rate limit', () => {
  const many = (times: number, key: string, target = suite.server) =>
    Promise.all(Array.from({ length: times }, () => post(target, 'http://127.0.0.1/', key)))

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
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
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
    expect((await post(target, 'http://127.0.0.1/', neighbour.key)).status).toBe(400)
  }

  test('the rate limit is ten pages a minute for all credentials of a user, with a response of its own', async () =>
    limits(await twoUsers(suite.server), suite.server, suite.server))

  test('the rate limit is shared by all replicas in PostgreSQL', async () => {
    const env = { SVC_RATE_LIMIT_STORE: 'postgres', SVC_BASE_URL: 'http://svc.test' }
    await using one = await startServer(env)
    // Either replica may send an email, so both users exist before the second replica starts.
    const users = await twoUsers(one)
    await using two = await startServer(env, one.database)
    await limits(users, one, two)
  })
})

describe('the text of a page', () => {
  test('the text of a page is stored for its reader, the newest 200', async () => {
    await using restartable = await startRestartable({}, { fetching: suite.web.fetching })
    const user = await newVerifiedUser(restartable.current)
    const host = suite.web.site(() => new Response('the newest page'))
    await restartable.restart(
      `insert into url_snapshots (user_id, hash, url, title, text, created_at)
       select '${user.id}', 'hash ' || n, 'http://x.test', 'x', 'x', now() - n * interval '1 minute'
       from generate_series(1, 250) n`,
    )
    for (let i = 0; i < 2; i++) {
      const { body } = await post(restartable.current, `http://${host}/`, user.key)
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

  test('the text of a page is not logged, and neither is its URL', async () => {
    const host = suite.web.site(() => new Response('confidential words'))
    await read(`http://${host}/confidential-path?token=abc`)
    await failure(`http://${suite.web.name('unseen.test', [])}/confidential-path`, 400)
    expect(suite.server.log.join('')).not.toMatch(/confidential|unseen/)
  })
})
