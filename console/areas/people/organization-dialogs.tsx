import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  createOrg,
  deleteOrg,
  type Organization,
  removeOrgMember,
  updateOrg,
} from '../../../shared/contract/organizations.ts'
import { useMe } from '../../session/me.ts'
import { useAction } from '../../session/query.ts'
import { switchWorkspace, useWorkspace } from '../../session/workspace.ts'
import { organizations as texts } from '../../texts/people.ts'
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { notify } from '../../ui/toast.tsx'

interface OrgDialogProps {
  org: Organization
  isOpen: boolean
  onClose: () => void
}

export const CreateDialog = (props: Omit<OrgDialogProps, 'org'>) => {
  const navigate = useNavigate()
  const create = useAction(createOrg, {
    onSuccess: ({ id, name }) => {
      notify(texts.created(name))
      void navigate({ to: '/people/organizations/$orgId', params: { orgId: id }, replace: true })
    },
  })
  return (
    <NameDialog
      {...props}
      label={texts.name}
      title={texts.create}
      action={texts.create}
      note={texts.nameNote}
      change={create}
      onSubmit={(name) => create.mutate({ body: { name } })}
    />
  )
}

export const RenameDialog = ({ org, ...props }: OrgDialogProps) => {
  const rename = useAction(updateOrg, {
    onSuccess: ({ name }) => {
      notify(texts.renamed(name))
      props.onClose()
    },
  })
  return (
    <NameDialog
      {...props}
      label={texts.name}
      title={texts.renameTitle}
      action={texts.rename}
      name={org.name}
      change={rename}
      onSubmit={(name) => rename.mutate({ params: { org_id: org.id }, body: { name } })}
    />
  )
}

/** Where a user goes who can no longer see the organization; the tab acts in it no more. */
const useExit = (org: Organization) => {
  const navigate = useNavigate()
  const workspace = useWorkspace()
  return (message: string) => {
    // First: other requests in the name of the organization would be refused.
    if (workspace === org.id) void switchWorkspace(undefined)
    void navigate({ to: '/people/organizations', replace: true })
    notify(message)
  }
}

export const LeaveDialog = ({ org, isOpen, onClose }: OrgDialogProps) => {
  const user = useMe()
  const exit = useExit(org)
  const leave = useAction(removeOrgMember, {
    onSuccess: () => exit(texts.left(org.name)),
  })
  return (
    <ConfirmDialog
      title={texts.leaveTitle(org.name)}
      action={texts.leave}
      isOpen={isOpen}
      isPending={leave.isPending}
      error={leave.error}
      onConfirm={() => user && leave.mutate({ params: { org_id: org.id, user_id: user.id } })}
      onClose={() => {
        leave.reset()
        onClose()
      }}
    >
      {texts.leaveNote}
    </ConfirmDialog>
  )
}

/** The name must be typed: the deletion takes the memories of all members. */
export const DeleteDialog = ({ org, isOpen, onClose }: OrgDialogProps) => {
  const [typed, setTyped] = useState('')
  const exit = useExit(org)
  const remove = useAction(deleteOrg, {
    onSuccess: () => exit(texts.deleted(org.name)),
  })
  const close = () => {
    setTyped('')
    remove.reset()
    onClose()
  }
  return (
    <Dialog title={texts.deleteTitle(org.name)} isOpen={isOpen} onClose={close}>
      <p>{texts.deleteNote}</p>
      <Form
        onSubmit={() => {
          if (typed === org.name) remove.mutate({ params: { org_id: org.id } })
        }}
        error={remove.error}
      >
        <TextField
          label={texts.deleteType}
          note={texts.deleteTypeNote(org.name)}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          autoFocus
        />
        <DialogActions
          action={texts.delete}
          isDanger
          isDisabled={typed !== org.name}
          isPending={remove.isPending}
          onCancel={close}
        />
      </Form>
    </Dialog>
  )
}
