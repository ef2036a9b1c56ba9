import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createThoughtFilter } from '../../server/platform/models/thoughts.ts'

/** The answer in a text that comes in pieces of these lengths. */
const answerIn = (text: string, lengths: number[] = []): string => {
  const filter = createThoughtFilter()
  let answer = ''
  let rest = text
  for (const length of lengths) {
    answer += filter.next(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return answer + filter.next(rest) + filter.end()
}

test('what a model thinks before it answers is left out', () => {
  expect(answerIn('<think>Tea or coffee?</think>\n\nTea.')).toBe('Tea.')
  expect(answerIn('\n<think>\n\n</think>Tea.')).toBe('Tea.')
  expect(answerIn('<think>It never comes to an end')).toBe('')
})

test('an answer about such tags, or of half a tag, is kept', () => {
  for (const text of ['It writes <think>so</think>.', '<', '<thinking>', ' <thin', '', '  Tea.'])
    expect(answerIn(text)).toBe(text)
})

test('however a text is cut into pieces, the answer in it is the same', () => {
  const pieces = fc.constantFrom('<think>', '</think>', '<', 'think', '>', ' ', '\n', 'Tea.', '</')
  const texts = fc.array(pieces, { maxLength: 12 }).map((each) => each.join(''))
  fc.assert(
    fc.property(texts, fc.array(fc.nat(8), { maxLength: 20 }), (text, lengths) => {
      expect(answerIn(text, lengths)).toBe(answerIn(text))
    }),
  )
})
