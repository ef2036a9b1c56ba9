import { Suspense } from 'react'
import { listSessionCategories } from '../../../shared/contract/categories.ts'
import {
  type ChatSession,
  deleteChatSession,
  getChatSession,
  moveChatSession,
  updateChatSession,
} from '../../../shared/contract/chat-sessions.ts'
import { sharing } from '../../features.ts'
import { forget, useAction, useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'
import type { SessionDialog } from './session-actions.ts'

const texts = chat.session

interface SessionDialogsProps {
  dialog: SessionDialog | undefined
  onClose: () => void
  onDeleted: (sessionId: string) => void
}

export const SessionDialogs = ({ dialog, onClose, onDeleted }: SessionDialogsProps) => {
  if (!dialog) return null
  const { kind, session } = dialog
  if (kind === 'rename') return <RenameDialog session={session} onClose={onClose} />
  if (kind === 'move') return <MoveDialog session={session} onClose={onClose} />
  if (kind === 'share')
    return (
      <Suspense>{sharing && <sharing.Dialog sessionId={session.id} onClose={onClose} />}</Suspense>
    )
  return <DeleteDialog session={session} onClose={onClose} onDeleted={onDeleted} />
}

interface OneDialogProps {
  session: ChatSession
  onClose: () => void
}

const { title } = updateChatSession.body.properties

const RenameDialog = ({ session, onClose }: OneDialogProps) => {
  const rename = useAction(updateChatSession, { onSuccess: onClose })
  return (
    <Dialog title={texts.renameTitle} isOpen onClose={onClose}>
      <Form
        error={rename.error}
        fields={['title']}
        onSubmit={(data) =>
          rename.mutate({
            params: { session_id: session.id },
            body: { title: String(data.get('title')) },
          })
        }
      >
        <TextField
          name="title"
          label={texts.name}
          defaultValue={session.title}
          isRequired
          autoFocus
          maxLength={Number(title.maxLength)}
        />
        <div className="dialog-actions">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button type="submit" look="primary" isPending={rename.isPending}>
            {common.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

const NONE = 'none'

const MoveDialog = ({ session, onClose }: OneDialogProps) => {
  const categories = useApi(listSessionCategories, {})
  const move = useAction(moveChatSession, { onSuccess: onClose })
  return (
    <Dialog title={texts.move} isOpen onClose={onClose}>
      {(move.error ?? categories.error) && (
        <ErrorNotice error={move.error ?? categories.error ?? new Error()} />
      )}
      <Select
        label={texts.category}
        value={session.category_id ?? NONE}
        isDisabled={move.isPending || !categories.data}
        onChange={(id) =>
          move.mutate({
            params: { session_id: session.id },
            body: { category_id: id === NONE ? null : id },
          })
        }
        options={[
          { id: NONE, label: texts.noCategory },
          ...(categories.data ?? []).map(({ id, name }) => ({ id, label: name })),
        ]}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>{common.close}</Button>
      </div>
    </Dialog>
  )
}

const DeleteDialog = ({
  session,
  onClose,
  onDeleted,
}: OneDialogProps & Pick<SessionDialogsProps, 'onDeleted'>) => {
  const remove = useAction(deleteChatSession, {
    onSuccess: () => {
      forget(getChatSession, { params: { session_id: session.id } })
      notify(texts.removed)
      onClose()
      onDeleted(session.id)
    },
  })
  return (
    <ConfirmDialog
      title={texts.removeTitle(session.title || chat.untitled)}
      action={texts.remove}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { session_id: session.id } })}
      onClose={onClose}
    >
      {texts.removeNote}
    </ConfirmDialog>
  )
}
