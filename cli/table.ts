const GAP = '  '
/** Less than this of the last column says nothing. */
const LEAST_SHOWN = 10

/**
 * Rows in columns, each as wide as its widest cell.
 * @param columns the width that the last column is cut off at; whole if left out.
 */
export const table = (rows: string[][], columns?: number): string => {
  const widths = rows.reduce<number[]>(
    (found, row) => row.map((cell, i) => Math.max(found[i] ?? 0, Bun.stringWidth(cell))),
    [],
  )
  const taken = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
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
