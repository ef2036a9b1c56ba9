/** BM25's saturation and length constants (Robertson & Zaragoza, 2009, section 3.2). */
const K1 = 1.2
const B = 0.75

/** A number in SQL, in double precision: PostgreSQL's numeric is three times slower. */
export const float = (n: number): string => `${n}::float8`

const saturated = (idf: string, frequency: string, norm: string) =>
  `${idf} * ${float(K1 + 1)} * ${frequency} / (${frequency} + ${norm})`

/** The idf of what stands in `df` of `n` memories, as SQL. */
export const idf = (n: string, df: string): string =>
  `ln(1 + (${n} - least(${n}, ${df}) + 0.5::float8) / (least(${n}, ${df}) + 0.5::float8))`

/** What `norm_per_word` is, for the mean length of memories. */
export const normPerWord = (meanLength: string): string => `${float(K1 * B)} / ${meanLength}`

/** The score of a posting `p` of a term `t`. */
export const POSTING_SCORE = saturated(
  't.idf',
  'p.frequency',
  `(${float(K1 * (1 - B))} + t.norm_per_word * p.length)`,
)

/** The score of a concept that stands so often in a thread, whatever the thread's length. */
export const THREAD_SCORE = saturated('idf', 'frequency', float(K1))
