import { auditLog } from '../../shared/contract/audit.ts'
import type { Context } from '../context.ts'
import { definedFields } from '../defined.ts'
import { formatMinute } from '../format.ts'
import { printList, printNextPage } from '../list.ts'
import { jsonLine } from '../output.ts'
import { sessionClient } from '../session.ts'

interface AuditArgs {
  limit?: number
  action?: string
  cursor?: string
}

/** Lists the security events of the account, newest first. */
export const runAudit = async (context: Context, args: AuditArgs): Promise<void> => {
  const { limit, action, cursor } = args
  const client = await sessionClient(context)
  const log = await client.call(auditLog, { query: definedFields({ limit, action, cursor }) })
  await printList(context, {
    items: log.entries,
    columns: {
      TIME: ({ created_at }) => formatMinute(created_at),
      ACTION: ({ action: name }) => name,
      ADDRESS: ({ ip }) => ip,
      DETAILS: ({ details }) => (Object.keys(details).length ? jsonLine(details) : ''),
    },
    empty: 'No events.',
    response: log,
  })
  const next = { limit, action, cursor: log.next_cursor ?? undefined }
  printNextPage(context, log.next_cursor !== null, ['audit'], next)
}
