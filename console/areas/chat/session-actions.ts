import {
  archiveChatSession,
  type ChatSession,
  pinChatSession,
} from '../../../shared/contract/chat-sessions.ts'
import { sharing } from '../../features.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import type { MenuAction } from '../../ui/menu.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { exportChat } from './export-chat.ts'

const texts = chat.session
const describe = (isArchived: boolean) => (isArchived ? texts.archived : texts.unarchived)

export interface SessionDialog {
  kind: 'rename' | 'move' | 'share' | 'delete'
  session: ChatSession
}

/** The menu of a chat. Actions that ask for more open a dialog. */
export const useSessionActions = (
  session: ChatSession,
  onDialog: (dialog: SessionDialog) => void,
): MenuAction[] => {
  const params = { session_id: session.id }
  const pin = useAction(pinChatSession, { onError: notifyError })
  // Not the action itself, which would take an undo at once for its second click.
  const undo = useAction(archiveChatSession, {
    onSuccess: ({ is_archived }) => notify(describe(is_archived)),
    onError: notifyError,
  })
  const archive = useAction(archiveChatSession, {
    onSuccess: ({ is_archived }) =>
      notify(describe(is_archived), { label: common.undo, run: () => undo.mutate({ params }) }),
    onError: notifyError,
  })
  const open = (kind: SessionDialog['kind']) => () => onDialog({ kind, session })
  return [
    {
      label: session.is_pinned ? texts.unpin : texts.pin,
      icon: 'pin',
      onAction: () => pin.mutate({ params }),
    },
    { label: texts.rename, icon: 'edit', onAction: open('rename') },
    { label: texts.move, icon: 'tag', onAction: open('move') },
    {
      label: texts.export,
      icon: 'download',
      onAction: () => void exportChat(session).catch(notifyError),
    },
    ...(sharing ? [{ label: texts.share, icon: 'share' as const, onAction: open('share') }] : []),
    {
      label: session.is_archived ? texts.unarchive : texts.archive,
      icon: 'archive',
      onAction: () => archive.mutate({ params }),
    },
    { label: texts.remove, icon: 'trash', isDanger: true, onAction: open('delete') },
  ]
}
