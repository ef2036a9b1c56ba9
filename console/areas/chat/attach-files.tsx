import { FileTrigger } from 'react-aria-components'
import { chatStream } from '../../../shared/contract/chat.ts'
import { uploadFile } from '../../../shared/contract/files.ts'
import { callApi } from '../../session/client.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { notifyError } from '../../ui/toast.tsx'
import { changeDraft, changeDraftFile, drafts } from './drafts.ts'

const texts = chat.composer
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
