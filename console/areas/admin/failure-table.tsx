import { admin } from '../../texts/admin.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
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
      <ScrollRegion label={title}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{admin.queues.time}</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </ScrollRegion>
    ) : (
      <p className="quiet">{empty}</p>
    )}
  </section>
)
