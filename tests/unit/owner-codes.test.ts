import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { packBits } from '../../server/memory/recall/bits.ts'
import { createOwnerCodes } from '../../server/memory/recall/owner-codes.ts'

/** Not a multiple of 8 or 32. */
const DIMENSIONS = 37

const code = fc
  .array(fc.boolean(), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((signs) => signs.map((sign) => (sign ? '1' : '0')).join(''))
const change = fc.record({ seq: fc.integer({ min: 1, max: 40 }), bits: fc.option(code) })

/** Shows which vector was found. */
const embeddingOf = (seq: number, bits: string): Uint8Array =>
  Uint8Array.from(bits, (bit) => (bit === '1' ? seq : -seq))

const distance = (a: string, b: string): number => [...a].filter((bit, i) => bit !== b[i]).length

const columnsOf = (codes: [number, string][]) => {
  const seqs = new DataView(new ArrayBuffer(codes.length * 8))
  for (const [i, [seq]] of codes.entries()) seqs.setBigInt64(i * 8, BigInt(seq))
  return {
    seqs: new Uint8Array(seqs.buffer),
    bits: Buffer.concat(codes.map(([, bits]) => packBits(bits))),
    embeddings: Buffer.concat(codes.map(([seq, bits]) => embeddingOf(seq, bits))),
  }
}

test('after any changes, the nearest vectors equal those of a full comparison', () => {
  const loaded = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), code), {
    selector: ([seq]) => seq,
    maxLength: 100,
  })
  const limits = fc.tuple(fc.integer({ min: 0, max: DIMENSIONS }), fc.integer({ min: 1, max: 50 }))
  fc.assert(
    fc.property(loaded, fc.array(change), code, limits, (pages, changes, question, limit) => {
      const [maxDistance, maxCodes] = limit
      const sorted = pages.toSorted(([a], [b]) => a - b)
      const codes = createOwnerCodes(DIMENSIONS)
      for (const page of [sorted.slice(0, 7), sorted.slice(7)]) codes.append(columnsOf(page))
      const expected = new Map(sorted)
      for (const { seq, bits } of changes) {
        codes.apply(
          bits ? { seq, bits: packBits(bits), embedding: embeddingOf(seq, bits) } : { seq },
        )
        if (bits) expected.set(seq, bits)
        else expected.delete(seq)
      }
      const nearest = [...expected]
        .map(([seq, bits]) => ({ seq, bits, rank: distance(bits, question) }))
        .filter(({ rank }) => rank <= maxDistance)
        .toSorted((a, b) => a.rank - b.rank || a.seq - b.seq)
        .slice(0, maxCodes)
        .toSorted((a, b) => a.seq - b.seq)
        .map(({ seq, bits }) => ({ seq, embedding: new Int8Array(embeddingOf(seq, bits)) }))
      expect(codes.nearest(question, maxDistance, maxCodes)).toEqual(nearest)
    }),
  )
})
