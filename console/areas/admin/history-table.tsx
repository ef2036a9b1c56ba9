import { admin } from '../../texts/admin.ts'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { type DayRow, SERIES } from './history.ts'
import { formatNumber } from './numbers.tsx'

const texts = admin.overview
/** Days are in UTC. */
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** The newest day first. */
export const HistoryTable = ({ days }: { days: readonly DayRow[] }) => (
  <ScrollRegion label={texts.history}>
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{texts.day}</th>
          {SERIES.map((series) => (
            <th key={series} scope="col" className="numeric">
              {texts.series[series]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  </ScrollRegion>
)
