import { auditLog } from '../../../shared/contract/audit.ts'
import { useApiPages } from '../../session/pages.ts'
import { audit } from '../../texts/audit.ts'
import { settings } from '../../texts/settings.ts'
import { AuditTable } from '../../ui/audit-table.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

const texts = settings.activity

export const ActivityPage = () => {
  const query = useApiPages(
    auditLog,
    {},
    (cursor) => ({ query: cursor === undefined ? {} : { cursor } }),
    ({ next_cursor }) => next_cursor,
  )
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={query}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          return entries.length ? (
            <AuditTable entries={entries} />
          ) : (
            <EmptyState
              icon="clock"
              title={audit.empty}
              actions={<Button onPress={() => void query.refetch()}>{audit.reload}</Button>}
            >
              {audit.emptyNote}
            </EmptyState>
          )
        }}
      </Loaded>
      <LoadMore query={query} />
    </Page>
  )
}
