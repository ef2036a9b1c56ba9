import { useNavigate } from '@tanstack/react-router'
import { deleteReflex, type Reflex } from '../../../shared/contract/reflexes.ts'
import { useAction } from '../../session/query.ts'
import { reflexes as texts } from '../../texts/reflexes.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'

interface DeleteReflexDialogProps {
  reflex: Reflex
  isOpen: boolean
  onClose: () => void
}

export const DeleteReflexDialog = ({ reflex, isOpen, onClose }: DeleteReflexDialogProps) => {
  const navigate = useNavigate()
  const remove = useAction(deleteReflex, {
    onSuccess: () => {
      notify(texts.deleted(reflex.name))
      void navigate({ to: '/automation/reflexes', replace: true })
    },
  })
  return (
    <ConfirmDialog
      title={texts.deleteTitle(reflex.name)}
      action={texts.delete}
      isOpen={isOpen}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { reflex_id: reflex.reflex_id } })}
      onClose={() => {
        remove.reset()
        onClose()
      }}
    >
      {texts.deleteNote}
    </ConfirmDialog>
  )
}
