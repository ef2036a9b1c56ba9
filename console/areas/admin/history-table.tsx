import { admin } from '../../texts/admin.ts'
import { locale } from '../../texts/tools/region.ts'
import { Table } from '../../ui/table.tsx'
import { type DayRow, SERIES } from './history.ts'
import { formatNumber } from './numbers.tsx'

const texts = admin.overview
/** Days are in UTC. */
const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** The newest day first. */
export const HistoryTable = ({ days }: { days: readonly DayRow[] }) => (
  <Table
    label={texts.history}
    columns={[
      texts.day,
      ...SERIES.map((series) => ({ label: texts.series[series], isNumeric: true as const })),
    ]}
  >
    {days.toReversed().map((row) => (
      <tr key={row.day}>
        <th scope="row">{DAY.format(new Date(row.day))}</th>
        {SERIES.map((series) => (
          <td key={series} className="numeric">
            {formatNumber(row[series])}
          </td>
        ))}
      </tr>
    ))}
  </Table>
)
