import { describe, expect, test } from 'bun:test'
import { lastBy, periodIn } from '../../server/memory/facts/rules/index.ts'

describe('how often something comes again is read from', () => {
  for (const [text, period] of [
    ['take my pills every day', 'day'],
    ['lock the door every evening', 'day'],
    ['take out the bins Every Monday', 'week'],
    ['call Ana every week, please', 'week'],
    ['die Miete jeden Monat', 'month'],
    ['tomar las pastillas todos los días', 'day'],
    ['sortir les poubelles chaque lundi', 'week'],
    ['renew it each year', 'year'],
    ['call Ana', undefined],
    ['water every plant', undefined],
    ['take it every other day', undefined],
    ['talk about everyday life', undefined],
  ] as const)
    test(text, () => expect(periodIn(text)).toBe(period))
})

describe('it came last', () => {
  for (const [first, period, now, last] of [
    ['2026-01-05T09:00Z', 'week', '2026-01-05T09:00Z', '2026-01-05T09:00Z'],
    ['2026-01-05T09:00Z', 'week', '2026-01-12T08:59Z', '2026-01-05T09:00Z'],
    ['2026-01-05T09:00Z', 'week', '2026-12-01T00:00Z', '2026-11-30T09:00Z'],
    ['2026-01-05T09:00Z', 'day', '2026-03-01T09:00Z', '2026-03-01T09:00Z'],
    ['2026-01-31T09:00Z', 'month', '2026-03-01T00:00Z', '2026-02-28T09:00Z'],
    ['2026-01-31T09:00Z', 'month', '2026-03-31T10:00Z', '2026-03-31T09:00Z'],
    ['2024-02-29T09:00Z', 'year', '2026-12-01T00:00Z', '2026-02-28T09:00Z'],
    ['2026-01-05T09:00Z', 'day', '2025-01-01T00:00Z', '2026-01-05T09:00Z'],
  ] as const)
    test(`each ${period} from ${first} on, by ${now}, at ${last}`, () => {
      expect(lastBy(new Date(first), period, new Date(now))).toEqual(new Date(last))
    })
})
