import type { CallArgs } from '../../shared/client.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { useAction } from '../session/query.ts'
import { ConfirmDialog } from './dialog.tsx'
import { notify } from './toast.tsx'

interface RemovalDialogProps<E extends Endpoint> {
  row: E
  /** The name of the entry, and the request that removes it; undefined closes the dialog. */
  entry: { name: string; args: CallArgs<E> } | undefined
  /** The question, its consequences, the verb, and the message afterwards. */
  texts: {
    title: (name: string) => string
    note: string
    action: string
    done: (name: string) => string
  }
  onClose: () => void
}

/** Asks before an entry of a list is removed. */
export const RemovalDialog = <E extends Endpoint>(props: RemovalDialogProps<E>) => {
  const { row, entry, texts, onClose } = props
  const name = entry?.name ?? ''
  const close = () => {
    onClose()
    remove.reset()
  }
  const remove = useAction(row, {
    onSuccess: () => {
      notify(texts.done(name))
      close()
    },
  })
  return (
    <ConfirmDialog
      title={texts.title(name)}
      action={texts.action}
      isOpen={entry !== undefined}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => entry && remove.mutate(entry.args)}
      onClose={close}
    >
      {texts.note}
    </ConfirmDialog>
  )
}
