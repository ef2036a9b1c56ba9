import type { CSSProperties, ReactNode } from 'react'
import { ScrollRegion } from './scroll-region.tsx'

/** A heading; empty above actions. */
type Column = string | { label: string; isNumeric: true }

interface TableProps {
  /** The name of the region that scrolls. */
  label: string
  columns: readonly (Column | false)[]
  /** The rows. */
  children: ReactNode
}

const labelOf = (column: Column): string => (typeof column === 'string' ? column : column.label)

/** The headings as variables: on narrow screens each cell shows its own. */
const variablesOf = (columns: readonly Column[]): CSSProperties =>
  Object.fromEntries(
    columns.map((column, index) => [`--column-${index + 1}`, JSON.stringify(labelOf(column))]),
  )

/** A table that scrolls when it is wide, and shows its rows as cards on narrow screens. */
export const Table = ({ label, columns: all, children }: TableProps) => {
  const columns = all.filter((column) => column !== false)
  return (
    <ScrollRegion label={label}>
      <table className="table" style={variablesOf(columns)}>
        <thead>
          <tr>
            {columns.map((column) =>
              column === '' ? (
                <td key="" />
              ) : (
                <th
                  key={labelOf(column)}
                  scope="col"
                  className={typeof column === 'string' ? undefined : 'numeric'}
                >
                  {labelOf(column)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollRegion>
  )
}
