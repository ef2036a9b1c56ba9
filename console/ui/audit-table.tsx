import type { ReactNode } from 'react'
import type { AuditEntry } from '../../shared/contract/audit.ts'
import { audit } from '../texts/audit.ts'
import { Table } from './table.tsx'
import { Time } from './time.tsx'

/** An action in words; an action that this version does not know, as its name. */
export const describeAction = (action: string): string =>
  Object.entries(audit.actions).find(([name]) => name === action)?.[1] ?? action

/** The reason is the last and may be long. */
const DETAIL_ORDER = ['name', 'from', 'to', 'reason']
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/** Ids say nothing to a reader; programs get them from the API. */
const describeDetails = (details: AuditEntry['details']): string =>
  Object.entries(details)
    .filter(([, value]) => !ID.test(String(value)))
    .toSorted(([a], [b]) => DETAIL_ORDER.indexOf(a) - DETAIL_ORDER.indexOf(b))
    .map(([name, value]) => `${nameOfDetail(name)}: ${value}`)
    .join(', ')

const nameOfDetail = (name: string): string =>
  Object.entries(audit.detailNames).find(([known]) => known === name)?.[1] ??
  name.replaceAll('_', ' ')

interface AuditTableProps<E extends AuditEntry> {
  entries: readonly E[]
  /** Shows the user of an event; without it, all events are of one user. */
  userOf?: (entry: E) => ReactNode
}

export const AuditTable = <E extends AuditEntry>({ entries, userOf }: AuditTableProps<E>) => (
  <Table
    label={audit.list}
    columns={[
      audit.time,
      audit.event,
      userOf !== undefined && audit.user,
      audit.details,
      audit.address,
    ]}
  >
    {entries.map((entry) => (
      <tr key={entry.id}>
        <td>
          <Time iso={entry.created_at} />
        </td>
        <td className="audit-event" title={entry.action}>
          {describeAction(entry.action)}
        </td>
        {userOf && <td className="audit-event">{userOf(entry)}</td>}
        <td className="audit-details">
          <bdi>{describeDetails(entry.details) || audit.none}</bdi>
        </td>
        <td className="mono small">{entry.ip ?? audit.none}</td>
      </tr>
    ))}
  </Table>
)
