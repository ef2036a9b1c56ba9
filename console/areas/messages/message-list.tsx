import { type DirectMessage, sendDirectMessage } from '../../../shared/contract/dm.ts'
import { useMe } from '../../session/me.ts'
import { useAction } from '../../session/query.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { Time } from '../../ui/time.tsx'
import { useFollowEnd } from '../../ui/use-follow-end.ts'
import { useIsPast } from '../../ui/use-is-past.ts'

interface MessageListProps {
  /** Oldest first, at least one. */
  messages: readonly DirectMessage[]
  older: Parameters<typeof LoadMore>[0]['query']
  /** Whether the messages could not be requested again. */
  isStale: boolean
  /** Without it, the messages cannot be replied to. */
  onReply?: (message: DirectMessage) => void
}

/** The last question to the service, unless it was answered: the service replies to each. */
const unansweredIn = (messages: readonly DirectMessage[]): DirectMessage | undefined => {
  const last = messages.findLast(({ mentions_icog }) => mentions_icog)
  const isAnswered = messages.some(({ reply_to_message_id }) => reply_to_message_id === last?.id)
  return isAnswered ? undefined : last
}

export const MessageList = ({ messages, older, isStale, onReply }: MessageListProps) => {
  const me = useMe()
  const end = useFollowEnd(messages[0]?.id)
  const byId = new Map(messages.map((message) => [message.id, message]))
  const unanswered = isStale ? undefined : unansweredIn(messages)
  return (
    <ScrollRegion
      className="dm-scroll"
      label={texts.title}
      ref={end.container}
      onScroll={end.onScroll}
    >
      <ol className="dm-messages plain">
        {older.hasNextPage && (
          <li>
            <LoadMore query={older} label={texts.older} />
          </li>
        )}
        {messages.map((message) => (
          <Message
            key={message.id}
            message={message}
            isOwn={message.author_id === me?.id}
            quoted={message.reply_to_message_id}
            original={byId.get(message.reply_to_message_id ?? '')}
            onReply={onReply}
          />
        ))}
        {unanswered && (
          <li>
            <Waiting
              key={unanswered.id}
              question={unanswered}
              canAskAgain={onReply !== undefined && unanswered.author_id === me?.id}
            />
          </li>
        )}
      </ol>
    </ScrollRegion>
  )
}

interface MessageProps {
  message: DirectMessage
  isOwn: boolean
  /** The id of the message that this one replies to. */
  quoted: string | null
  /** That message, if it is loaded. */
  original: DirectMessage | undefined
  onReply: ((message: DirectMessage) => void) | undefined
}

const Message = ({ message, isOwn, quoted, original, onReply }: MessageProps) => (
  <li className={isOwn ? 'dm-message own' : 'dm-message'}>
    <div className="row small">
      <strong>
        <bdi>{isOwn ? texts.you : message.author_display_name}</bdi>
      </strong>
      <span className="quiet">
        <Time iso={message.created_at} />
      </span>
      {onReply && (
        <Button
          isSmall
          look="quiet"
          aria-label={texts.replyTo(message.author_display_name)}
          onPress={() => onReply(message)}
        >
          {texts.reply}
        </Button>
      )}
    </div>
    {quoted && (
      <p className="dm-quote truncate quiet small">{original?.content ?? texts.earlier}</p>
    )}
    <p className="dm-bubble user-text" dir="auto">
      {message.content}
    </p>
  </li>
)

/** Models take up to two minutes to begin. A later answer still appears. */
const ANSWER_MS = 3 * 60_000

interface WaitingProps {
  question: DirectMessage
  canAskAgain: boolean
}

/** Below a question to the service without an answer: it is answered, or it was not. */
const Waiting = ({ question, canAskAgain }: WaitingProps) => {
  const isLate = useIsPast(Date.parse(question.created_at) + ANSWER_MS)
  return (
    <div role="status">
      {isLate ? (
        <Notice look="warn" action={canAskAgain && <AskAgain question={question} />}>
          {texts.unanswered}
        </Notice>
      ) : (
        <p className="quiet small">{texts.waiting}</p>
      )}
    </div>
  )
}

const AskAgain = ({ question }: Pick<WaitingProps, 'question'>) => {
  const { thread_id, content, reply_to_message_id } = question
  const ask = useAction(sendDirectMessage)
  return (
    <>
      <Button
        isSmall
        isPending={ask.isPending}
        onPress={() =>
          ask.mutate({ params: { thread_id }, body: { content, reply_to_message_id } })
        }
      >
        {texts.askAgain}
      </Button>
      {ask.error && <ErrorNotice error={ask.error} />}
    </>
  )
}
