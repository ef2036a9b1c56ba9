import { useState } from 'react'
import { readUrl } from '../../../shared/contract/url.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { changeDraft } from './drafts.ts'

const texts = chat.page
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
      <Dialog title={texts.title} isOpen={isOpen} onClose={close}>
        <Form
          error={read.error}
          fields={['url']}
          onSubmit={(data) => read.mutate({ body: { url: String(data.get('url')) } })}
        >
          <TextField
            name="url"
            type="url"
            label={texts.url}
            note={texts.note}
            placeholder="https://"
            isRequired
            autoFocus
            maxLength={Number(url.maxLength)}
          />
          <DialogActions action={texts.attach} isPending={read.isPending} onCancel={close} />
        </Form>
      </Dialog>
    </>
  )
}
