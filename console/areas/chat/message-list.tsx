import type { ToolUse } from '../../../shared/contract/chat.ts'
import type { ChatMessage } from '../../../shared/contract/chat-messages.ts'
import type { UrlPage } from '../../../shared/contract/url.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { StoredAnswer } from './answer.tsx'
import { Question } from './question.tsx'
import { RunningTurn } from './running-turn.tsx'
import { ProposedPages } from './tools.tsx'
import type { ChatTurn } from './turns.ts'
import { useBranch } from './use-branch.ts'

interface MessageListProps {
  sessionId: string
  messages: readonly ChatMessage[]
  /** The turn below the messages. */
  turn: ChatTurn | undefined
  /** The tools of the last turn. */
  tools: readonly ToolUse[]
  onRegenerate: (() => void) | undefined
  onReadPage: (page: UrlPage) => void
  onShare: (messageId: string) => void
}

export const MessageList = (props: MessageListProps) => {
  const { sessionId, messages, turn, tools, onRegenerate, onReadPage, onShare } = props
  const branch = useBranch(sessionId)
  const last = messages.at(-1)
  const lastAnswer = messages.findLast(({ role, reply_to }) => role === 'assistant' && reply_to)
  const isUnanswered = last?.role === 'user' && !turn
  if (!messages.length && !turn)
    return (
      <EmptyState icon="chat" title={chat.session.empty} actions={null}>
        {chat.session.emptyNote}
      </EmptyState>
    )
  return (
    <>
      {messages.map((message) =>
        message.role === 'user' ? (
          <div key={message.id} id={message.id} tabIndex={-1}>
            <Question message={message} onEdit={() => branch.edit(message)} />
          </div>
        ) : (
          <div key={`${message.id} ${message.versions.length}`} id={message.id} tabIndex={-1}>
            <StoredAnswer
              message={message}
              onRegenerate={message === lastAnswer && !turn ? onRegenerate : undefined}
              onBranch={() => branch.after(message)}
              onShare={() => onShare(message.id)}
            />
          </div>
        ),
      )}
      {turn && <RunningTurn turn={turn} />}
      {isUnanswered && (
        <div className="chat-unanswered">
          <span className="quiet small">{chat.answer.unanswered}</span>
          {onRegenerate && (
            <Button isSmall icon="restore" onPress={onRegenerate}>
              {chat.answer.retry}
            </Button>
          )}
        </div>
      )}
      {onRegenerate && <ProposedPages tools={tools} onRead={onReadPage} />}
    </>
  )
}
