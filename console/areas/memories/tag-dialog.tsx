import { Tag } from '../../../shared/contract/memories.ts'
import { memories } from '../../texts/memories.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

const MAX_LENGTH = Number(Tag().maxLength)

interface TagDialogProps {
  count: number
  isOpen: boolean
  onClose: () => void
  onTag: (tag: string) => void
}

export const TagDialog = ({ count, isOpen, onClose, onTag }: TagDialogProps) => (
  <Dialog title={memories.bulk.tagTitle(count)} isOpen={isOpen} onClose={onClose}>
    <Form onSubmit={(data) => onTag(String(data.get('tag')).trim())}>
      <TextField
        name="tag"
        label={memories.filters.tag}
        isRequired
        maxLength={MAX_LENGTH}
        autoFocus
        validate={(text) => (text && !text.trim() ? memories.filters.tag : null)}
      />
      <DialogActions action={memories.bulk.tag} onCancel={onClose} />
    </Form>
  </Dialog>
)
