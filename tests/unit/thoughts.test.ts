import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createReasoningFilter } from '../../server/platform/models/reasoning-filter.ts'

/** The answer in a text that arrives in pieces of these lengths. */
const answerIn = (text: string, lengths: number[] = []): string => {
  const filter = createReasoningFilter()
  let answer = ''
  let rest = text
  for (const length of lengths) {
    answer += filter.next(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return answer + filter.next(rest) + filter.end()
}

test('the reasoning of a model is removed from its answer', () => {
  expect(answerIn('<think>Tea or coffee?</think>\n\nTea.')).toBe('Tea.')
  expect(answerIn('\n<think>\n\n</think>Tea.')).toBe('Tea.')
  expect(answerIn('<think>It never comes to an end')).toBe('')
})

test('an answer about reasoning tags, or with half a tag, is kept', () => {
  for (const text of ['It writes <think>so</think>.', '<', '<thinking>', ' <thin', '', '  Tea.'])
    expect(answerIn(text)).toBe(text)
})

test('the answer in a text does not depend on how the text is cut into pieces', () => {
  const pieces = fc.constantFrom('<think>', '</think>', '<', 'think', '>', ' ', '\n', 'Tea.', '</')
  const texts = fc.array(pieces, { maxLength: 12 }).map((each) => each.join(''))
  fc.assert(
    fc.property(texts, fc.array(fc.nat(8), { maxLength: 20 }), (text, lengths) => {
      expect(answerIn(text, lengths)).toBe(answerIn(text))
    }),
  )
})
