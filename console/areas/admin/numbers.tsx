import type { AdminStats } from '../../../shared/contract/admin.ts'
import { admin } from '../../texts/admin.ts'
import { locale } from '../../texts/tools/region.ts'

const texts = admin.overview
const NUMBER = new Intl.NumberFormat(locale)
const SIZE = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 0,
})

export const formatNumber = (value: number): string => NUMBER.format(value)

/** The main numbers of the server. */
export const Numbers = ({ stats }: { stats: AdminStats }) => {
  const { users, database, emails } = stats
  const n = formatNumber
  const numbers = [
    [texts.users, n(users.total), texts.usersNote(n(users.verified), n(users.disabled))],
    [texts.active, n(users.active_24h), texts.activeNote(n(users.active_30d))],
    [texts.memories, n(stats.memories), ''],
    [texts.messages, n(stats.messages), ''],
    [texts.sessions, n(stats.sessions), texts.keysNote(n(stats.api_keys))],
    [texts.organizations, n(stats.organizations), ''],
    [texts.emails, n(emails.queued), texts.emailsNote(n(emails.failed))],
    [texts.database, SIZE.format(database.size_bytes / 1e6), texts.databaseKinds[database.kind]],
  ]
  return (
    <dl className="numbers">
      {numbers.map(([label, value, note]) => (
        <div key={label} className="card number">
          <dt>{label}</dt>
          <dd className="number-value numeric">{value}</dd>
          {note && <dd className="quiet small">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
