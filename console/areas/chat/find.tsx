import { useDeferredValue, useState } from 'react'
import { type ChatMessage, listChatMessages } from '../../../shared/contract/chat-messages.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { chatContext } from '../../texts/chat-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

const texts = chatContext.find
const LIMIT = 50
/** Characters that are shown around a match. */
const AROUND = 60

interface FindProps {
  sessionId: string
  onChoose: (message: ChatMessage) => void
  onClose: () => void
}

/** Finds messages of a chat by a text, also those that are not loaded. */
export const FindBar = ({ sessionId, onChoose, onClose }: FindProps) => {
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const found = useApi(
    listChatMessages,
    { params: { session_id: sessionId }, query: { q, limit: LIMIT } },
    { enabled: q !== '' },
  )
  const messages = q ? (found.data?.toReversed() ?? []) : []
  return (
    <search
      className="chat-find"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <div className="row">
        <div className="grow">
          <TextField label={texts.label} isLabelHidden autoFocus value={text} onChange={setText} />
        </div>
        <span className="quiet small" role="status">
          {q && found.data && texts.found(messages.length)}
        </span>
        <IconButton icon="close" label={texts.close} onPress={onClose} />
      </div>
      {messages.length > 0 && (
        <ol className="plain" aria-label={texts.results}>
          {messages.map((message) => (
            <li key={message.id}>
              <Button isSmall look="quiet" onPress={() => onChoose(message)}>
                <bdi className="truncate">{excerptOf(message, q)}</bdi>
              </Button>
            </li>
          ))}
        </ol>
      )}
    </search>
  )
}

const excerptOf = ({ role, content }: ChatMessage, q: string): string => {
  const at = Math.max(0, content.toLowerCase().indexOf(q.toLowerCase()))
  const start = Math.max(0, at - AROUND)
  const part = content.slice(start, at + q.length + AROUND).toWellFormed()
  const author = role === 'user' ? chat.message.you : chat.message.svc
  return `${author}: ${start ? '…' : ''}${part.replaceAll(/\s+/g, ' ')}`
}
