import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { factsIn } from '../../server/memory/facts/rules/index.ts'
import { lastOccurrence } from '../../server/memory/facts/rules/recurrence.ts'
import {
  dayAt,
  instantAt,
  minuteAt,
  timezoneNamed,
  wallClock,
} from '../../server/platform/timezone.ts'

/** A Friday: 11:00 in Berlin, 19:00 in Tokyo, 5:00 in New York. */
const OCCURRED_AT = '2026-03-06T10:00:00.000Z'

const reminderIn = (text: string, timezone: string, occurredAt = OCCURRED_AT) => {
  const facts = factsIn(text, {
    author: null,
    occurredAt: new Date(occurredAt),
    now: new Date('2030-01-01'),
    timezone,
  })
  expect(facts.map(({ kind }) => kind)).toEqual(['reminder'])
  const [fact] = facts
  return { value: fact?.value, dueAt: fact?.dueAt?.toISOString(), timezone: fact?.timezone }
}

describe('a reminder is due in the time zone of its author', () => {
  for (const [text, timezone, dueAt, occurredAt] of [
    ['Remind me tomorrow at 9 to call Ada.', 'UTC', '2026-03-07T09:00:00.000Z'],
    ['Remind me tomorrow at 9 to call Ada.', 'Europe/Berlin', '2026-03-07T08:00:00.000Z'],
    ['Remind me tomorrow at 9 to call Ada.', 'America/New_York', '2026-03-07T14:00:00.000Z'],
    ['Remind me tomorrow at 9 to call Ada.', 'Asia/Kathmandu', '2026-03-07T03:15:00.000Z'],
    ['Remind me tomorrow to call Ada.', 'Asia/Tokyo', '2026-03-07T00:00:00.000Z'],
    ['I need to call Ada by Monday.', 'Asia/Tokyo', '2026-03-09T00:00:00.000Z'],
    [
      'Erinnere mich morgen um 9 daran, Ada anzurufen.',
      'Europe/Berlin',
      '2026-03-07T08:00:00.000Z',
    ],
    ['Recuérdame mañana a las 9 llamar a Ada.', 'America/Lima', '2026-03-07T14:00:00.000Z'],
    ["Rappelle-moi demain à 9h d'appeler Ada.", 'Europe/Paris', '2026-03-07T08:00:00.000Z'],
    // A date without a time is the same date in every time zone.
    [
      'Remind me tomorrow to call Ada.',
      'America/New_York',
      '2026-03-07T14:00:00.000Z',
      '2026-03-06T00:00:00.000Z',
    ],
    [
      'Remind me tomorrow to call Ada.',
      'Asia/Tokyo',
      '2026-03-07T00:00:00.000Z',
      '2026-03-06T00:00:00.000Z',
    ],
    // It is already Saturday there, or still Thursday.
    [
      'Remind me tomorrow to call Ada.',
      'Asia/Tokyo',
      '2026-03-08T00:00:00.000Z',
      '2026-03-06T20:00Z',
    ],
    [
      'Remind me on the 7th to call Ada.',
      'Asia/Tokyo',
      '2026-03-07T00:00:00.000Z',
      '2026-03-06T14:00Z',
    ],
    [
      'Remind me tomorrow to call Ada.',
      'America/New_York',
      '2026-03-06T14:00:00.000Z',
      '2026-03-06T03:00Z',
    ],
    ['Remind me tonight to call Ada.', 'Asia/Tokyo', '2026-03-06T11:00:00.000Z'],
    ['Remind me tonight to call Ada.', 'UTC', '2026-03-06T22:00:00.000Z', '2026-03-06T20:30Z'],
    // 9:00 has passed there, so the reminder is due at once.
    ['Remind me today to call Ada.', 'Europe/Berlin', '2026-03-06T10:00:00.000Z'],
    ['Remind me today to call Ada.', 'America/New_York', '2026-03-06T14:00:00.000Z'],
    // Without am or pm: the next such hour, or on another day the more likely one.
    ['Remind me at 8 to call Ada.', 'Europe/Berlin', '2026-03-06T19:00:00.000Z'],
    ['Remind me at 8 to call Ada.', 'UTC', '2026-03-07T08:00:00.000Z', '2026-03-06T21:00Z'],
    ['Remind me at 12 to call Ada.', 'UTC', '2026-03-06T12:00:00.000Z'],
    ['Remind me today at 5 to call Ada.', 'UTC', '2026-03-06T17:00:00.000Z'],
    ['Remind me tomorrow at 5 to call Ada.', 'UTC', '2026-03-07T17:00:00.000Z'],
    ['Remind me tomorrow at 7 to call Ada.', 'UTC', '2026-03-07T07:00:00.000Z'],
    ['Remind me tomorrow at 05:00 to call Ada.', 'UTC', '2026-03-07T05:00:00.000Z'],
    ['Remind me at 5 in the morning to call Ada.', 'UTC', '2026-03-07T05:00:00.000Z'],
    ['Remind me every day at 5 to call Ada.', 'UTC', '2026-03-06T17:00:00.000Z'],
    ['Remind me every morning at 6 to call Ada.', 'UTC', '2026-03-07T06:00:00.000Z'],
    // A part of the day is the next one.
    ['Remind me this afternoon to call Ada.', 'UTC', '2026-03-06T15:00:00.000Z'],
    ['Remind me in the evening to call Ada.', 'UTC', '2026-03-06T20:00:00.000Z'],
    ['Remind me in the morning to call Ada.', 'UTC', '2026-03-07T09:00:00.000Z'],
    // Durations in hours ignore daylight saving time.
    ['Remind me in 3 hours to call Ada.', 'Asia/Tokyo', '2026-03-06T13:00:00.000Z'],
    [
      'Remind me in 3 hours to call Ada.',
      'Europe/Berlin',
      '2026-03-29T03:30:00.000Z',
      '2026-03-29T00:30Z',
    ],
    [
      'Remind me in 3 hours to call Ada.',
      'Europe/Berlin',
      '2026-10-25T03:30:00.000Z',
      '2026-10-25T00:30Z',
    ],
    [
      'Remind me in 1 hour to call Ada.',
      'Europe/Berlin',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T00:30Z',
    ],
    [
      'Remind me in 20 minutes to call Ada.',
      'Europe/Berlin',
      '2026-10-25T01:10:00.000Z',
      '2026-10-25T00:50Z',
    ],
    // 9:00 local time after daylight saving time begins and ends.
    [
      'Remind me tomorrow at 9 to call Ada.',
      'Europe/Berlin',
      '2026-03-29T07:00:00.000Z',
      '2026-03-28T10:00Z',
    ],
    [
      'Remind me tomorrow at 9 to call Ada.',
      'Europe/Berlin',
      '2026-10-25T08:00:00.000Z',
      '2026-10-24T10:00Z',
    ],
    ['Remind me on 3 July at 9 to call Ada.', 'Europe/Berlin', '2026-07-03T07:00:00.000Z'],
    // 2:30 does not exist in one of the nights and exists twice in the other.
    [
      'Remind me tomorrow at 2:30 am to call Ada.',
      'Europe/Berlin',
      '2026-03-29T01:30:00.000Z',
      '2026-03-28T10:00Z',
    ],
    [
      'Remind me tomorrow at 2:30 am to call Ada.',
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
      '2026-10-24T10:00Z',
    ],
    // A named time zone overrides the author’s.
    ['Remind me tomorrow at 9am PST to call Ada.', 'Europe/Berlin', '2026-03-07T17:00:00.000Z'],
    ['Remind me tomorrow at 3pm UTC to call Ada.', 'Asia/Tokyo', '2026-03-07T15:00:00.000Z'],
    ['Remind me tomorrow at 9 CET to call Ada.', 'America/New_York', '2026-03-07T08:00:00.000Z'],
  ] as const)
    test(`${text} (${timezone}, ${occurredAt ?? OCCURRED_AT})`, () => {
      expect(reminderIn(text, timezone, occurredAt)).toMatchObject({ dueAt, timezone })
    })
})

describe('the first due time of a repeating reminder', () => {
  for (const [text, value, dueAt] of [
    ['Remind me every day to stretch.', 'stretch every day', '2026-03-07T08:00:00.000Z'],
    [
      'Remind me every evening at 8 to stretch.',
      'stretch every evening',
      '2026-03-06T19:00:00.000Z',
    ],
    ['Remind me every Monday to stretch.', 'stretch every Monday', '2026-03-09T08:00:00.000Z'],
    [
      'Remind me every other day to stretch.',
      'stretch every other day',
      '2026-03-08T08:00:00.000Z',
    ],
    [
      'Remind me every two weeks to stretch.',
      'stretch every two weeks',
      '2026-03-20T08:00:00.000Z',
    ],
    [
      'Remind me to stretch every two weeks on Monday.',
      'stretch every two weeks',
      '2026-03-09T08:00:00.000Z',
    ],
    [
      'Remind me to stretch every two weeks starting tomorrow at 7.',
      'stretch every two weeks',
      '2026-03-07T06:00:00.000Z',
    ],
    [
      'Every two weeks, remind me to stretch.',
      'stretch every two weeks',
      '2026-03-20T08:00:00.000Z',
    ],
    [
      'Remind me every second Monday at 10 to stretch.',
      'stretch every second Monday',
      '2026-03-09T09:00:00.000Z',
    ],
    // Daylight saving time has begun by then.
    ['Remind me every 3 months to stretch.', 'stretch every 3 months', '2026-06-06T07:00:00.000Z'],
    ['Remind me every weekday to stretch.', 'stretch every weekday', '2026-03-09T08:00:00.000Z'],
    [
      'Remind me every weekday at 17:00 to stretch.',
      'stretch every weekday',
      '2026-03-06T16:00:00.000Z',
    ],
    [
      'Remind me every weekday at 8 to stretch.',
      'stretch every weekday',
      '2026-03-09T07:00:00.000Z',
    ],
    [
      'Note to self: stretch every second Sunday.',
      'stretch every second Sunday',
      '2026-03-08T08:00:00.000Z',
    ],
    [
      'Erinnere mich alle zwei Wochen daran, den Müll rauszubringen.',
      'den Müll rauszubringen alle zwei Wochen',
      '2026-03-20T08:00:00.000Z',
    ],
    [
      'Erinnere mich jeden zweiten Montag an den Müll.',
      'an den Müll jeden zweiten Montag',
      '2026-03-09T08:00:00.000Z',
    ],
    [
      'Erinnere mich jeden Werktag ans Dehnen.',
      'ans Dehnen jeden Werktag',
      '2026-03-09T08:00:00.000Z',
    ],
    [
      'Recuérdame cada dos semanas regar las plantas.',
      'regar las plantas cada dos semanas',
      '2026-03-20T08:00:00.000Z',
    ],
    [
      'Recuérdame cada 3 meses cambiar el filtro.',
      'cambiar el filtro cada 3 meses',
      '2026-06-06T07:00:00.000Z',
    ],
    [
      "Rappelle-moi toutes les deux semaines d'appeler Ada.",
      'appeler Ada toutes les deux semaines',
      '2026-03-20T08:00:00.000Z',
    ],
    [
      "Rappelle-moi un lundi sur deux d'appeler Ada.",
      'appeler Ada un lundi sur deux',
      '2026-03-09T08:00:00.000Z',
    ],
  ] as const)
    test(text, () =>
      expect(reminderIn(text, 'Europe/Berlin')).toEqual({
        value,
        dueAt,
        timezone: 'Europe/Berlin',
      }),
    )
})

test('an appointment keeps its day and hour in the time zone of its author', () => {
  const read = (timezone: string) =>
    factsIn('My flight is on 5 May at 1am.', {
      author: null,
      occurredAt: new Date(OCCURRED_AT),
      now: new Date(OCCURRED_AT),
      timezone,
    }).map(({ value }) => value)
  expect(read('UTC')).toEqual(['2026-05-05T01:00Z'])
  expect(read('Europe/Berlin')).toEqual(['2026-05-05T01:00+02:00'])
  expect(read('America/St_Johns')).toEqual(['2026-05-05T01:00-02:30'])
})

describe('a repeating reminder keeps its local hour', () => {
  for (const [what, first, every, unit, zone, now, last] of [
    [
      'after daylight saving time begins',
      '2026-03-23T08:00Z',
      1,
      'week',
      'Europe/Berlin',
      '2026-03-31T00:00Z',
      '2026-03-30T07:00Z',
    ],
    [
      'on the day on which it begins',
      '2026-03-28T08:00Z',
      1,
      'day',
      'Europe/Berlin',
      '2026-03-29T07:00Z',
      '2026-03-29T07:00Z',
    ],
    [
      'not an hour early on the day on which it ends',
      '2026-10-24T07:00Z',
      1,
      'day',
      'Europe/Berlin',
      '2026-10-25T07:59Z',
      '2026-10-24T07:00Z',
    ],
    [
      'after daylight saving time ends',
      '2026-10-24T07:00Z',
      1,
      'day',
      'Europe/Berlin',
      '2026-10-25T08:00Z',
      '2026-10-25T08:00Z',
    ],
    [
      'in winter',
      '2026-07-01T07:00Z',
      3,
      'month',
      'Europe/Berlin',
      '2027-02-01T00:00Z',
      '2027-01-01T08:00Z',
    ],
  ] as const)
    test(what, () => {
      const found = lastOccurrence(new Date(first), { unit, every }, new Date(now), zone)
      expect(found.toISOString()).toBe(new Date(last).toISOString())
    })
})

describe('a time zone', () => {
  for (const [name, known] of [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['UTC', 'UTC'],
    ['+02:00', undefined],
    ['Mars/Olympus', undefined],
    ['Etc/Unknown', undefined],
    ['', undefined],
    [' ', undefined],
    ["Europe/Berlin'; drop table users", undefined],
    [`Europe/${'x'.repeat(10_000)}`, undefined],
  ] as const)
    test(`${JSON.stringify(name.slice(0, 40))} is ${known ?? 'none'}`, () =>
      expect(timezoneNamed(name)).toBe(known))

  test('converting an instant to a time zone and back returns it', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const instants = fc.date({
      min: new Date('1975-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const there = instantAt(wallClock(instant, zone), zone)
        // An hour that exists twice means the first one.
        expect(wallClock(there, zone)).toEqual(wallClock(instant, zone))
        expect(there.getTime()).toBeLessThanOrEqual(instant.getTime())
        expect(dayAt(instant, zone)).toBe(minuteAt(instant, zone).slice(0, 10))
        const restMs = instant.getTime() - Date.parse(minuteAt(instant, zone))
        expect(restMs).toBe(instant.getTime() % 60_000)
      }),
      { numRuns: 300 },
    )
  })
})
