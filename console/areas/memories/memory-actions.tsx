import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { deleteMemory, type Memory, restoreMemory } from '../../../shared/contract/memories.ts'
import { useAction } from '../../session/query.ts'
import { memory as texts } from '../../texts/memory.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { forgetAll, refreshAfterWrite } from './actions.ts'
import { SupersedeDialog } from './supersede.tsx'

const route = getRouteApi('/memories/$id')

/** Edit and replace a memory, or restore it where it is replaced; forget or delete it. */
export const MemoryActions = ({ memory }: { memory: Memory }) => {
  const navigate = useNavigate()
  const router = useRouter()
  const { edit } = route.useSearch()
  const [open, setOpen] = useState<'supersede' | 'erase'>()
  const [isForgetting, setForgetting] = useState(false)
  const close = () => setOpen(undefined)
  const forget = async () => {
    setForgetting(true)
    const { pathname } = router.state.location
    const done = await forgetAll([memory])
    setForgetting(false)
    // The user may have opened another memory meanwhile.
    const isHere = router.state.location.pathname === pathname
    if (done.length && isHere) await navigate({ to: '/memories' })
  }
  return (
    <>
      {memory.superseded_by ? (
        <RestoreButton memory={memory} />
      ) : (
        <>
          <Button
            icon="edit"
            isDisabled={edit === true}
            onPress={() =>
              void navigate({
                to: '/memories/$id',
                params: { id: memory.memory_id },
                search: { edit: true },
              })
            }
          >
            {texts.edit}
          </Button>
          <Button icon="restore" onPress={() => setOpen('supersede')}>
            {texts.supersede}
          </Button>
        </>
      )}
      <Button icon="trash" isPending={isForgetting} onPress={() => void forget()}>
        {texts.forget}
      </Button>
      <Menu
        label={texts.more}
        trigger={<IconButton icon="more" label={texts.more} />}
        actions={[
          { label: texts.erase, icon: 'trash', isDanger: true, onAction: () => setOpen('erase') },
        ]}
      />
      <SupersedeDialog memory={memory} isOpen={open === 'supersede'} onClose={close} />
      <EraseDialog memory={memory} isOpen={open === 'erase'} onClose={close} />
    </>
  )
}

/** Restores a deleted or replaced memory. */
const RestoreButton = ({ memory, look }: { memory: Memory; look?: 'primary' }) => {
  const restore = useAction(restoreMemory, {
    onSuccess: () => {
      notify(texts.restored)
      void refreshAfterWrite()
      document.querySelector('h1')?.focus()
    },
    onError: notifyError,
  })
  return (
    <Button
      {...(look && { look })}
      icon="restore"
      isPending={restore.isPending}
      onPress={() => restore.mutate({ params: { memory_id: memory.memory_id } })}
    >
      {texts.restore}
    </Button>
  )
}

/** Restore a deleted memory, or delete it permanently. */
export const DeletedActions = ({ memory }: { memory: Memory }) => {
  const [isErasing, setErasing] = useState(false)
  return (
    <>
      <RestoreButton memory={memory} look="primary" />
      <Button look="danger" icon="trash" onPress={() => setErasing(true)}>
        {texts.erase}
      </Button>
      <EraseDialog memory={memory} isOpen={isErasing} onClose={() => setErasing(false)} isTrash />
    </>
  )
}

interface EraseDialogProps {
  memory: Memory
  isOpen: boolean
  onClose: () => void
  isTrash?: boolean
}

const EraseDialog = ({ memory, isOpen, onClose, isTrash = false }: EraseDialogProps) => {
  const navigate = useNavigate()
  const erase = useAction(deleteMemory, {
    onSuccess: () => {
      notify(texts.erased)
      void refreshAfterWrite()
      void navigate({ to: '/memories', search: isTrash ? { deleted: true } : {} })
    },
  })
  return (
    <ConfirmDialog
      title={texts.eraseTitle}
      action={texts.erase}
      isOpen={isOpen}
      isPending={erase.isPending}
      error={erase.error}
      onConfirm={() =>
        erase.mutate({ params: { memory_id: memory.memory_id }, query: { permanent: true } })
      }
      onClose={onClose}
    >
      {texts.eraseNote}
    </ConfirmDialog>
  )
}
