import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseInstant } from '../../shared/contract/common.ts'

const read = (text: string) => parseInstant(text)?.toISOString()

describe('an instant in ISO 8601', () => {
  test('an instant is read in UTC, with an offset, or as a date alone', () => {
    expect(read('2026-01-31T09:30:00.000Z')).toBe('2026-01-31T09:30:00.000Z')
    expect(read('2026-01-31T09:30:00+02:00')).toBe('2026-01-31T07:30:00.000Z')
    expect(read('2026-01-31T09:30:00-05:30')).toBe('2026-01-31T15:00:00.000Z')
    expect(read('2026-01-31t09:30z')).toBe('2026-01-31T09:30:00.000Z')
    expect(read('2026-01-31 09:30')).toBe('2026-01-31T09:30:00.000Z')
    expect(read('2026-01-31')).toBe('2026-01-31T00:00:00.000Z')
    expect(read('2024-02-29')).toBe('2024-02-29T00:00:00.000Z')
    expect(read('2026-01-31T09:30:00.123456789Z')).toBe('2026-01-31T09:30:00.123Z')
  })

  for (const text of [
    '',
    'now',
    '2026',
    '2026-1-31',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:61Z',
    '2026-01-31T09:30:00+25:00',
    '2026-01-31T09:30:00.Z',
    '2026-01-31T09:30:00 Z',
    '2026-01-31Z',
    '2026-01-31T09:30:00Z\n',
    '1769851800',
    '+002026-01-31T09:30:00Z',
  ])
    test(`${JSON.stringify(text)} is no instant`, () => expect(parseInstant(text)).toBeUndefined())

  test('every instant that svc prints can be read', () => {
    const instants = fc.date({
      min: new Date('0100-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    })
    fc.assert(fc.property(instants, (date) => read(date.toISOString()) === date.toISOString()))
  })
})
