/** Prints a table. The first column is left-aligned, the others are right-aligned. */
export const printTable = (headings: string[], rows: (string | number)[][]): void => {
  const cells = [headings, ...rows.map((row) => row.map(String))]
  const widths = headings.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)))
  const line = (row: string[]) =>
    row.map((cell, i) => (i ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[0] ?? 0)))
  const [head, ...body] = cells.map((row) => line(row).join('  '))
  console.log([head, widths.map((width) => '-'.repeat(width)).join('  '), ...body, ''].join('\n'))
}
