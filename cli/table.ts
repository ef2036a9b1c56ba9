const GAP = '  '
/** Minimum width of the last column. */
const MIN_LAST_COLUMN = 10

/** Below this width of the last column, optional columns are dropped. */
const COMFORTABLE_LAST_COLUMN = 24

/** Below this width, a column is not shortened. */
const MIN_COLUMN = 6

/**
 * Formats rows as aligned columns.
 * @param columns width of the terminal, which the table fits. Default: no limit.
 * @param minor indexes of the columns that may be dropped, the least useful first.
 */
export const formatTable = (
  rows: string[][],
  columns?: number,
  minor: readonly number[] = [],
): string => {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, i) => Math.max(found[i] ?? 0, Bun.stringWidth(cell))),
    [],
  )
  const [least, ...others] = minor
  if (columns !== undefined && least !== undefined && !isComfortable(widths, columns))
    return formatTable(
      rows.map((row) => row.toSpliced(least, 1)),
      columns,
      others.map((index) => (index > least ? index - 1 : index)),
    )
  const fitted = columns === undefined ? widths : fitWidths(widths, columns)
  const line = (row: string[]) =>
    row.map((cell, i) => padToWidth(truncateToWidth(cell, fitted[i] ?? 0), fitted[i] ?? 0))
  return rows.map((row) => line(row).join(GAP).trimEnd()).join('\n')
}

const tableWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1)

/** Whether the last column is wide enough, when the others are complete. */
const isComfortable = (widths: readonly number[], columns: number): boolean => {
  const last = Math.min(COMFORTABLE_LAST_COLUMN, widths.at(-1) ?? 0)
  return tableWidth(widths.with(-1, last)) <= columns
}

/** Shortens the last column, and then the widest ones, until the table fits. */
const fitWidths = (widths: readonly number[], columns: number): number[] => {
  const last = widths.at(-1) ?? 0
  const remaining = columns - tableWidth(widths.with(-1, 0))
  const fitted = widths.with(-1, Math.min(last, Math.max(MIN_LAST_COLUMN, remaining)))
  for (;;) {
    const widest = Math.max(...fitted)
    if (tableWidth(fitted) <= columns || widest <= MIN_COLUMN) return fitted
    fitted[fitted.indexOf(widest)] = widest - 1
  }
}

const padToWidth = (text: string, width: number): string =>
  text + ' '.repeat(width - Bun.stringWidth(text))

/** Truncates a text to a width in terminal columns. Wide characters take two. */
export const truncateToWidth = (text: string, width: number): string => {
  if (Bun.stringWidth(text) <= width) return text
  let shown = ''
  let taken = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    taken += Bun.stringWidth(segment)
    if (taken > width - 1) break
    shown += segment
  }
  return `${shown.trimEnd()}…`
}
