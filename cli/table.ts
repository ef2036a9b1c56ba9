const GAP = '  '
/** Less than this of the last column says nothing. */
const LEAST_SHOWN = 10

/** With less than this for the last column, others before it give way. */
const LEAST_LEFT = 24

/**
 * Rows in columns, each as wide as its widest cell.
 * @param columns the width that the last column is cut off at; whole if left out.
 * @param spare so many columns before the last give way where it would be cut off to little.
 */
export const table = (rows: string[][], columns?: number, spare = 0): string => {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, i) => Math.max(found[i] ?? 0, Bun.stringWidth(cell))),
    [],
  )
  const taken = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const wanted = Math.min(LEAST_LEFT, widths.at(-1) ?? 0)
  if (columns !== undefined && spare > 0 && columns - taken < wanted)
    return table(
      rows.map((row) => row.toSpliced(-2, 1)),
      columns,
      spare - 1,
    )
  const room = columns === undefined ? undefined : Math.max(LEAST_SHOWN, columns - taken)
  const pad = (cell: string, i: number) =>
    cell + ' '.repeat((widths[i] ?? 0) - Bun.stringWidth(cell))
  const line = (row: string[]) => {
    const last = row.at(-1) ?? ''
    const shown = room === undefined ? last : fit(last, room)
    return [...row.slice(0, -1).map(pad), shown].join(GAP).trimEnd()
  }
  return rows.map(line).join('\n')
}

/** A text cut off at a width in columns, of which wide characters take two. */
export const fit = (text: string, width: number): string => {
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
