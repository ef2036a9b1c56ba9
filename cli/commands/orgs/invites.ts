import {
  createInvite,
  listInvites,
  withdrawInvite,
} from '../../../shared/contract/organizations.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { findItem } from '../../find.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { formatMinute } from '../../time.ts'
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

const openInvites = async (context: Context) => {
  const { id } = await chosenOrganization(context)
  const invites = await signedInClient(context).call(listInvites, { params: { org_id: id } })
  return { params: { org_id: id }, invites }
}

export const runOrgsInvites = async (context: Context): Promise<void> =>
  printList(context, {
    items: (await openInvites(context)).invites,
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
      const { params, invites } = await openInvites(context)
      const invite = findItem(invites, email, {
        kind: 'Invite',
        keys: (each) => [each.id, each.email],
        list: 'svc orgs invites',
      })
      return { params, invite }
    },
    question: ({ invite }) => `Withdraw the invite to ${oneLine(invite.email)}?`,
    change: ({ params, invite }) =>
      signedInClient(context).call(withdrawInvite, { params: { ...params, invite_id: invite.id } }),
    response: ({ invite }) => ({ ...invite, withdrawn: true }),
    done: ({ invite }) => `Withdrew the invite to ${oneLine(invite.email)}.`,
  })
