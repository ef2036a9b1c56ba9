import { describe, expect, test } from 'bun:test'
import {
  analyze,
  analyzeQuestion,
  encodeTerms,
  nameWords,
  readTerms,
} from '../../server/memory/text/analyzer.ts'

const termsOf = async (text: string, language = 'english') => [
  ...(await analyze(text, language)).keys(),
]

describe('terms', () => {
  test.each<[language: string, text: string, terms: string[]]>([
    ['english', 'She was running through the houses', ['run', 'hous']],
    // Contractions are stop words as a whole, and names with an apostrophe are two words.
    ['english', "I don't think it's a dog of O’Brien's", ['think', 'dog', 'o', 'brien']],
    // A modal verb and a month.
    ['english', 'May we see it in May?', ['mai', 'see']],
    ['german', 'Die Übersetzungen wurden geändert', ['ubersetz', 'wurd', 'geandert']],
    ['french', "L'école n'est pas loin", ['ecol', 'loin']],
    ['russian', 'Книги лежат на столах', ['книг', 'лежат', 'стол']],
    ['finnish', 'Taloissa on lämmin', ['talo', 'lam']],
    // The dotless i of Turkish is one where it is typed without.
    ['turkish', 'kapıları', ['kapi']],
    ['simple', '私は東京に住んでいます', ['私', 'は', '東京', 'に', '住', 'んで', 'い', 'ます']],
    ['simple', 'สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
    // A language without a stemmer.
    ['catalan', 'les cases', ['les', 'cases']],
    // The same letters in another form, with and without their marks.
    ['english', 'ｃａｆé cafe\u0301 cafe', ['cafe']],
  ])('%s: %s', async (language, text, terms) => {
    expect(await termsOf(text, language)).toEqual(terms)
  })

  test.each<[text: string, question: string]>([
    ['see isReadableFile', 'readable file'],
    ['parseHTTPResponse fails', 'http response'],
    ['os.path.isfile', 'isfile'],
    ['retry_upload', 'upload'],
    ['well-known', 'known'],
    ['OPS-4711 is done', '4711'],
    ['#16093', 'PR-16093'],
    ['fixed in v8.57.0', '8.57.0'],
    ['call +49 170 1234567', '491701234567'],
    ['call 491701234567', '+49 (170) 123-4567'],
    ['(030) 901820-0', '0309018200'],
    ['written in C++', 'c++'],
    ['at src/app/main.ts', 'src/app/main.ts'],
    ['2024-03-05', '2024-03-05'],
    ['born 🎉', '🎉'],
    ['Zürich', 'zurich'],
    ['the Smiths', 'smith'],
  ])('%s is found by %s', async (text, question) => {
    const terms = new Set(await termsOf(text))
    const asked = await termsOf(question)
    expect(asked.filter((term) => terms.has(term))).not.toEqual([])
    // A question with an exact form is best answered by it.
    const exact = asked.filter((term) => term.startsWith('='))
    if (exact.length && !question.startsWith('PR'))
      expect(exact.some((term) => terms.has(term))).toBeTrue()
  })
})

test.each([
  'a.',
  'aB',
  '1 ',
  '-1',
  'a/',
  ':',
  "a'",
  '@a.b',
  '<!--',
  '\ufdfa',
  '私',
  'é\u0301',
  '👍',
])('a text of 32,000 characters of %p is analyzed, and its terms are bounded', async (unit) => {
  const text = unit.repeat(32_000 / unit.length)
  const encoded = encodeTerms(await analyze(text, 'english'))
  expect(encoded.length).toBeLessThan(2 * text.length)
})

test('terms are read as they were written, and exact forms do not count for the length', async () => {
  const terms = await analyze('Ada saw Ada, and Ada saw a1 and c++.', 'english')
  const read = new Map<string, number>()
  expect(readTerms(encodeTerms(terms), (term, frequency) => read.set(term, frequency))).toBe(7)
  expect(read).toEqual(new Map(terms))
  expect(Object.fromEntries(read)).toEqual({ ada: 3, saw: 2, a1: 1, c: 1, '=a1': 1, '=c++': 1 })
})

test('a frequency above 100 is read as 100, and a text without words has a length of 1', async () => {
  const encoded = encodeTerms(new Map([['no', 5_000]]))
  const read: [string, number][] = []
  expect(readTerms(encoded, (...posting) => read.push(posting))).toBe(100)
  expect(read).toEqual([['no', 100]])
  expect(readTerms('', () => {})).toBe(1)
})

test('a question is read in each language, with the places of its words', async () => {
  const { stems, words, forms } = await analyzeQuestion('Where did Ada go?', ['english', 'german'])
  expect(stems.filter(([language]) => language === 'english')).toEqual([
    ['english', 'ada', [2]],
    ['english', 'go', [3]],
  ])
  expect(words).toContainEqual(['ada', [2]])
  expect(forms('english', 'go')).toEqual(['went', 'gone'])
  expect(forms('german', 'go')).toEqual([])
})

test('the words of a name are folded', () => {
  expect(nameWords('Zoë O’Hara-Müller')).toEqual(['zoe', 'o', 'hara', 'muller'])
})
