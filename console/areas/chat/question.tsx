import { type ReactNode, useEffect, useState } from 'react'
import type { ChatMessage } from '../../../shared/contract/chat-messages.ts'
import { getFile } from '../../../shared/contract/files.ts'
import { downloadFile, fetchFile } from '../../session/download.ts'
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
    {message.content_blocks.map(({ type, text, image_url }, index) => (
      // Blocks of a message do not change.
      <div key={index}>
        {type === 'image_url' && image_url ? (
          <img className="chat-picture" src={image_url.url} alt={texts.image} />
        ) : (
          <p className="user-text small" dir="auto">
            {text}
          </p>
        )}
      </div>
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
  const { name, type } = file.data
  return (
    <>
      {type.startsWith('image/') && <Picture id={id} name={name} />}
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
    </>
  )
}

/** An attached picture. An element cannot load it: that would send no access token. */
const Picture = ({ id, name }: { id: string; name: string }) => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    let loaded: string | undefined
    fetchFile(`/api/files/${encodeURIComponent(id)}/content`, abort.signal)
      .then((content) => {
        if (abort.signal.aborted) return
        loaded = URL.createObjectURL(content)
        setUrl(loaded)
      })
      // The button below downloads it, and says why it cannot.
      .catch(() => {})
    return () => {
      abort.abort()
      if (loaded) URL.revokeObjectURL(loaded)
    }
  }, [id])
  return <img className="chat-picture" src={url} alt={name} hidden={!url} />
}
