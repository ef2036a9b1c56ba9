import { describe, expect, test } from 'bun:test'
import { lastOccurrence, periodIn } from '../../server/memory/facts/rules/recurrence.ts'

describe('a recurrence is read from', () => {
  for (const [text, period] of [
    ['take my pills every day', '1 day'],
    ['lock the door every evening', '1 day'],
    ['take out the bins Every Monday', '1 week'],
    ['call Ana every week, please', '1 week'],
    ['die Miete jeden Monat', '1 month'],
    ['tomar las pastillas todos los días', '1 day'],
    ['sortir les poubelles chaque lundi', '1 week'],
    ['faire les comptes toutes les semaines', '1 week'],
    ['renew it each year', '1 year'],
    ['take it every other day', '2 day'],
    ['take it every two days.', '2 day'],
    ['water the cactus every 10 days', '10 day'],
    ['paint every other evening', '2 day'],
    ['take out the bins every two weeks', '2 week'],
    ['take out the bins Every Second Monday', '2 week'],
    ['take out the bins every 2nd Monday', '2 week'],
    ['water the cactus every fortnight', '2 week'],
    ['change the filter every 3 months', '3 month'],
    ['change the filter each third month', '3 month'],
    ['see a dentist every other year', '2 year'],
    ['stand up every weekday', '1 weekday'],
    ['stand up each working day', '1 weekday'],
    ['die Mülltonnen alle zwei Wochen', '2 week'],
    ['die Mülltonnen alle 14 Tage', '14 day'],
    ['die Mülltonnen jeden zweiten Montag', '2 week'],
    ['gießen jede 2. Woche', '2 week'],
    ['den Filter alle drei Monate', '3 month'],
    ['aufstehen jeden Werktag', '1 weekday'],
    ['sacar la basura cada dos semanas', '2 week'],
    ['cambiar el filtro cada 3 meses', '3 month'],
    ['regar cada segundo lunes', '2 week'],
    ['regar cada quince días', '14 day'],
    ['levantarme todos los días laborables', '1 weekday'],
    ['sortir les poubelles toutes les deux semaines', '2 week'],
    ['sortir les poubelles un lundi sur deux', '2 week'],
    ['arroser un jour sur trois', '3 day'],
    ['arroser tous les quinze jours', '14 day'],
    ['changer le filtre tous les trois mois', '3 month'],
    ['me lever chaque jour ouvré', '1 weekday'],
    ['call Ana', undefined],
    ['water every plant', undefined],
    ['water every second plant', undefined],
    ['take it every four hours', undefined],
    ['meet every second Monday of the month', undefined],
    ['run every 0 days', undefined],
    ['talk about everyday life', undefined],
  ] as const)
    test(text, () => {
      const found = periodIn(text)
      expect(found && `${found.every} ${found.unit}`).toBe(period)
    })
})

describe('the last occurrence of a recurrence', () => {
  for (const [first, every, unit, now, last] of [
    ['2026-01-05T09:00Z', 1, 'week', '2026-01-05T09:00Z', '2026-01-05T09:00Z'],
    ['2026-01-05T09:00Z', 1, 'week', '2026-01-12T08:59Z', '2026-01-05T09:00Z'],
    ['2026-01-05T09:00Z', 1, 'week', '2026-12-01T00:00Z', '2026-11-30T09:00Z'],
    ['2026-01-05T09:00Z', 1, 'day', '2026-03-01T09:00Z', '2026-03-01T09:00Z'],
    ['2026-01-31T09:00Z', 1, 'month', '2026-03-01T00:00Z', '2026-02-28T09:00Z'],
    ['2026-01-31T09:00Z', 1, 'month', '2026-03-31T10:00Z', '2026-03-31T09:00Z'],
    ['2024-02-29T09:00Z', 1, 'year', '2026-12-01T00:00Z', '2026-02-28T09:00Z'],
    ['2026-01-05T09:00Z', 1, 'day', '2025-01-01T00:00Z', '2026-01-05T09:00Z'],
    ['2026-01-05T09:00Z', 2, 'day', '2026-01-08T23:00Z', '2026-01-07T09:00Z'],
    ['2026-01-05T09:00Z', 2, 'week', '2026-02-01T23:00Z', '2026-01-19T09:00Z'],
    ['2026-01-31T09:00Z', 3, 'month', '2026-07-01T00:00Z', '2026-04-30T09:00Z'],
    ['2024-02-29T09:00Z', 2, 'year', '2027-12-01T00:00Z', '2026-02-28T09:00Z'],
    // Monday to Friday.
    ['2026-01-05T09:00Z', 1, 'weekday', '2026-01-09T09:00Z', '2026-01-09T09:00Z'],
    ['2026-01-05T09:00Z', 1, 'weekday', '2026-01-12T08:59Z', '2026-01-09T09:00Z'],
    ['2026-01-05T09:00Z', 1, 'weekday', '2026-01-12T09:00Z', '2026-01-12T09:00Z'],
    ['2026-01-03T09:00Z', 1, 'weekday', '2026-01-05T09:00Z', '2026-01-05T09:00Z'],
    ['2026-01-05T09:00Z', 1, 'weekday', '2036-01-06T00:00Z', '2036-01-04T09:00Z'],
    ['2036-01-05T09:00Z', 1, 'weekday', '2036-01-06T00:00Z', '2036-01-05T09:00Z'],
  ] as const)
    test(`every ${every} ${unit}s from ${first} on, by ${now}, at ${last}`, () => {
      const found = lastOccurrence(new Date(first), { unit, every }, new Date(now), 'UTC')
      expect(found.toISOString()).toBe(new Date(last).toISOString())
    })
})
