const GAP = '  '
/** Minimum width of the last column. */
const MIN_LAST_COLUMN = 10

/** Below this width of the last column, optional columns are dropped. */
const COMFORTABLE_LAST_COLUMN = 24

/**
 * Formats rows as aligned columns.
 * @param columns width of the terminal; the last column is truncated to it. Default: no limit.
 * @param optional number of columns before the last that may be dropped.
 */
export const formatTable = (rows: string[][], columns?: number, optional = 0): string => {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, i) => Math.max(found[i] ?? 0, Bun.stringWidth(cell))),
    [],
  )
  const usedWidth = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const wantedWidth = Math.min(COMFORTABLE_LAST_COLUMN, widths.at(-1) ?? 0)
  if (columns !== undefined && optional > 0 && columns - usedWidth < wantedWidth)
    return formatTable(
      rows.map((row) => row.toSpliced(-2, 1)),
      columns,
      optional - 1,
    )
  const lastWidth =
    columns === undefined ? undefined : Math.max(MIN_LAST_COLUMN, columns - usedWidth)
  const pad = (cell: string, i: number) =>
    cell + ' '.repeat((widths[i] ?? 0) - Bun.stringWidth(cell))
  const line = (row: string[]) => {
    const last = row.at(-1) ?? ''
    const shown = lastWidth === undefined ? last : truncateToWidth(last, lastWidth)
    return [...row.slice(0, -1).map(pad), shown].join(GAP).trimEnd()
  }
  return rows.map(line).join('\n')
}

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
