import { describe, expect, test } from 'bun:test'
import { isPublicAddress } from '../../server/platform/fetch/fetcher.ts'

describe('isPublicAddress is true for', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])
    test(address, () => expect(isPublicAddress(address)).toBe(true))
})

describe('isPublicAddress is false for', () => {
  for (const [what, addresses] of Object.entries({
    'this network': ['0.0.0.0', '0.1.2.3'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    'link-local, with the metadata of clouds': ['169.254.169.254', '169.254.0.1', 'fe80::1'],
    'carrier-grade NAT': ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
    multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
    'reserved or broadcast': ['240.0.0.1', '255.255.255.255', '192.0.0.1', '4000::1', 'e000::1'],
    'set aside for documentation': [
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '2001:db8::1',
      '3fff::1',
    ],
    benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
    unspecified: ['::'],
    'unique local and site-local': ['fc00::1', 'fd00:ec2::254', 'fec0::1'],
    'IPv4 in IPv6, mapped or compatible': [
      '::ffff:1.1.1.1',
      '::ffff:7f00:1',
      '::1.1.1.1',
      '::7f00:1',
    ],
    'IPv4 in IPv6, by way of a translator or tunnel': [
      '64:ff9b::7f00:1',
      '64:ff9b:1::a00:1',
      '2002:7f00:1::',
      '2001:0:1::1',
      '::ffff:0:7f00:1',
    ],
    'the host of Azure': ['168.63.129.16'],
    'with a zone': ['fe80::1%eth0', '2606:4700:4700::1111%eth0'],
    'no address': [
      '',
      'localhost',
      '1.1.1',
      '1.1.1.1.1',
      '256.1.1.1',
      '1.1.1.1/8',
      ':::',
      '1.1.1.1 ',
    ],
    'another way to write numbers': ['0x7f.1', '2130706433', '017700000001', '01.01.01.01'],
  }))
    test(what, () => {
      for (const address of addresses)
        expect([address, isPublicAddress(address)]).toEqual([address, false])
    })
})
