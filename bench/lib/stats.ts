/** The quantile `q` (0 to 1) by the nearest-rank method. */
export const quantile = (values: number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN
}

export const median = (values: number[]): number => quantile(values, 0.5)

export const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Runs `work`. @returns its duration in milliseconds and its result. */
export const timed = async <T>(work: () => Promise<T>): Promise<[ms: number, result: T]> => {
  const start = performance.now()
  const result = await work()
  return [performance.now() - start, result]
}
