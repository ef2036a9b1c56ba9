import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import {
  activateOrg,
  deactivateOrg,
  getOrg,
  type Organization,
} from '../../../shared/contract/organizations.ts'
import { features } from '../../features.ts'
import { useAction, useApi } from '../../session/query.ts'
import { switchWorkspace, useWorkspace } from '../../session/workspace.ts'
import { organizations as texts } from '../../texts/people.ts'
import { shortfalls } from '../../texts/policies.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PolicyActions, PolicySteps } from '../../ui/policy-steps.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { AllowedApps } from './allowed-apps.tsx'
import { Domains } from './domains.tsx'
import { Invites } from './invites.tsx'
import { Members } from './members.tsx'
import { DeleteDialog, LeaveDialog, RenameDialog } from './organization-dialogs.tsx'
import { RoleBadge, Seats, useCurrentOrg } from './organization-parts.tsx'

const route = getRouteApi('/people/organizations/$orgId')

export const OrganizationPage = () => {
  const { orgId } = route.useParams()
  const query = useApi(getOrg, { params: { org_id: orgId } })
  const org = query.data
  return (
    <Page
      title={org?.name ?? texts.title}
      intro={
        <Link to="/people/organizations" className="back-link">
          <Icon name="back" />
          {texts.back}
        </Link>
      }
      actions={org && <Actions org={org} />}
    >
      <Loaded query={query}>
        {(loaded) => (
          <>
            <div className="row">
              <RoleBadge role={loaded.role} />
              {loaded.is_active && <span className="badge">{texts.isDefault}</span>}
              <span className="quiet small">{texts.roleNotes}</span>
            </div>
            <Seats seats={loaded.seats} />
            {loaded.missing ? (
              <Notice look="warn" action={<PolicyActions missing={loaded.missing} />}>
                <p>{shortfalls.title(loaded.name)}</p>
                <PolicySteps missing={loaded.missing} />
              </Notice>
            ) : (
              <Sections org={loaded} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const Sections = ({ org }: { org: Organization }) => {
  const manages = org.role !== 'member'
  return (
    <>
      <Members org={org} />
      {manages && <Invites org={org} />}
      {manages && <Domains org={org} />}
      <Suspense>
        {features.map(
          ({ name, MemberSection: Section }) => Section && <Section key={name} org={org} />,
        )}
      </Suspense>
      {manages && <AllowedApps org={org} />}
      <Suspense>
        {manages &&
          features.map(
            ({ name, OrganizationSection: Section }) => Section && <Section key={name} org={org} />,
          )}
      </Suspense>
    </>
  )
}

type OpenDialog = 'rename' | 'leave' | 'delete'

const Actions = ({ org }: { org: Organization }) => {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const isOwner = org.role === 'owner'
  const setDefault = useDefault(org)
  return (
    <>
      <WorkHere org={org} />
      <Menu
        label={texts.more(org.name)}
        trigger={<IconButton icon="more" label={texts.more(org.name)} look="quiet" />}
        actions={[
          setDefault,
          ...(isOwner
            ? [
                {
                  label: texts.rename,
                  icon: 'edit' as const,
                  onAction: () => setDialog('rename'),
                },
              ]
            : []),
          { label: texts.leave, icon: 'sign_out', onAction: () => setDialog('leave') },
          ...(isOwner
            ? [
                {
                  label: texts.delete,
                  icon: 'trash' as const,
                  isDanger: true,
                  onAction: () => setDialog('delete'),
                },
              ]
            : []),
        ]}
      />
      <RenameDialog org={org} isOpen={dialog === 'rename'} onClose={close} />
      <LeaveDialog org={org} isOpen={dialog === 'leave'} onClose={close} />
      <DeleteDialog org={org} isOpen={dialog === 'delete'} onClose={close} />
    </>
  )
}

/** The default applies to tabs and programs that name no organization. */
const useDefault = (org: Organization) => {
  const activate = useAction(activateOrg, {
    onSuccess: () => notify(texts.madeDefault(org.name)),
    onError: notifyError,
  })
  const deactivate = useAction(deactivateOrg, {
    onSuccess: () => notify(texts.clearedDefault),
    onError: notifyError,
  })
  return org.is_active
    ? {
        label: texts.clearDefault,
        icon: 'pin' as const,
        onAction: () => deactivate.mutate({}),
      }
    : {
        label: texts.makeDefault,
        icon: 'pin' as const,
        onAction: () => activate.mutate({ params: { org_id: org.id } }),
      }
}

const WorkHere = ({ org }: { org: Organization }) => {
  const isCurrent = useCurrentOrg() === org.id
  const isChosen = useWorkspace() === org.id
  const change = (to: string | undefined, message: string) =>
    void switchWorkspace(to)
      .then(() => notify(message))
      .catch(notifyError)
  if (!isCurrent)
    return (
      <Button look="primary" onPress={() => change(org.id, texts.workNow(org.name))}>
        {texts.work}
      </Button>
    )
  if (isChosen && !org.is_active)
    return (
      <Button onPress={() => change(undefined, texts.workPersonalNow)}>{texts.workPersonal}</Button>
    )
  return <span className="badge accent">{texts.current}</span>
}
