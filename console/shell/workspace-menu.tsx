import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { ApiFailure } from '../../shared/client.ts'
import { deactivateOrg, listOrgs, type Organization } from '../../shared/contract/organizations.ts'
import { type Me, me } from '../../shared/contract/sessions.ts'
import { errorText } from '../../shared/errors.ts'
import { callApi } from '../session/client.ts'
import { useApi } from '../session/query.ts'
import { switchWorkspace, useWorkspace, useWorkspaceSwitches } from '../session/workspace.ts'
import { shell } from '../texts/shell.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { notify, notifyError } from '../ui/toast.tsx'

/**
 * Without `X-Org-ID` the server acts in the default organization, so the default ends as well.
 * @returns the message that says so.
 */
const actAsUser = async (orgs: readonly Organization[]): Promise<string> => {
  const active = orgs.find(({ is_active }) => is_active)
  if (active) await callApi(deactivateOrg, {})
  await switchWorkspace(undefined)
  return active ? shell.workspaceDefaultEnded(active.name) : shell.workspaceNow(shell.personal)
}

const actInOrg = async ({ id, name }: Organization): Promise<string> => {
  await switchWorkspace(id)
  return shell.workspaceNow(name)
}

/** A removed member, or a deleted organization: every request of the tab would fail. */
const useLostWorkspace = (error: Error | null, workspace: string | undefined): void => {
  const isLost = error instanceof ApiFailure && error.detail === errorText.notOrgMember
  useEffect(() => {
    if (!isLost || workspace === undefined) return
    notify(shell.workspaceLost)
    void switchWorkspace(undefined)
  }, [isLost, workspace])
}

/** The default organization changed elsewhere, or the membership in it ended: the screen is that of another workspace. */
const useChangedDefault = (user: Me | undefined, workspace: string | undefined): void => {
  const switches = useWorkspaceSwitches()
  const shown = useRef<{ switches: number; orgId: string | undefined }>(undefined)
  useEffect(() => {
    if (!user) return
    const before = shown.current
    shown.current = { switches, orgId: user.org?.id }
    if (before?.switches !== switches || before.orgId === user.org?.id) return
    notify(shell.workspaceNow(user.org?.name ?? shell.personal))
    void switchWorkspace(workspace)
  }, [user, switches, workspace])
}

interface WorkspaceMenuProps {
  /** Closes the drawer on narrow screens. */
  onNavigate: (() => void) | undefined
}

/** The workspace that this tab acts in, and the switch to another. */
export const WorkspaceMenu = ({ onNavigate }: WorkspaceMenuProps) => {
  const navigate = useNavigate()
  const workspace = useWorkspace()
  const user = useApi(me, {})
  const orgs = useApi(listOrgs, {}).data ?? []
  useLostWorkspace(user.error, workspace)
  useChangedDefault(user.data, workspace)
  const active = user.data?.org
  const name = active?.name ?? shell.personal
  const change = (done: Promise<string>) =>
    void done.then((message) => notify(message)).catch(notifyError)
  return (
    <Menu
      label={shell.workspace}
      trigger={
        <AriaButton className="button shell-workspace" aria-label={shell.workspaceNamed(name)}>
          <Icon name={active ? 'people' : 'user'} />
          <span className="truncate grow">
            <bdi>{name}</bdi>
          </span>
          <Icon name="chevron" />
        </AriaButton>
      }
      actions={[
        {
          key: 'personal',
          label: shell.personal,
          icon: active ? 'user' : 'check',
          onAction: () => change(actAsUser(orgs)),
        },
        ...orgs.map((org) => ({
          key: org.id,
          label: org.name,
          icon: org.id === active?.id ? ('check' as const) : ('people' as const),
          onAction: () => change(actInOrg(org)),
        })),
        {
          key: 'manage',
          label: shell.organizations,
          icon: 'settings',
          onAction: () => {
            onNavigate?.()
            void navigate({ to: '/people/organizations' })
          },
        },
      ]}
    />
  )
}
