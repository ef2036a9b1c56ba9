import { getRouteApi, Link } from '@tanstack/react-router'
import { type EmailMessage, getEmailThread } from '../../../shared/contract/outbound-email.ts'
import { useApiPages } from '../../session/pages.ts'
import { email as texts } from '../../texts/people.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { formatDateTime, Time } from '../../ui/time.tsx'
import { Delivery } from './email.tsx'

const route = getRouteApi('/people/email/$threadId')

/** How soon the delivery of queued emails appears. */
const REFRESH_MS = 10_000

export const EmailThreadPage = () => {
  const { threadId } = route.useParams()
  const thread = useApiPages(
    getEmailThread,
    threadId,
    (cursor) => ({ params: { thread_id: threadId }, query: cursor ? { cursor } : {} }),
    ({ next_cursor }) => next_cursor,
    { pollMs: REFRESH_MS },
  )
  const first = thread.data?.pages[0]
  return (
    <Page
      title={first?.subject ?? texts.title}
      intro={
        <Link to="/people/email" className="back-link">
          <Icon name="back" />
          {texts.back}
        </Link>
      }
      actions={
        <Link to="/people/email/new" search={{ thread: threadId }} className="button">
          {texts.continue}
        </Link>
      }
    >
      <Loaded query={{ ...thread, data: first }}>
        {(loaded) => (
          <>
            <Delivery {...loaded} />
            <ol className="plain stack">
              {thread.data?.pages
                .flatMap(({ messages }) => messages)
                .map((message) => (
                  <Email key={message.message_id} message={message} />
                ))}
            </ol>
          </>
        )}
      </Loaded>
      <LoadMore query={thread} />
    </Page>
  )
}

const LOOKS = { queued: 'badge warn', sent: 'badge good', failed: 'badge bad' } as const

const Email = ({ message }: { message: EmailMessage }) => (
  <li className="card stack-small">
    <div className="row spread">
      <h2>
        <bdi>{message.subject}</bdi>
      </h2>
      <span className="quiet small">{formatDateTime(message.created_at)}</span>
    </div>
    <div className="user-text" dir="auto">
      {message.text}
    </div>
    {message.html && <p className="quiet small">{texts.html}</p>}
    <Table
      label={`${texts.recipientsList}: ${message.subject}`}
      columns={[texts.recipients(message.recipients.length), texts.state, texts.changed]}
    >
      {message.recipients.map(({ address, state, reason, updated_at }) => (
        <tr key={address}>
          <td>
            <bdi>{address}</bdi>
          </td>
          <td>
            <span className={LOOKS[state]}>{texts.states[state]}</span>
            {reason && <p className="small user-text">{reason}</p>}
          </td>
          <td className="nowrap">
            <Time iso={updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  </li>
)
