import type { CallArgs } from '../../shared/client.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { useAction } from '../session/query.ts'
import { ConfirmDialog } from './dialog.tsx'
import { notify } from './toast.tsx'

type Text = string | ((name: string) => string)

interface RemovalDialogProps<E extends Endpoint> {
  row: E
  /** The name of the entry, and the request that removes it; undefined closes the dialog. */
  entry: { name: string; args: CallArgs<E> } | undefined
  /** The question, its consequences, the verb, and the message afterwards. */
  texts: {
    title: Text
    note: string
    action: string
    done: Text
  }
  onClose: () => void
  /** Called after the removal, such as to show another screen. Default: `onClose`. */
  onDone?: () => void
}

/** Asks before an entry is removed. */
export const RemovalDialog = <E extends Endpoint>(props: RemovalDialogProps<E>) => {
  const { row, entry, texts, onClose } = props
  const named = (text: Text) => (typeof text === 'string' ? text : text(entry?.name ?? ''))
  const close = () => {
    onClose()
    remove.reset()
  }
  const remove = useAction(row, {
    onSuccess: () => {
      notify(named(texts.done))
      if (props.onDone) props.onDone()
      else close()
    },
  })
  return (
    <ConfirmDialog
      title={named(texts.title)}
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
