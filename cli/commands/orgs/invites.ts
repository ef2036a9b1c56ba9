import {
  createInvite,
  listInvites,
  type OrgInvite,
  withdrawInvite,
} from '../../../shared/contract/organization-invites.ts'
import type { Organization } from '../../../shared/contract/organizations.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { formatMinute } from '../../format.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { chosenOrganization } from './chosen.ts'

/** Invites a user and prints the link. */
export const runOrgsInvite = async (
  context: Context,
  { email, role }: { email: string; role?: 'admin' | 'member' },
): Promise<void> => {
  const { id, name } = await chosenOrganization(context)
  const invite = await signedInClient(context).call(createInvite, {
    params: { org_id: id },
    body: { email, ...definedFields({ role }) },
  })
  if (context.json) context.io.printJson(invite)
  else context.io.print(oneLine(invite.invite_url))
  context.io.info(
    `Invited ${oneLine(invite.email)} to ${oneLine(name)} as ${invite.role}. The link is valid until ${formatMinute(invite.expires_at)}.`,
  )
}

const invitesTo = ({ id }: Organization): Kind<OrgInvite> => ({
  noun: 'Invite',
  command: 'svc orgs invites',
  all: (client) => client.call(listInvites, { params: { org_id: id } }),
  id: (invite) => invite.id,
  names: ({ email }) => [email],
})

export const runOrgsInvites = async (context: Context): Promise<void> =>
  printList(context, {
    items: await invitesTo(await chosenOrganization(context)).all(signedInClient(context)),
    columns: {
      EXPIRES: ({ expires_at }) => formatMinute(expires_at),
      ROLE: ({ role }) => role,
      EMAIL: ({ email }) => email,
    },
    empty: 'No open invites. To invite a user, run: svc orgs invite EMAIL',
  })

export const runOrgsWithdraw = (
  context: Context,
  { email, yes }: { email: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['orgs', 'withdraw', email],
    async find() {
      const org = await chosenOrganization(context)
      return { org, invite: await findItem(signedInClient(context), invitesTo(org), email) }
    },
    question: ({ invite }) => `Withdraw the invite to ${oneLine(invite.email)}?`,
    change: ({ org, invite }) =>
      signedInClient(context).call(withdrawInvite, {
        params: { org_id: org.id, invite_id: invite.id },
      }),
    response: ({ invite }) => ({ ...invite, withdrawn: true }),
    done: ({ invite }) => `Withdrew the invite to ${oneLine(invite.email)}.`,
  })
