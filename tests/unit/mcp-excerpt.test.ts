import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { budgetOf, divide, tokenBudget } from '../../mcp/text/budget.ts'
import { codeUnits, costOf, endWithin } from '../../shared/text/cost.ts'
import { excerpt } from '../../shared/text/excerpt.ts'
import { sentencesAbout } from '../../shared/text/sentences.ts'
import { findWords, wordsOf } from '../../shared/text/words.ts'

const cut = (text: string, limit: number, query = '') => {
  const budget = { ...budgetOf(500), limit }
  return excerpt(text, budget, { cost: costOf(text, budget), words: wordsOf(query) })
}

describe('an excerpt', () => {
  test('a text that fits is whole', () => {
    expect(cut('The heron is grey.', 18)).toEqual({
      text: 'The heron is grey.',
      isTruncated: false,
    })
  })

  test('a text without words of the query is cut after its start, between words', () => {
    expect(cut('one two three four five six seven', 17, 'eight').text).toBe('one two three…')
  })

  test('an excerpt is taken around the rarest words of the query', () => {
    const filler = 'the ferry and the ferry and the ferry and '.repeat(40)
    const text = `${filler}the harbour of Ghent ${filler}`
    expect(cut(text, 120, 'What is the ferry in the harbours of Ghent?').text).toContain(
      'the harbour of Ghent',
    )
  })

  test('an excerpt of any text for any query is well-formed, within the limit and a part of the text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 })
    fc.assert(
      fc.property(text, text, fc.integer({ min: 2, max: 200 }), (content, query, limit) => {
        const { text: shown, isTruncated } = cut(content, limit, query)
        expect(shown.isWellFormed()).toBe(content.isWellFormed())
        expect([...shown].length).toBeLessThanOrEqual(Math.max(limit, 2))
        if (isTruncated) expect(content).toContain(shown.replace(/^…/, '').replace(/…$/, ''))
        else expect(shown).toBe(content)
      }),
      { seed: 17, numRuns: 500 },
    )
  })
})

describe('sentences about a question', () => {
  const about = (text: string, limit: number, question: string) =>
    sentencesAbout(text, { limit, cost: codeUnits }, wordsOf(question))
  const filler = 'The ferry leaves at nine. '.repeat(20)

  test('a text that fits is whole', () => {
    expect(about('The heron is grey.', 18, 'heron')).toBe('The heron is grey.')
  })

  test('whole sentences around the words are shown, marked where the text is cut', () => {
    const text = `${filler}The harbour of Ghent is closed. ${filler}`
    expect(about(text, 90, 'Is the harbour of Ghent open?')).toBe(
      '… The ferry leaves at nine. The harbour of Ghent is closed. The ferry leaves at nine. …',
    )
    expect(about(`Ghent is closed. ${filler}`, 50, 'Ghent')).toBe(
      'Ghent is closed. The ferry leaves at nine. …',
    )
    expect(about(`${filler}Ghent is closed.`, 50, 'Ghent')).toBe(
      '… The ferry leaves at nine. Ghent is closed.',
    )
  })

  test('the first sentences are shown where no word is found', () => {
    expect(about(filler, 60, 'heron')).toBe('The ferry leaves at nine. The ferry leaves at nine. …')
  })

  test('a sentence that is too long is cut around the words', () => {
    const text = `${'word '.repeat(100)}heron ${'word '.repeat(100)}`
    const shown = about(text, 60, 'heron')
    expect(shown).toContain('heron')
    expect(shown.length).toBeLessThanOrEqual(60)
  })

  test('sentences of any text are well-formed, within the limit and a part of the text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 })
    fc.assert(
      fc.property(text, text, fc.integer({ min: 10, max: 200 }), (content, question, limit) => {
        const shown = about(content, limit, question)
        expect(shown.isWellFormed()).toBe(content.isWellFormed())
        expect(shown.length).toBeLessThanOrEqual(Math.max(limit, 10))
        expect(content).toContain(shown.replace(/^… ?/, '').replace(/ ?…$/, ''))
      }),
      { seed: 17, numRuns: 500 },
    )
  })
})

test('words are found in any case, by their stem, and in languages without spaces', () => {
  const found = (text: string, query: string) =>
    findWords(text, wordsOf(query)).map(({ at, end }) => text.slice(at, end))
  expect(found('A HERON and two herons', 'herons')).toEqual(['HERO', 'hero'])
  expect(found('steak and tea', 'tea')).toEqual(['tea'])
  expect(found('東京の天気は晴れです', '天気')).toEqual(['天気'])
  expect(found('İstanbul und Köln', 'köln')).toEqual([])
  expect(found('Köln', 'köln')).toEqual(['Köln'])
})

test('a total is divided so that short texts are whole and long ones get the same share', () => {
  expect(divide([10, 500, 1_000], 210)).toEqual([10, 100, 100])
  expect(divide([10, 20], 100)).toEqual([10, 20])
  expect(divide([], 100)).toEqual([])
})

test('a part ends between two code points within its limit', () => {
  expect(endWithin('a🚢b', 0, { limit: 1, cost: () => 1 })).toBe(1)
  expect(endWithin('a🚢b', 0, { limit: 2, cost: () => 1 })).toBe(3)
  expect(costOf('abcd', tokenBudget(1))).toBe(1)
})
