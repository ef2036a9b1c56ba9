import { createInvite, type OrgInvite } from '../../../shared/contract/organization-invites.ts'
import type { Organization } from '../../../shared/contract/organizations.ts'
import { useAction } from '../../session/query.ts'
import { organizations, invites as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'

interface InviteTableProps {
  org: Organization
  invites: readonly OrgInvite[]
  onWithdraw: (invite: OrgInvite) => void
}

export const InviteTable = ({ org, invites, onWithdraw }: InviteTableProps) => (
  <Table label={texts.list} columns={[texts.email, texts.role, texts.expires, '']}>
    {invites.map((invite) => (
      <tr key={invite.email}>
        <td>
          <bdi>{invite.email}</bdi>
        </td>
        <td>{organizations.roles[invite.role === 'admin' ? 'admin' : 'member']}</td>
        <td className="nowrap">
          <Time iso={invite.expires_at} />
        </td>
        <td className="row-actions">
          <CopyButton text={invite.invite_url} label={texts.copyLink(invite.email)} />
          <ResendButton org={org} invite={invite} />
          <Button
            isSmall
            look="danger"
            aria-label={texts.withdrawNamed(invite.email)}
            onPress={() => onWithdraw(invite)}
          >
            {texts.withdraw}
          </Button>
        </td>
      </tr>
    ))}
  </Table>
)

/** Another invite to the same address replaces the pending one and is mailed. */
const ResendButton = ({ org, invite }: { org: Organization; invite: OrgInvite }) => {
  const resend = useAction(createInvite, {
    onSuccess: () => notify(texts.resent(invite.email)),
    onError: notifyError,
  })
  return (
    <Button
      isSmall
      isPending={resend.isPending}
      aria-label={texts.resendNamed(invite.email)}
      onPress={() =>
        resend.mutate({
          params: { org_id: org.id },
          body: { email: invite.email, role: invite.role === 'admin' ? 'admin' : 'member' },
        })
      }
    >
      {texts.resend}
    </Button>
  )
}
