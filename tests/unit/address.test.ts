import { describe, expect, test } from 'bun:test'
import { clientAddress, limiterKey } from '../../server/platform/http/address.ts'

describe('a client’s address', () => {
  const PROXIES = ['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7']
  const behind = clientAddress(PROXIES)
  const forwardedFor = (value: string) => new Headers({ 'x-forwarded-for': value })
  const forwarded = (value: string) => new Headers({ forwarded: value })
  const none = new Headers()

  test('a client’s address is that of the socket, unless a trusted proxy forwards the request', () => {
    for (const headers of [forwardedFor('203.0.113.9'), forwarded('for=203.0.113.9')]) {
      expect(clientAddress([])('198.51.100.1', headers)).toBe('198.51.100.1')
      expect(behind('198.51.100.1', headers)).toBe('198.51.100.1')
    }
    expect(behind('10.1.2.3', none)).toBe('10.1.2.3')
  })

  test('a client’s address is the last forwarded address that is not a trusted proxy', () => {
    expect(behind('192.0.2.7', forwardedFor('203.0.113.9'))).toBe('203.0.113.9')
    expect(behind('2001:db8:1::5', forwardedFor('203.0.113.9'))).toBe('203.0.113.9')
    for (const [hops, client] of [
      [['203.0.113.9'], '203.0.113.9'],
      [['1.1.1.1', '203.0.113.9', '10.9.9.9'], '203.0.113.9'],
      [['1.1.1.1', '10.9.9.9'], '1.1.1.1'],
      [['10.9.9.9'], '10.9.9.9'],
    ] as const) {
      expect(behind('10.1.2.3', forwardedFor(hops.join(' ,')))).toBe(client)
      expect(behind('10.1.2.3', forwarded(hops.map((hop) => `for=${hop}`).join(', ')))).toBe(client)
    }
  })

  for (const [written, client] of [
    ['203.0.113.9:5678', '203.0.113.9'],
    ['203.0.113.9:_port', '203.0.113.9'],
    ['"203.0.113.9:5678"', '203.0.113.9'],
    ['" 203.0.113.9 "', '203.0.113.9'],
    ['[203.0.113.9]', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:1234', '2001:db8::1'],
    ['"[2001:db8::1]"', '2001:db8::1'],
    ['"[2001:db8::1]:1234"', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
    ['"[::ffff:203.0.113.9]:80"', '203.0.113.9'],
    ['"[::1]"', '::1'],
  ] as const)
    test(`a client’s address is ${client} where a proxy writes ${written}`, () => {
      expect(behind('10.1.2.3', forwardedFor(written))).toBe(client)
      expect(behind('10.1.2.3', forwardedFor(`, 9.9.9.9, ,${written} ,10.0.0.1:80,, `))).toBe(
        client,
      )
      expect(behind('10.1.2.3', forwarded(`for=${written}`))).toBe(client)
      expect(
        behind('10.1.2.3', forwarded(`for=9.9.9.9,, proto=https; For=${written};by="[::2]",`)),
      ).toBe(client)
    })

  for (const written of [
    ...['', 'unknown', '203.0.113.9, unknown', '203.0.113.9, _hidden', '203.0.113.9, "unknown:80"'],
    ...['999.1.1.1', '<script>', '1.2.3.4:', '1.2.3.4:123456', '[::1', '::1]:80', '1.2.3.4.5'],
  ])
    test(`a client’s address is that of the proxy where the header is “${written}”`, () => {
      expect(behind('10.1.2.3', forwardedFor(written))).toBe('10.1.2.3')
      const elements = written.split(', ').map((hop) => `for=${hop}`)
      expect(behind('10.1.2.3', forwarded(elements.join(', ')))).toBe('10.1.2.3')
    })

  test('a client’s address is that of the proxy where an element of Forwarded has none', () => {
    expect(behind('10.1.2.3', forwarded('for=1.1.1.1, proto=https'))).toBe('10.1.2.3')
    expect(behind('10.1.2.3', forwarded('203.0.113.9'))).toBe('10.1.2.3')
  })

  test('a client’s address is the one that the proxy appended to quotes that do not end', () => {
    for (const sent of ['for="', 'for="x', 'host="a, for=9.9.9.9', 'for="9.9.9.9;by="a", x="'])
      for (const appended of ['for=203.0.113.9', 'for="203.0.113.9:80";host="a"'])
        expect(behind('10.1.2.3', forwarded(`${sent}, ${appended}`))).toBe('203.0.113.9')
  })

  test('a client’s address is read over commas in quotes', () => {
    const header = 'for=203.0.113.9;host="a, for=9.9.9.9"'
    expect(behind('10.1.2.3', forwarded(header))).toBe('203.0.113.9')
  })

  test('a client’s address is that of X-Forwarded-For where a request has Forwarded, too', () => {
    const both = new Headers({ 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.7' })
    expect(behind('10.1.2.3', both)).toBe('203.0.113.9')
    expect(clientAddress(PROXIES, 'x-forwarded-for')('10.1.2.3', both)).toBe('203.0.113.9')
    expect(clientAddress(PROXIES, 'forwarded')('10.1.2.3', both)).toBe('203.0.113.7')
  })

  test('a client’s address is not read from a header that the proxies do not set', () => {
    const onlyOther = clientAddress(PROXIES, 'x-forwarded-for')
    expect(onlyOther('10.1.2.3', forwarded('for=203.0.113.9'))).toBe('10.1.2.3')
    const onlyForwarded = clientAddress(PROXIES, 'forwarded')
    expect(onlyForwarded('10.1.2.3', forwardedFor('203.0.113.9'))).toBe('10.1.2.3')
  })

  test('a client’s address is read over several lines of a header', () => {
    const lines = new Headers([
      ['x-forwarded-for', '1.1.1.1'],
      ['x-forwarded-for', '203.0.113.9:80'],
      ['x-forwarded-for', '10.9.9.9'],
    ])
    expect(behind('10.1.2.3', lines)).toBe('203.0.113.9')
  })

  test('a client’s address is IPv4 if a dual-stack socket reports it as IPv6', () => {
    expect(behind('::ffff:198.51.100.1', none)).toBe('198.51.100.1')
    expect(behind('::ffff:10.1.2.3', forwardedFor('203.0.113.9'))).toBe('203.0.113.9')
  })
})

describe('rate limits count', () => {
  test('rate limits count an IPv4 address by itself', () => {
    expect(limiterKey('198.51.100.1')).toBe('198.51.100.1')
  })

  test('rate limits count an IPv6 address by its /64, however it is written', () => {
    const written = [
      '2001:db8:0:1::',
      '2001:db8::1:0:0:0:1',
      '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
      '2001:db8:0:1::198.51.100.1',
      '2001:db8:0:1::1%eth0',
    ]
    expect(new Set(written.map(limiterKey))).toEqual(new Set(['2001:db8:0:1::/64']))
    expect(limiterKey('2001:db8:0:2::1')).not.toBe(limiterKey('2001:db8:0:1::1'))
    expect(limiterKey('::1')).toBe('0:0:0:0::/64')
  })
})
