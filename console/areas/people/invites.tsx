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
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { InviteTable } from './invite-table.tsx'

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
