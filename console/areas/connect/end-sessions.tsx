import {
  revokeAllSessions,
  revokeSession,
  type Session,
} from '../../../shared/contract/sessions.ts'
import { useAction } from '../../session/query.ts'
import { leaveEverywhere } from '../../session/token.ts'
import { connect } from '../../texts/connect.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = connect.sessions

export type SessionsToEnd = { session: Session; name: string } | 'others' | 'all'

interface EndSessionsDialogProps {
  ending: SessionsToEnd | undefined
  onClose: () => void
}

const describe = (ending: SessionsToEnd | undefined) => {
  if (ending === 'all') return { title: texts.endAllTitle, note: texts.endAllNote }
  if (ending === 'others') return { title: texts.endOthersTitle, note: texts.endOthersNote }
  if (ending?.session.current) return { title: texts.signOutTitle, note: texts.signOutNote }
  return { title: texts.endTitle(ending?.name ?? ''), note: texts.endNote }
}

/** Asks before one session, all others or all end. Without its own session this tab has to sign in. */
export const EndSessionsDialog = ({ ending, onClose }: EndSessionsDialogProps) => {
  const close = () => {
    onClose()
    one.reset()
    all.reset()
  }
  const done = (text: string) => {
    notify(text)
    close()
  }
  const one = useAction(revokeSession, {
    onSuccess: () => {
      if (typeof ending !== 'object') return
      if (ending.session.current) leaveEverywhere()
      else done(texts.ended(ending.name))
    },
  })
  const all = useAction(revokeAllSessions, {
    onSuccess: (_, { query }) => {
      if (query?.keep_current) done(texts.endedOthers)
      else leaveEverywhere()
    },
  })
  const confirm = () => {
    if (typeof ending === 'object') one.mutate({ params: { session_id: ending.session.id } })
    else all.mutate({ query: { keep_current: ending === 'others' } })
  }
  const { title, note } = describe(ending)
  return (
    <ConfirmDialog
      title={title}
      action={typeof ending === 'object' ? texts.end : texts.signOut}
      isOpen={ending !== undefined}
      isPending={one.isPending || all.isPending}
      error={one.error ?? all.error}
      onConfirm={confirm}
      onClose={close}
    >
      {note}
    </ConfirmDialog>
  )
}
