import { admin } from '../../texts/admin.ts'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

export interface Failure {
  failedAt: string
  cells: readonly string[]
}

interface FailureTableProps {
  title: string
  /** Shown if there is no failure. */
  empty: string
  columns: readonly string[]
  failures: readonly Failure[]
}

export const FailureTable = ({ title, empty, columns, failures }: FailureTableProps) => (
  <section className="stack-small">
    <h2>{title}</h2>
    {failures.length ? (
      <Table label={title} columns={[admin.queues.time, ...columns]}>
        {failures.map(({ failedAt, cells }, row) => (
          <tr key={`${failedAt} ${row}`}>
            <td>
              <Time iso={failedAt} />
            </td>
            {cells.map((cell, column) => (
              <td key={columns[column]}>
                <bdi>{cell}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </Table>
    ) : (
      <p className="quiet">{empty}</p>
    )}
  </section>
)
