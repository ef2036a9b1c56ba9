import { expect, test } from 'bun:test'
import { parseDateMentions } from '../../server/memory/recall/dates.ts'

/** A Wednesday. */
const now = new Date('2024-03-13T12:00:00Z')
const spans = (question: string) =>
  parseDateMentions(question, now).map((date) =>
    'from' in date ? `${date.from?.slice(0, 10) ?? ''}/${date.to?.slice(0, 10) ?? ''}` : date,
  )

test('a day, a week and a month are read as the whole period', () => {
  expect(spans('What did I eat on 5 January 2023?')).toEqual(['2023-01-05/2023-01-06'])
  expect(spans('Whom did I meet yesterday?')).toEqual(['2024-03-12/2024-03-13'])
  expect(spans('What happened last week?')).toEqual(['2024-03-04/2024-03-11'])
  expect(spans('Which books did I read in June 2023?')).toEqual(['2023-06-01/2023-07-01'])
})

test('a day of the week is the most recent one', () => {
  expect(spans('Whom did I see on Friday?')).toEqual(['2024-03-08/2024-03-09'])
})

test('a day or month without a year matches every year', () => {
  expect(spans('Who came on 4 May?')).toEqual([{ month: 5, day: 4 }])
  expect(spans('Where were we in July?')).toEqual([{ month: 7, day: null }])
})

test.each([
  'What did we plan for next year?',
  'Where did she live four years ago?',
  'What did I read in 2022?',
  'Is it raining now?',
  'Who rented the boat for two weeks?',
  'Who sat in the sun?',
])('what names no day, week or month is no date: %s', (question) => {
  expect(spans(question)).toEqual([])
})

test('a week of a month is seven days of it', () => {
  expect(spans('Where was he in the last week of August 2023?')).toEqual(['2023-08-25/2023-09-01'])
})

test('a range is read as the whole period, in the last year in which it began', () => {
  expect(spans('What did I do between May and July?')).toEqual(['2023-05-01/2023-08-01'])
  expect(spans('Who called between 3 May 2022 and 5 May 2022?')).toEqual(['2022-05-03/2022-05-06'])
  expect(spans('What did I cook in the first week of January?')).toEqual(['2024-01-01/2024-01-08'])
})

test('a time before or after a date is open on one side', () => {
  expect(spans('Where was I before May 2023?')).toEqual(['/2023-05-01'])
  expect(spans('Where did I go after 4 March?')).toEqual(['2024-03-05/'])
  expect(spans('What did I buy since June 2023?')).toEqual(['2023-06-01/'])
})

test('a day begins and ends at midnight of the time zone', () => {
  const early = new Date('2024-03-12T23:30:00Z')
  expect(parseDateMentions('What did I eat yesterday?', early, 'Europe/Berlin')).toEqual([
    { from: '2024-03-11T23:00:00.000Z', to: '2024-03-12T23:00:00.000Z' },
  ])
  expect(parseDateMentions('What did I eat yesterday?', early, 'America/New_York')).toEqual([
    { from: '2024-03-11T04:00:00.000Z', to: '2024-03-12T04:00:00.000Z' },
  ])
})
