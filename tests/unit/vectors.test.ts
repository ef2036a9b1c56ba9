import { expect, test } from 'bun:test'
import { encodeVector } from '../../server/memory/memories/vectors.ts'

test('a vector is stored as its signs and 8 bits for each dimension, relative to the largest', () => {
  const { bits, embedding } = encodeVector(Float32Array.of(0.5, -1, 0, 0.004, -0.003))
  expect(bits).toBe('10010')
  expect([...new Int8Array(Buffer.from(embedding, 'base64'))]).toEqual([64, -127, 0, 1, 0])
})

test('the code of a vector does not depend on its length', () => {
  const vector = Array.from({ length: 100 }, (_, i) => Math.sin(i + 1))
  expect(encodeVector(vector.map((value) => value * 8))).toEqual(encodeVector(vector))
})
