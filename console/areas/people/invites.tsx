import { useRef, useState } from 'react'
import {
  createInvite,
  listInvites,
  type OrgInvite,
  withdrawInvite,
} from '../../../shared/contract/organization-invites.ts'
import type { Organization } from '../../../shared/contract/organizations.ts'
import { useAction, useApi } from '../../session/query.ts'
import { organizations, invites as texts } from '../../texts/people.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'

const ROLES = (['member', 'admin'] as const).map((id) => ({ id, label: organizations.roles[id] }))

/** An invite that is sent again is a new one; in this order it keeps its row and the focus. */
const byEmail = (a: OrgInvite, b: OrgInvite): number => a.email.localeCompare(b.email)

/** The open invites, and the form for another. */
export const Invites = ({ org }: { org: Organization }) => {
  const [withdrawing, setWithdrawing] = useState<OrgInvite>()
  const query = useApi(listInvites, { params: { org_id: org.id } })
  return (
    <div className="stack-small">
      <h2>{texts.title}</h2>
      <p className="quiet">{texts.intro}</p>
      <Loaded query={query} lines={1}>
        {(list) => (
          <>
            <InviteForm org={org} />
            {list.length ? (
              <InviteTable org={org} invites={list.toSorted(byEmail)} onWithdraw={setWithdrawing} />
            ) : (
              <p className="quiet">{texts.none}</p>
            )}
          </>
        )}
      </Loaded>
      <RemovalDialog
        row={withdrawInvite}
        entry={
          withdrawing && {
            name: withdrawing.email,
            args: { params: { org_id: org.id, invite_id: withdrawing.id } },
          }
        }
        texts={{
          title: texts.withdrawTitle,
          note: texts.withdrawNote,
          action: texts.withdraw,
          done: texts.withdrawn,
        }}
        onClose={() => setWithdrawing(undefined)}
      />
    </div>
  )
}

const InviteForm = ({ org }: { org: Organization }) => {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<'member' | 'admin'>('member')
  const field = useRef<HTMLDivElement>(null)
  const invite = useAction(createInvite, {
    onSuccess: ({ email: address }) => {
      notify(texts.invited(address))
      setEmail('')
      field.current?.querySelector('input')?.focus()
    },
  })
  return (
    <div ref={field}>
      <Form
        onSubmit={() => invite.mutate({ params: { org_id: org.id }, body: { email, role } })}
        error={invite.error}
        fields={['email']}
      >
        <div className="inline-form">
          <TextField
            name="email"
            label={texts.email}
            value={email}
            onChange={setEmail}
            inputMode="email"
            isRequired
            maxLength={255}
          />
          <Select label={texts.role} options={ROLES} value={role} onChange={setRole} />
          <Button type="submit" look="primary" icon="mail" isPending={invite.isPending}>
            {texts.invite}
          </Button>
        </div>
      </Form>
    </div>
  )
}

interface InviteTableProps {
  org: Organization
  invites: readonly OrgInvite[]
  onWithdraw: (invite: OrgInvite) => void
}

const InviteTable = ({ org, invites, onWithdraw }: InviteTableProps) => (
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
