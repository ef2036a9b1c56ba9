/** The two database drivers wrap rows differently. */
export const rowsOf = <T>(result: unknown): T[] =>
  Array.isArray(result) ? result : (result as { rows: T[] }).rows
