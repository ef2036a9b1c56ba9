import { type AuditEntry, auditLog } from '../../../shared/contract/audit.ts'
import { useApiPages } from '../../session/pages.ts'
import { billing } from '../../texts/billing.ts'
import { number } from '../../texts/tools/numbers.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Skeleton } from '../../ui/loaded.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const texts = billing.credits
const PAGE = 20
const CREDIT_EVENTS = 'credits.'

/** Purchases, refunds and disputes of credits, from the audit trail. */
export const CreditHistory = () => {
  const pages = useApiPages(
    auditLog,
    CREDIT_EVENTS,
    (cursor) => ({ query: { limit: PAGE, action: CREDIT_EVENTS, ...(cursor && { cursor }) } }),
    ({ next_cursor }) => next_cursor,
  )
  const entries = pages.data?.pages.flatMap((page) => page.entries)
  return (
    <section className="card stack" aria-label={texts.history}>
      <h2>{texts.history}</h2>
      {pages.error && <ErrorNotice error={pages.error} onRetry={() => pages.refetch()} />}
      {pages.isPending && <Skeleton lines={2} />}
      {entries?.length === 0 && <p className="quiet">{texts.historyEmpty}</p>}
      {entries && entries.length > 0 && <EntryTable entries={entries} />}
      <LoadMore query={pages} />
    </section>
  )
}

/** Reversed credits count as negative. */
const changeOf = ({ action, details }: AuditEntry): number =>
  Number(details.credits ?? 0) * (action === 'credits.reversed' ? -1 : 1)

const eventOf = ({ action, details }: AuditEntry): string => {
  const event = texts.events[action] ?? action
  const reason = texts.reasons[String(details.reason)]
  return reason ? `${event} (${reason})` : event
}

const EntryTable = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <Table
    label={texts.eventList}
    columns={[texts.when, texts.event, { label: texts.change, isNumeric: true }, texts.payment]}
  >
    {entries.map((entry) => (
      <tr key={entry.id}>
        <td>
          <Time iso={entry.created_at} />
        </td>
        <td>{eventOf(entry)}</td>
        <td className="numeric">{number(changeOf(entry), { signDisplay: 'exceptZero' })}</td>
        <td className="mono">{entry.subject}</td>
      </tr>
    ))}
  </Table>
)
