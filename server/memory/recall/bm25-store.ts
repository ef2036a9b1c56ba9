import { B, K1 } from './bm25.ts'

/** A number in double precision: PostgreSQL's numeric is three times slower. */
export const float = (n: number): string => `${n}::float8`

/** The idf of a term that occurs in `df` of `n` memories. */
export const idf = (n: string, df: string): string =>
  `ln(1 + (${n} - least(${n}, ${df}) + 0.5::float8) / (least(${n}, ${df}) + 0.5::float8))`

/** The length normalization for each word of a memory (`norm_per_word`). */
export const normPerWord = (meanLength: string): string => `${float(K1 * B)} / ${meanLength}`

/** The BM25 score of a posting `p` of a weighted term `t`. */
export const POSTING_SCORE = `t.idf * ${float(K1 + 1)} * p.frequency
  / (p.frequency + (${float(K1 * (1 - B))} + t.norm_per_word * p.length))`
