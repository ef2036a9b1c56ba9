import { readFileSync } from 'node:fs'
import { repositoryFile } from '../../../platform/files.ts'

const FILE = repositoryFile('server/memory/text/glove/words.bin')
const HEADER_BYTES = 16
/** A word has the weight `rank / (rank + this)`: common words count less (Arora et al., 2017). */
const HALF_WEIGHT_RANK = 75

interface WordVectors {
  dimensions: number
  stopWords: ReadonlySet<string>
  /** The index of each word's vector. */
  indexes: ReadonlyMap<string, number>
  /** The vectors in one array, each multiplied by its word's weight. */
  weighted: Float32Array
}

/** Reads the file that `scripts/word-vectors.ts` writes. */
const read = (): WordVectors => {
  const file = readFileSync(FILE)
  const [count = 0, stopWordCount = 0, dimensions = 0, textLength = 0] = Array.from(
    { length: 4 },
    (_, i) => file.readUInt32LE(i * 4),
  )
  const valuesStart = HEADER_BYTES + textLength
  const names = file.toString('utf8', HEADER_BYTES, valuesStart).split('\n')
  const values = new Int8Array(file.buffer, file.byteOffset + valuesStart, count * dimensions)
  const weighted = Float32Array.from(values, (value, i) => {
    const rank = stopWordCount + Math.floor(i / dimensions) + 1
    return (value * rank) / (rank + HALF_WEIGHT_RANK)
  })
  const words = names.slice(stopWordCount)
  return {
    dimensions,
    stopWords: new Set(names.slice(0, stopWordCount)),
    indexes: new Map(words.map((word, index) => [word, index])),
    weighted,
  }
}

let loaded: WordVectors | undefined

/** Loaded on first use: 2 MB. */
export const wordVectors = (): WordVectors => {
  loaded ??= read()
  return loaded
}
