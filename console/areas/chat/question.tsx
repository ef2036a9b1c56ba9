import type { ReactNode } from 'react'
import type { ChatMessage } from '../../../shared/contract/chat-sessions.ts'
import { getFile } from '../../../shared/contract/files.ts'
import { downloadFile } from '../../session/download.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { notifyError } from '../../ui/toast.tsx'

const texts = chat.message

/** A message of the user. */
export const QuestionBubble = ({ text, actions, children }: QuestionBubbleProps) => (
  <div className="chat-question-row">
    {actions}
    <div className="chat-question">
      <span className="visually-hidden">{texts.you}</span>
      {text && (
        <p className="user-text" dir="auto">
          {text}
        </p>
      )}
      {children}
    </div>
  </div>
)

interface QuestionBubbleProps {
  text: string
  /** Beside the bubble. */
  actions?: ReactNode
  children?: ReactNode
}

export const FileNames = ({ names }: { names: readonly string[] }) =>
  names.map((name) => (
    <span key={name} className="chat-file">
      <Icon name="file" />
      <bdi className="truncate">{name}</bdi>
    </span>
  ))

/** A stored message of the user with its attachments. */
export const Question = ({ message, onEdit }: { message: ChatMessage; onEdit: () => void }) => (
  <QuestionBubble
    text={message.content}
    actions={<IconButton icon="edit" isSmall label={texts.edit} onPress={onEdit} />}
  >
    {message.file_ids.map((id) => (
      <AttachedFile key={id} id={id} />
    ))}
    {message.content_blocks.map(({ type, text }, index) => (
      // Blocks of a message do not change.
      <p key={index} className="user-text small" dir="auto">
        {type === 'image_url' ? texts.image : text}
      </p>
    ))}
    {message.url_snapshot_hash && (
      <span className="chat-file">
        <Icon name="globe" />
        {texts.page}
      </span>
    )}
  </QuestionBubble>
)

const AttachedFile = ({ id }: { id: string }) => {
  const file = useApi(getFile, { params: { file_id: id } })
  if (!file.data)
    return (
      <span className="chat-file quiet">
        <Icon name="file" />
        {file.error ? texts.deletedFile : texts.file}
      </span>
    )
  const { name } = file.data
  return (
    <Button
      isSmall
      icon="file"
      aria-label={texts.download(name)}
      onPress={() =>
        void downloadFile(`/api/files/${encodeURIComponent(id)}/content`, name).catch(notifyError)
      }
    >
      <bdi className="truncate chat-file-name">{name}</bdi>
    </Button>
  )
}
