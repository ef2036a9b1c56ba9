import { Link } from '@tanstack/react-router'
import { type EmailThread, listEmailThreads } from '../../../shared/contract/outbound-email.ts'
import { useApiPages } from '../../session/pages.ts'
import { email as texts } from '../../texts/people.ts'
import { Icon } from '../../ui/icon.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

/** How soon the delivery of queued emails appears. */
const REFRESH_MS = 10_000

export const EmailPage = () => {
  const threads = useApiPages(
    listEmailThreads,
    {},
    (cursor) => ({ query: cursor ? { cursor } : {} }),
    ({ next_cursor }) => next_cursor,
    { pollMs: REFRESH_MS },
  )
  const compose = (
    <Link to="/people/email/new" className="button primary">
      <Icon name="plus" />
      {texts.compose}
    </Link>
  )
  return (
    <ListPage
      texts={texts}
      icon="mail"
      create={compose}
      query={{ ...threads, data: threads.data?.pages.flatMap(({ threads: page }) => page) }}
      list={(list) => <ThreadTable threads={list} />}
    >
      <LoadMore query={threads} />
    </ListPage>
  )
}

/** The number of emails in each state. */
export const Delivery = ({ queued, sent, failed }: Omit<EmailThread, 'subject'>) => (
  <span className="row">
    {failed > 0 && <span className="badge bad">{texts.counts.failed(failed)}</span>}
    {queued > 0 && <span className="badge warn">{texts.counts.queued(queued)}</span>}
    {sent > 0 && <span className="badge good">{texts.counts.sent(sent)}</span>}
  </span>
)

const ThreadTable = ({ threads }: { threads: readonly EmailThread[] }) => (
  <Table label={texts.list} columns={[texts.subject, texts.delivery, texts.count, texts.last]}>
    {threads.map((thread) => (
      <tr key={thread.thread_id}>
        <td>
          <Link to="/people/email/$threadId" params={{ threadId: thread.thread_id }}>
            <bdi>{thread.subject}</bdi>
          </Link>
        </td>
        <td>
          <Delivery {...thread} />
        </td>
        <td>{thread.message_count}</td>
        <td className="nowrap">
          <Time iso={thread.last_message_at} />
        </td>
      </tr>
    ))}
  </Table>
)
