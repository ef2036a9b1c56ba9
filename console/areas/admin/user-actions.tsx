import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type AdminUser,
  deleteUser,
  disableUser,
  enableUser,
  resetSecondFactor,
  setUserAdmin,
  setUserEmail,
  setUserTier,
} from '../../../shared/contract/admin.ts'
import { startImpersonation } from '../../../shared/contract/impersonation.ts'
import { TIER_NAMES, type TierName } from '../../../shared/tiers.ts'
import { impersonate } from '../../session/token.ts'
import { switchWorkspace } from '../../session/workspace.ts'
import { admin } from '../../texts/admin.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { notify } from '../../ui/toast.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const texts = admin.user

export type UserAction = keyof typeof DIALOGS

interface DialogProps {
  user: AdminUser
  onClose: () => void
}

/** The dialog of an action. A new one has no error and no choice of an earlier one. */
export const UserDialog = ({ action, ...props }: DialogProps & { action: UserAction }) => {
  const Dialog = DIALOGS[action]
  return <Dialog {...props} />
}

/** A change is seen in these places, and reported. */
const changed = (text: string, onClose: () => void) => () => {
  notify(text)
  onClose()
}

const nameOf = (user: AdminUser): string => user.display_name ?? user.username
const bodyOf = (reason: string) => (reason ? { reason } : {})

const PAID = 'paid'
const OPTIONS = [
  { id: PAID, label: texts.byPayment },
  ...TIER_NAMES.map((id) => ({ id, label: id })),
] as const

const TierDialog = ({ user, onClose }: DialogProps) => {
  const [tier, setTier] = useState<TierName | typeof PAID>(user.tier)
  return (
    <ReasonDialog
      row={setUserTier}
      title={texts.changeTier}
      note={texts.tierNote}
      label={texts.changeTier}
      onDone={changed(texts.tierChanged, onClose)}
      onClose={onClose}
      args={(reason) => ({
        params: { user_id: user.id },
        body: { tier: tier === PAID ? null : tier, ...bodyOf(reason) },
      })}
    >
      <Select label={texts.tier} options={OPTIONS} value={tier} onChange={setTier} />
    </ReasonDialog>
  )
}

const AdminDialog = ({ user, onClose }: DialogProps) => {
  const { is_admin } = user
  return (
    <ReasonDialog
      row={setUserAdmin}
      title={is_admin ? texts.revokeTitle(nameOf(user)) : texts.grantTitle(nameOf(user))}
      note={is_admin ? texts.revokeNote : texts.grantNote}
      label={is_admin ? texts.revoke : texts.grant}
      isDanger={is_admin}
      onDone={changed(texts.adminChanged, onClose)}
      onClose={onClose}
      args={(reason) => ({
        params: { user_id: user.id },
        body: { is_admin: !is_admin, ...bodyOf(reason) },
      })}
    />
  )
}

const EnableDialog = ({ user, onClose }: DialogProps) => (
  <ReasonDialog
    row={enableUser}
    title={texts.enableTitle(nameOf(user))}
    note={texts.enableNote}
    label={texts.enable}
    onDone={changed(texts.enabledDone, onClose)}
    onClose={onClose}
    args={(reason) => ({ params: { user_id: user.id }, body: bodyOf(reason) })}
  />
)

const DisableDialog = ({ user, onClose }: DialogProps) => (
  <ReasonDialog
    row={disableUser}
    title={texts.disableTitle(nameOf(user))}
    note={texts.disableNote}
    label={texts.disable}
    isDanger
    isReasonRequired
    onDone={changed(texts.disabledDone, onClose)}
    onClose={onClose}
    args={(reason) => ({ params: { user_id: user.id }, body: { reason } })}
  />
)

/** On success this tab leaves the pages for admins, which the user does not see. */
const ImpersonateDialog = ({ user, onClose }: DialogProps) => {
  const navigate = useNavigate()
  return (
    <ReasonDialog
      row={startImpersonation}
      title={texts.impersonateTitle(nameOf(user))}
      note={texts.impersonateNote}
      label={texts.impersonate}
      isReasonRequired
      onDone={async ({ access_token }) => {
        impersonate(access_token, user.id)
        // Before another request: the workspace and all that is loaded are those of the admin.
        const switched = switchWorkspace(undefined)
        await navigate({ to: '/' })
        await switched
      }}
      onClose={onClose}
      args={(reason) => ({ params: { user_id: user.id }, body: { reason } })}
    />
  )
}

const EmailDialog = ({ user, onClose }: DialogProps) => {
  const [email, setEmail] = useState('')
  return (
    <ReasonDialog
      row={setUserEmail}
      title={texts.setEmailTitle(nameOf(user))}
      note={texts.setEmailNote}
      label={texts.setEmail}
      isReasonRequired
      onDone={changed(texts.emailChanged, onClose)}
      onClose={onClose}
      args={(reason) => ({ params: { user_id: user.id }, body: { email, reason } })}
    >
      <TextField
        name="email"
        type="email"
        label={texts.newEmail}
        isRequired
        value={email}
        onChange={setEmail}
      />
    </ReasonDialog>
  )
}

const FactorDialog = ({ user, onClose }: DialogProps) => (
  <ReasonDialog
    row={resetSecondFactor}
    title={texts.resetFactorTitle(nameOf(user))}
    note={texts.resetFactorNote}
    label={texts.resetFactor}
    isDanger
    isReasonRequired
    onDone={changed(texts.factorReset, onClose)}
    onClose={onClose}
    args={(reason) => ({ params: { user_id: user.id }, body: { reason } })}
  />
)

/** On success the page of the user is left, which exists no longer. */
const DeleteDialog = ({ user, onClose }: DialogProps) => {
  const navigate = useNavigate()
  return (
    <ReasonDialog
      row={deleteUser}
      title={texts.deleteTitle(nameOf(user))}
      note={texts.deleteNote}
      label={texts.delete}
      isDanger
      isReasonRequired
      onDone={async () => {
        notify(texts.deleted)
        await navigate({ to: '/admin/users' })
      }}
      onClose={onClose}
      args={(reason) => ({ params: { user_id: user.id }, body: { reason } })}
    />
  )
}

const DIALOGS = {
  tier: TierDialog,
  admin: AdminDialog,
  enable: EnableDialog,
  disable: DisableDialog,
  impersonate: ImpersonateDialog,
  email: EmailDialog,
  factor: FactorDialog,
  delete: DeleteDialog,
}
