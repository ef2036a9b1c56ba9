/**
 * Generates `server/memory/text/eld/languages.bin` from the small data of the npm package `eld`:
 *
 *     bun scripts/language-table.ts
 *
 * File format, little-endian: the number of keys, of scores and of languages as 32-bit integers, padded to 16
 * bytes; the keys as sorted 64-bit floats; the end of the scores of each key as 32-bit integers; the language
 * and the score of each as two lists of 8-bit integers; the byte that stands for each byte of UTF-8; and the
 * codes of the languages with their usual score, as JSON.
 */
import { join } from 'node:path'
import { keyOf } from '../server/memory/text/language-detector.ts'

/** The parts of the package, which exports only the detector. */
const part = (name: string) => import(join(import.meta.dir, `../node_modules/eld/src/${name}.js`))
const { avgScore }: { avgScore: Record<string, number> } = await part('avgScore')
const { dictionary }: { dictionary: string[] } = await part('dictionary')
const { ngramsData }: { ngramsData: Ngrams } = await part('ngrams/small')

interface Ngrams {
  languages: Record<string, string>
  ngrams: Record<string, Record<string, number>>
}

const TARGET = join(import.meta.dir, '../server/memory/text/eld/languages.bin')
const SPACE = 0x20

// The package writes each byte as a character, and those that it expects nowhere as a space.
const bytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 || dictionary[byte] !== ' ' ? byte : SPACE,
)
const byteOf = new Map(dictionary.map((character, byte) => [character, byte] as const))
byteOf.set(' ', SPACE)

const entries = Object.entries(ngramsData.ngrams)
  .map(([ngram, scores]) => {
    const encoded = Uint8Array.from([...ngram], (character) => {
      const byte = byteOf.get(character)
      if (byte === undefined) throw new Error(`no byte for ${character}`)
      return byte
    })
    return { key: keyOf(encoded, 0, encoded.length), scores: Object.entries(scores) }
  })
  .toSorted((a, b) => a.key - b.key)

const scores = entries.flatMap((entry) => entry.scores)
const ends: number[] = []
for (const entry of entries) ends.push((ends.at(-1) ?? 0) + entry.scores.length)
const codes = Object.values(ngramsData.languages)

const bytesOf = ({ buffer }: { buffer: ArrayBuffer }) => new Uint8Array(buffer)
await Bun.write(
  TARGET,
  Buffer.concat([
    bytesOf(Uint32Array.of(entries.length, scores.length, codes.length, 0)),
    bytesOf(Float64Array.from(entries, ({ key }) => key)),
    bytesOf(Uint32Array.from(ends)),
    Uint8Array.from(scores, ([language]) => Number(language)),
    Uint8Array.from(scores, ([, score]) => score),
    bytes,
    Buffer.from(JSON.stringify(codes.map((code) => [code, avgScore[code]]))),
  ]),
)
