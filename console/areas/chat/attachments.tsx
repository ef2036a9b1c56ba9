import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { describeError } from '../../ui/describe-error.ts'
import { formatSize } from '../../ui/file-size.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { changeDraft, type DraftFile, drafts } from './drafts.ts'

const texts = chat.composer

const fileNote = ({ size, stored, error }: DraftFile): string => {
  if (error) return describeError(error)
  if (!stored) return texts.uploading
  const isPicture = stored.type.startsWith('image/')
  return stored.has_text || isPicture ? formatSize(size) : `${formatSize(size)}, ${texts.noText}`
}

/** The files and the page of a draft. */
export const Attachments = ({ draftKey }: { draftKey: string }) => {
  const { files, page } = drafts.use(draftKey)
  if (!files.length && !page) return null
  return (
    <ul className="chat-attachments plain" aria-label={texts.attachments}>
      {files.map((file) => (
        <Attachment
          key={file.key}
          icon="file"
          name={file.name}
          note={fileNote(file)}
          isBad={file.error !== undefined}
          onRemove={() =>
            changeDraft(draftKey, {
              files: drafts.get(draftKey).files.filter(({ key }) => key !== file.key),
            })
          }
        />
      ))}
      {page && (
        <Attachment
          icon="globe"
          name={page.title || page.url}
          note={texts.words(page.word_count)}
          onRemove={() => changeDraft(draftKey, { page: null })}
        />
      )}
    </ul>
  )
}

interface AttachmentProps {
  icon: IconName
  name: string
  note: string
  isBad?: boolean
  onRemove: () => void
}

const Attachment = ({ icon, name, note, isBad, onRemove }: AttachmentProps) => (
  <li className={isBad ? 'chat-attachment bad' : 'chat-attachment'}>
    <Icon name={icon} />
    <span className="chat-attachment-text">
      <bdi className="truncate">{name}</bdi>
      <span role="status" className="small quiet">
        {note}
      </span>
    </span>
    <IconButton icon="close" label={texts.removeNamed(name)} isSmall onPress={onRemove} />
  </li>
)
