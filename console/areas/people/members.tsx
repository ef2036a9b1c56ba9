import { useState } from 'react'
import {
  changeOrgRole,
  listOrgMembers,
  type Organization,
  type OrgMember,
  OrgRole,
  removeOrgMember,
} from '../../../shared/contract/organizations.ts'
import { useMe } from '../../session/me.ts'
import { useAction, useApi } from '../../session/query.ts'
import { organizations, members as texts } from '../../texts/people.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { RoleBadge } from './organization-parts.tsx'

const ROLES = OrgRole.anyOf.map(({ const: role }) => role)
const nameOf = ({ display_name, username }: OrgMember): string => display_name ?? username

/** Owners manage all members; admins manage admins and members. */
const canManage = (org: Organization, member: OrgMember): boolean =>
  org.role === 'owner' || (org.role === 'admin' && member.role !== 'owner')

export const Members = ({ org }: { org: Organization }) => {
  const [removing, setRemoving] = useState<OrgMember>()
  const query = useApi(listOrgMembers, { params: { org_id: org.id } })
  return (
    <div className="stack-small">
      <h2>{texts.title}</h2>
      <Loaded query={query}>
        {(list) => (
          <Table label={texts.title} columns={[texts.member, organizations.role, texts.joined, '']}>
            {list.map((member) => (
              <MemberRow
                key={member.user_id}
                org={org}
                member={member}
                onRemove={() => setRemoving(member)}
              />
            ))}
          </Table>
        )}
      </Loaded>
      <RemovalDialog
        row={removeOrgMember}
        entry={
          removing && {
            name: nameOf(removing),
            args: { params: { org_id: org.id, user_id: removing.user_id } },
          }
        }
        texts={{
          title: texts.removeTitle,
          note: texts.removeNote,
          action: texts.remove,
          done: texts.removed,
        }}
        onClose={() => setRemoving(undefined)}
      />
    </div>
  )
}

interface MemberRowProps {
  org: Organization
  member: OrgMember
  onRemove: () => void
}

const MemberRow = ({ org, member, onRemove }: MemberRowProps) => {
  const isSelf = useMe()?.id === member.user_id
  const name = nameOf(member)
  const isManaged = canManage(org, member)
  return (
    <tr>
      <td>
        <div className="person">
          <Avatar url={member.avatar_url} name={name} />
          <div className="grow">
            <div>
              <bdi>{name}</bdi> {isSelf && <span className="quiet">({texts.you})</span>}
            </div>
            <div className="quiet small">
              <bdi>{member.email}</bdi>
            </div>
          </div>
        </div>
      </td>
      <td>
        {isManaged ? <RoleSelect org={org} member={member} /> : <RoleBadge role={member.role} />}
      </td>
      <td className="nowrap">
        <Time iso={member.joined_at} />
      </td>
      <td className="row-actions">
        {isManaged && !isSelf && (
          <Button isSmall look="danger" aria-label={texts.removeNamed(name)} onPress={onRemove}>
            {texts.remove}
          </Button>
        )}
      </td>
    </tr>
  )
}

const RoleSelect = ({ org, member }: Omit<MemberRowProps, 'onRemove'>) => {
  const name = nameOf(member)
  const change = useAction(changeOrgRole, {
    onSuccess: ({ role }) => notify(texts.roleChanged(name, organizations.roles[role])),
    onError: notifyError,
  })
  const roles = org.role === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner')
  return (
    <Select
      label={texts.roleOf(name)}
      isLabelHidden
      options={roles.map((id) => ({ id, label: organizations.roles[id] }))}
      value={member.role}
      isDisabled={change.isPending}
      onChange={(role) =>
        role !== member.role &&
        change.mutate({ params: { org_id: org.id, user_id: member.user_id }, body: { role } })
      }
    />
  )
}
