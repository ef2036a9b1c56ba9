import { useState } from 'react'
import type { ChatMessage, ChatMessageVersion } from '../../../shared/contract/chat-messages.ts'
import { sharing } from '../../features.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { formatDateTime, Time } from '../../ui/time.tsx'
import { CitedMemories } from './cited-memories.tsx'
import { ContextButton } from './context.tsx'
import { AnswerText } from './running-turn.tsx'

const texts = chat.answer

interface AnswerProps {
  message: ChatMessage
  /** Undefined where the answer cannot be replaced. */
  onRegenerate: (() => void) | undefined
  onBranch: () => void
  onShare: () => void
}

/** A stored answer with its earlier versions, or a notice. */
export const StoredAnswer = ({ message, onRegenerate, onBranch, onShare }: AnswerProps) => {
  const versions: ChatMessageVersion[] = [...message.versions, message]
  const [chosen, setChosen] = useState<number>()
  const index = Math.min(chosen ?? versions.length - 1, versions.length - 1)
  const { content, is_partial, provider, model, created_at } = versions[index] ?? message
  return (
    <div className="chat-answer">
      <div className="chat-answer-body">
        <span className="visually-hidden">{chat.message.svc}</span>
        {message.reply_to === null && <span className="badge">{chat.message.notice}</span>}
        <AnswerText text={content} />
        {is_partial && <p className="small quiet">{texts.partial}</p>}
        <div className="chat-answer-actions">
          {versions.length > 1 && (
            <Versions index={index} total={versions.length} onChoose={setChosen} />
          )}
          <CopyButton text={content} label={texts.copy} />
          {onRegenerate && (
            <IconButton icon="restore" label={texts.regenerate} onPress={onRegenerate} />
          )}
          <IconButton icon="branch" label={texts.branch} onPress={onBranch} />
          {sharing && <IconButton icon="share" label={texts.shareUpTo} onPress={onShare} />}
          {message.model && <ContextButton message={message} />}
          <span className="small quiet" title={formatDateTime(created_at)}>
            {provider === 'local' ? chat.session.fromMemory : (model ?? provider)}{' '}
            <Time iso={created_at} />
          </span>
        </div>
      </div>
      <CitedMemories memories={message.memories} />
    </div>
  )
}

interface VersionsProps {
  index: number
  total: number
  onChoose: (index: number) => void
}

const Versions = ({ index, total, onChoose }: VersionsProps) => (
  <span className="chat-versions">
    <IconButton
      icon="back"
      isSmall
      label={texts.previous}
      isDisabled={index === 0}
      onPress={() => onChoose(index - 1)}
    />
    <span className="small numeric">{texts.version(index + 1, total)}</span>
    <IconButton
      icon="next"
      isSmall
      label={texts.next}
      isDisabled={index === total - 1}
      onPress={() => onChoose(index + 1)}
    />
  </span>
)
