import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { PostingsIndex } from '../../server/memory/recall/postings-index.ts'
import { readTermBytes } from '../../server/memory/recall/term-bytes.ts'
import { EMPTY_HASH, hashByte, TermDictionary } from '../../server/memory/recall/term-dictionary.ts'
import { encodeTerms, readTerms, type Terms } from '../../server/memory/text/analyzer.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const anyTerm = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((term) => term.isWellFormed() && !/[ \n]/.test(term))
const anyTerms = fc
  .array(fc.tuple(anyTerm, fc.integer({ min: 1, max: 5 })), { maxLength: 30 })
  .map((entries): Terms => new Map(entries))

test('the UTF-8 of encoded terms is read as their text', () => {
  fc.assert(
    fc.property(anyTerms, (terms) => {
      const encoded = encodeTerms(terms)
      const asText: [string, number][] = []
      const asBytes: [string, number][] = []
      const bytes = encoder.encode(encoded)
      const length = readTerms(encoded, (...posting) => asText.push(posting))
      const lengthOfBytes = readTermBytes(bytes, (from, to, _hash, frequency) =>
        asBytes.push([decoder.decode(bytes.subarray(from, to)), frequency]),
      )
      expect(asBytes).toEqual(asText)
      expect(lengthOfBytes).toBe(length)
    }),
  )
})

test('each term has the number of its first use, and an unknown one has none', () => {
  fc.assert(
    fc.property(fc.array(anyTerm, { maxLength: 300 }), anyTerm, (terms, other) => {
      const dictionary = new TermDictionary()
      const numbers = new Map<string, number>()
      for (const term of terms) {
        if (!numbers.has(term)) numbers.set(term, numbers.size)
        const bytes = encoder.encode(term)
        const hash = bytes.reduce(hashByte, EMPTY_HASH)
        expect(dictionary.intern(bytes, 0, bytes.length, hash)).toBe(numbers.get(term) ?? -1)
      }
      for (const [term, number] of numbers) expect(dictionary.find(term)).toBe(number)
      expect(dictionary.find(other)).toBe(numbers.get(other))
      expect(dictionary.size).toBe(numbers.size)
    }),
  )
})

test('an index finds the documents of a term, those that were loaded and those that were added', () => {
  fc.assert(
    fc.property(fc.array(anyTerms), fc.array(anyTerms), (loaded, added) => {
      const index = new PostingsIndex()
      const all = [...loaded, ...added]
      for (const [doc, terms] of loaded.entries())
        index.append(encoder.encode(encodeTerms(terms)), doc)
      index.finish()
      for (const [i, terms] of added.entries())
        index.add(encoder.encode(encodeTerms(terms)), loaded.length + i)
      for (const term of new Set(all.flatMap((terms) => [...terms.keys()]))) {
        const found = index.of(term)
        expect(index.countOf(term)).toBe(all.filter((terms) => terms.has(term)).length)
        for (const [doc, terms] of all.entries())
          expect(index.frequencyIn(found, doc)).toBe(terms.get(term) ?? 0)
      }
    }),
  )
})
