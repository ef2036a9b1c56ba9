import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { chatStream } from '../../../shared/contract/chat.ts'
import { uploadFile } from '../../../shared/contract/files.ts'
import { readUrl } from '../../../shared/contract/url.ts'
import { callApi } from '../../session/client.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { describeError } from '../../ui/describe-error.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { formatSize } from '../../ui/file-size.ts'
import { Form } from '../../ui/form.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { notifyError } from '../../ui/toast.tsx'
import { changeDraft, changeDraftFile, type DraftFile, drafts } from './drafts.ts'

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

const MAX_FILES = Number(chatStream.body.properties.file_ids.maxItems)
const MAX_BYTES = uploadFile.upload?.maxBytes ?? Number.POSITIVE_INFINITY

const uploadOne = async (draftKey: string, file: File): Promise<void> => {
  const key = crypto.randomUUID()
  const { name, size } = file
  const entry = { key, name, size }
  if (size > MAX_BYTES) return notifyError(new Error(texts.fileTooLarge(name)))
  changeDraft(draftKey, { files: [...drafts.get(draftKey).files, entry] })
  try {
    changeDraftFile(draftKey, key, { stored: await callApi(uploadFile, { upload: file }) })
  } catch (error) {
    if (error instanceof Error) changeDraftFile(draftKey, key, { error })
  }
}

/** Uploads files, one after the other, and attaches them to a draft. */
export const uploadTo =
  (draftKey: string) =>
  async (files: readonly File[]): Promise<void> => {
    if (drafts.get(draftKey).files.length + files.length > MAX_FILES)
      return notifyError(new Error(texts.tooManyFiles(MAX_FILES)))
    for (const file of files) await uploadOne(draftKey, file)
  }

export const AttachFilesButton = ({ upload }: { upload: (files: readonly File[]) => unknown }) => (
  <FileTrigger
    allowsMultiple
    onSelect={(chosen) => {
      if (chosen) upload([...chosen])
    }}
  >
    <IconButton icon="file" label={texts.attach} />
  </FileTrigger>
)

const pageTexts = chat.page
const { url } = readUrl.body.properties

/** Attaches the text of a web page to a draft. A message has one page at most. */
export const AttachPageButton = ({ draftKey }: { draftKey: string }) => {
  const [isOpen, setOpen] = useState(false)
  const read = useAction(readUrl, {
    onSuccess: (page) => {
      changeDraft(draftKey, { page })
      setOpen(false)
    },
  })
  const close = () => {
    setOpen(false)
    read.reset()
  }
  return (
    <>
      <IconButton icon="globe" label={chat.composer.page} onPress={() => setOpen(true)} />
      <Dialog title={pageTexts.title} isOpen={isOpen} onClose={close}>
        <Form
          error={read.error}
          fields={['url']}
          onSubmit={(data) => read.mutate({ body: { url: String(data.get('url')) } })}
        >
          <TextField
            name="url"
            type="url"
            label={pageTexts.url}
            note={pageTexts.note}
            placeholder="https://"
            isRequired
            autoFocus
            maxLength={Number(url.maxLength)}
          />
          <DialogActions action={pageTexts.attach} isPending={read.isPending} onCancel={close} />
        </Form>
      </Dialog>
    </>
  )
}
