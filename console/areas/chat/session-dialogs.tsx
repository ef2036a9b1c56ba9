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
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
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
  const params = { session_id: session.id }
  return (
    <RemovalDialog
      row={deleteChatSession}
      entry={{ name: session.title || chat.untitled, args: { params } }}
      texts={{
        title: texts.removeTitle,
        note: texts.removeNote,
        action: texts.remove,
        done: texts.removed,
      }}
      onClose={onClose}
      onDone={() => {
        forget(getChatSession, { params })
        onClose()
        onDeleted(session.id)
      }}
    />
  )
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
        <DialogActions action={common.save} isPending={rename.isPending} onCancel={onClose} />
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
