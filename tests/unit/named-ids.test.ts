import { expect, test } from 'bun:test'
import { namedIds } from '../../server/memory/recall/named-ids.ts'

test.each([
  'The build takes 12345678 ms on 20261128.',
  'Call 01715551234 or 0049 171 555 1234.',
  'a deadbeef decade of faded facades',
  'commit 8440b79c21c9acb94e22c1a0728d5f9edb77ce17',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'the sum 0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d of 40 digits',
  'id: 550e8400-e29b-41d4-a716-446655440000',
  'color #0a1b2c, or 0a1b2c3',
  'x0a1b2c3d4, 0x0a1b2c3d4 and 0a1b2c3d4z',
  'var_0a1b2c3d4_name',
  'the file 0001-memories-belong-to-an-owner.md',
  '1,048,576 bytes; 0.12345678; 2026-11-28T20:44:13.123Z',
])('a number or a word names no id: %s', (text) => {
  expect(namedIds(text)).toEqual([])
})

test.each([
  ['01a2245f', '01a2245f000000000000000000000000', '01a2245fffffffffffffffffffffffff'],
  ['01a2245f-d5d9', '01a2245fd5d900000000000000000000', '01a2245fd5d9ffffffffffffffffffff'],
  ['01912345', '01912345000000000000000000000000', '01912345ffffffffffffffffffffffff'],
])('the beginning of an id is a range: %s', (text, low, high) => {
  expect(namedIds(text)).toEqual([{ low, high }])
})

test('a text of many ids names five of them, the longest ones first', () => {
  const many = Array.from({ length: 50 }, (_, i) => `01a2245f-d5${10 + i}`)
  expect(namedIds(many.join(' '))).toHaveLength(5)
  expect(namedIds('0'.repeat(60_000))).toEqual([])
  expect(namedIds('0a-'.repeat(20_000))).toEqual([])
})
