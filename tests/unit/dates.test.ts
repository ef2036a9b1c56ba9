import { expect, test } from 'bun:test'
import { datesIn } from '../../server/memory/recall/dates.ts'

/** A Wednesday. */
const now = new Date('2024-03-13T12:00:00Z')
const spans = (question: string) =>
  datesIn(question, now).map((date) =>
    'from' in date ? `${date.from.slice(0, 10)}/${date.to.slice(0, 10)}` : date,
  )

test('a day, a week and a month are read as all of it', () => {
  expect(spans('What did I eat on 5 January 2023?')).toEqual(['2023-01-05/2023-01-06'])
  expect(spans('Whom did I meet yesterday?')).toEqual(['2024-03-12/2024-03-13'])
  expect(spans('What happened last week?')).toEqual(['2024-03-04/2024-03-11'])
  expect(spans('Which books did I read in June 2023?')).toEqual(['2023-06-01/2023-07-01'])
})

test('a day of the week is the last one', () => {
  expect(spans('Whom did I see on Friday?')).toEqual(['2024-03-08/2024-03-09'])
})

test('a day or month without a year is that of any year', () => {
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

test('a week of another month is not a week from now', () => {
  expect(spans('Where was he in the last week of August 2023?')).toEqual(['2023-08-01/2023-09-01'])
})
