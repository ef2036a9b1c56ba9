import { describe, expect, test } from 'bun:test'
import { clientAddress, limiterKey } from '../../server/platform/http/address.ts'

describe('a client’s address', () => {
  const behind = clientAddress(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7'])

  test('a client’s address is that of the socket, unless a trusted proxy forwards the request', () => {
    expect(clientAddress([])('198.51.100.1', '203.0.113.9')).toBe('198.51.100.1')
    expect(behind('198.51.100.1', '203.0.113.9')).toBe('198.51.100.1')
    expect(behind('10.1.2.3', null)).toBe('10.1.2.3')
  })

  test('a client’s address is the last forwarded address that is not a trusted proxy', () => {
    expect(behind('10.1.2.3', '203.0.113.9')).toBe('203.0.113.9')
    expect(behind('192.0.2.7', '203.0.113.9')).toBe('203.0.113.9')
    expect(behind('2001:db8:1::5', '203.0.113.9')).toBe('203.0.113.9')
    expect(behind('10.1.2.3', '1.1.1.1, 203.0.113.9 ,10.9.9.9')).toBe('203.0.113.9')
    expect(behind('10.1.2.3', '1.1.1.1, 10.9.9.9')).toBe('1.1.1.1')
    expect(behind('10.1.2.3', '10.9.9.9')).toBe('10.9.9.9')
  })

  test('a client’s address is that of the proxy if the header has an invalid address', () => {
    for (const header of ['', 'unknown', '203.0.113.9, unknown', '999.1.1.1', '<script>'])
      expect(behind('10.1.2.3', header)).toBe('10.1.2.3')
  })

  test('a client’s address is IPv4 if a dual-stack socket reports it as IPv6', () => {
    expect(behind('::ffff:198.51.100.1', null)).toBe('198.51.100.1')
    expect(behind('::ffff:10.1.2.3', '::ffff:203.0.113.9')).toBe('203.0.113.9')
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
