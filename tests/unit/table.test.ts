import { expect, test } from 'bun:test'
import { formatTable } from '../../cli/table.ts'

const ROWS = [
  ['ID', 'DATE', 'TYPE', 'TRUST', 'MEMORY'],
  ['01a2', '2026-11-29', 'semantic', 'external', 'The heron stands in the pond.'],
]
/** The date and the type are less useful than the trust. */
const MINOR = [2, 1, 3]

const CASES: [columns: number | undefined, header: string][] = [
  [undefined, 'ID DATE TYPE TRUST MEMORY'],
  [120, 'ID DATE TYPE TRUST MEMORY'],
  [62, 'ID DATE TYPE TRUST MEMORY'],
  [55, 'ID DATE TRUST MEMORY'],
  [45, 'ID TRUST MEMORY'],
  [35, 'ID MEMORY'],
  [10, 'ID MEMORY'],
]

test.each(CASES)('a table of %p columns keeps the useful ones', (columns, header) => {
  const lines = formatTable(ROWS, columns, MINOR).split('\n')
  expect(lines[0]?.split(/ +/).join(' ')).toBe(header)
  if (columns !== undefined && columns >= 16)
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns)
})

test('columns that are not minor are shortened', () => {
  expect(formatTable(ROWS, 50).split('\n')[0]?.split(/ +/)).toEqual(ROWS[0] ?? [])
})
