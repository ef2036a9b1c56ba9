import { Link } from '@tanstack/react-router'
import { memo, useId, useState } from 'react'
import type { ActivityEvent } from '../../../shared/contract/activity.ts'
import { assistantName } from '../../../shared/origin.ts'
import { activity as texts } from '../../texts/activity.ts'
import { describeAction } from '../../ui/audit-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { notifyError } from '../../ui/toast.tsx'
import { deleteConversation } from '../memories/captured-actions.ts'
import { EventMemories } from './event-memories.tsx'

/** A kind of a later version is shown by its name. */
const describe = ({ kind, count }: ActivityEvent): string =>
  (texts.kinds[kind] as ((count: number) => string) | undefined)?.(count) ?? kind

/** Changes of the account have the name of an entry of the audit log. */
const subjectOf = ({ kind, subject }: ActivityEvent): string | null =>
  kind === 'account.changed' && subject ? describeAction(subject) : subject

const hasDetails = ({ kind, memories, session }: ActivityEvent): boolean =>
  memories.length > 0 || session !== null || kind === 'recall' || kind === 'context'

/** An event in a sentence, which opens to its memories. It stays as it is while others arrive. */
export const EventRow = memo(({ event }: { event: ActivityEvent }) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { client, question, session, memories, kind, created_at, took_ms } = event
  const subject = subjectOf(event)
  const excerpt = memories.find((memory) => memory.excerpt)?.excerpt
  return (
    <li>
      <div className="activity-line">
        <div className="grow">
          <p>
            <span className={client ? 'badge activity-client' : 'activity-you'}>
              <bdi>{client ? assistantName(client) : texts.you}</bdi>
            </span>{' '}
            {describe(event)}
          </p>
          {question && (
            <blockquote className="activity-question">
              <bdi>{question}</bdi>
            </blockquote>
          )}
          {!question && (subject ?? excerpt) && (
            <p className="activity-excerpt quiet small">
              <bdi>{subject ?? excerpt}</bdi>
            </p>
          )}
        </div>
        <div className="activity-side">
          <span className="quiet small">
            <Time iso={created_at} />
          </span>
          {hasDetails(event) && (
            <Button
              look="quiet"
              aria-expanded={isOpen}
              aria-controls={id}
              onPress={() => setOpen(!isOpen)}
            >
              {texts.details}
            </Button>
          )}
        </div>
      </div>
      {isOpen && (
        <div id={id} className="activity-details">
          {took_ms != null && <p className="quiet small">{texts.took(took_ms)}</p>}
          <EventMemories event={event} />
          {session && client && (
            <div className="row">
              <Link className="button" to="/activity" search={{ session }}>
                {texts.showSession}
              </Link>
              {kind === 'conversation.captured' && (
                <Button
                  icon="trash"
                  onPress={() => void deleteConversation({ client, session }).catch(notifyError)}
                >
                  {texts.deleteSession}
                </Button>
              )}
            </div>
          )}
        </div>
      )}
    </li>
  )
})
