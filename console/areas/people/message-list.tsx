import { useLayoutEffect, useRef } from 'react'
import type { DirectMessage } from '../../../shared/schemas/dm.ts'
import { useMe } from '../../session/me.ts'
import { directMessages as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import { Time } from '../../ui/time.tsx'

interface MessageListProps {
  /** Oldest first. */
  messages: readonly DirectMessage[]
  older: Parameters<typeof LoadMore>[0]['query']
  /** Without it, the messages cannot be replied to. */
  onReply?: (message: DirectMessage) => void
}

/** The distance from the end at which new messages keep the list at the end. */
const NEAR_END_PX = 120

/** Follows new messages, unless the reader is at earlier ones. */
const useFollow = (lastId: string | undefined) => {
  const box = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  useLayoutEffect(() => {
    const { current } = box
    if (lastId !== undefined && current && isAtEnd.current) current.scrollTop = current.scrollHeight
  }, [lastId])
  const onScroll = () => {
    const { current } = box
    if (!current) return
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_END_PX
  }
  return { ref: box, onScroll }
}

/** The service answers a mention with a reply to it. */
const isWaiting = (messages: readonly DirectMessage[]): boolean => {
  const last = messages.findLast(({ mentions_icog }) => mentions_icog)
  return (
    last !== undefined &&
    !messages.some(({ reply_to_message_id }) => reply_to_message_id === last.id)
  )
}

export const MessageList = ({ messages, older, onReply }: MessageListProps) => {
  const me = useMe()
  const follow = useFollow(messages.at(-1)?.id)
  const byId = new Map(messages.map((message) => [message.id, message]))
  if (messages.length === 0) return <p className="dm-messages quiet">{texts.noMessages}</p>
  return (
    <ScrollRegion className="dm-scroll" label={texts.title} {...follow}>
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
        {isWaiting(messages) && (
          <li className="quiet small" role="status">
            {texts.waiting}
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
