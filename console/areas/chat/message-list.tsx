import { useNavigate } from '@tanstack/react-router'
import type { ToolUse } from '../../../shared/contract/chat.ts'
import type { ChatMessage } from '../../../shared/contract/chat-messages.ts'
import { branchChatSession } from '../../../shared/contract/chat-sessions.ts'
import { getFile } from '../../../shared/contract/files.ts'
import type { UrlPage } from '../../../shared/contract/url.ts'
import { callApi } from '../../session/client.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { StoredAnswer } from './answer.tsx'
import { changeDraft, type DraftFile, drafts } from './drafts.ts'
import { Question } from './question.tsx'
import { RunningTurn } from './running-turn.tsx'
import { ProposedPages } from './tools.tsx'
import type { ChatTurn } from './turns.ts'

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

const texts = chat.message

/** A file that was deleted since is left out. */
const filesOf = async ({ file_ids }: ChatMessage): Promise<DraftFile[]> => {
  const found = await Promise.allSettled(
    file_ids.map((file_id) => callApi(getFile, { params: { file_id } })),
  )
  return found.flatMap((file) =>
    file.status === 'fulfilled' ? [{ ...file.value, key: file.value.id, stored: file.value }] : [],
  )
}

/** Goes on with a chat from an earlier message, in a copy: nothing of the chat is lost. */
const useBranch = (sessionId: string) => {
  const navigate = useNavigate()
  const branch = useAction(branchChatSession, { onError: notifyError })
  const open = (id: string) =>
    void navigate({ to: '/chat/$sessionId', params: { sessionId: id }, search: true })

  const start = async (body: { message_id: string; is_included: boolean }, draft = {}) => {
    const { id } = await branch.mutateAsync({ params: { session_id: sessionId }, body })
    const { depth, tools, provider } = drafts.get(sessionId)
    changeDraft(id, { depth, tools, provider, ...draft })
    open(id)
    notify(texts.branched, { label: texts.backToFirst, run: () => open(sessionId) })
    return id
  }
  return {
    /** Copies the messages up to one. */
    after: ({ id }: ChatMessage) => {
      void start({ message_id: id, is_included: true }).catch(() => {})
    },
    /** Copies the messages before one, which becomes the draft. */
    edit: (message: ChatMessage) => {
      void start({ message_id: message.id, is_included: false }, { text: message.content })
        .then(async (id) => changeDraft(id, { files: await filesOf(message) }))
        // The action has reported it.
        .catch(() => {})
    },
  }
}
