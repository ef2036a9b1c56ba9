import { useNavigate } from '@tanstack/react-router'
import { type Memory, remember } from '../../../shared/contract/memories.ts'
import { useAction } from '../../session/query.ts'
import { memory as texts } from '../../texts/memory.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'
import { refreshAfterWrite } from './actions.ts'
import { submitWithEnter } from './memory-fields.tsx'

const ROWS = 6

interface SupersedeDialogProps {
  memory: Memory
  isOpen: boolean
  onClose: () => void
}

/** Writes a new memory in the place of an old one, with its type, tags and thread. */
export const SupersedeDialog = ({ memory, isOpen, onClose }: SupersedeDialogProps) => {
  const navigate = useNavigate()
  const save = useAction(remember, {
    onSuccess: ({ memory_id }) => {
      notify(texts.superseded)
      void refreshAfterWrite()
      close()
      void navigate({ to: '/memories/$id', params: { id: memory_id } })
    },
  })
  const close = () => {
    onClose()
    save.reset()
  }
  const submit = (data: FormData) => {
    const { memory_type, importance, tags, thread, author, agent_slug, project, memory_id } = memory
    save.mutate({
      body: {
        content: String(data.get('content')),
        memory_type,
        importance,
        tags,
        thread,
        author,
        agent_slug,
        project,
        supersedes: memory_id,
      },
    })
  }
  return (
    <Dialog title={texts.supersedeTitle} isOpen={isOpen} onClose={close} isWide>
      <p className="quiet">{texts.supersedeNote}</p>
      <Form onSubmit={submit} error={save.error} fields={['content']}>
        <TextField
          name="content"
          label={texts.newText}
          rows={ROWS}
          isRequired
          autoFocus
          defaultValue={memory.content_text}
          onKeyDown={(event) => {
            submitWithEnter(event)
            event.continuePropagation()
          }}
        />
        <DialogActions action={texts.supersede} isPending={save.isPending} onCancel={close} />
      </Form>
    </Dialog>
  )
}
