import {
  changeOrgRole,
  listOrgMembers,
  type Organization,
  type OrgMember,
  type OrgRole,
  removeOrgMember,
} from '../../../shared/contract/organizations.ts'
import { currentUser } from '../../../shared/contract/sessions.ts'
import { withHint } from '../../api-errors.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { storeSetting } from '../config.ts'
import { chosenOrganization } from './chosen.ts'

/** For the last owner. */
const explainOwner = withHint(
  [409],
  'To make another member an owner, run: svc orgs role MEMBER owner. To delete the organization, run: svc orgs delete NAME',
)

export const membersOf = ({ id }: Organization): Kind<OrgMember> => ({
  noun: 'Member',
  command: 'svc orgs members',
  all: (client) => client.call(listOrgMembers, { params: { org_id: id } }),
  id: ({ user_id }) => user_id,
  names: ({ username, email }) => [username, email],
})

export const runOrgsMembers = async (context: Context): Promise<void> =>
  printList(context, {
    items: await membersOf(await chosenOrganization(context)).all(signedInClient(context)),
    columns: {
      USERNAME: ({ username }) => username,
      ROLE: ({ role }) => role,
      JOINED: ({ joined_at }) => joined_at.slice(0, 10),
      EMAIL: ({ email }) => email,
    },
    empty: 'No members. To invite a user, run: svc orgs invite EMAIL',
  })

/** The member with an ID, a username or an email address. */
const findMember = async (context: Context, typed: string) => {
  const org = await chosenOrganization(context)
  const member = await findItem(signedInClient(context), membersOf(org), typed)
  return { org, member }
}

export const runOrgsRole = async (
  context: Context,
  { member: typed, role }: { member: string; role: OrgRole },
): Promise<void> => {
  const { org, member } = await findMember(context, typed)
  const params = { org_id: org.id, user_id: member.user_id }
  const changed = await signedInClient(context)
    .call(changeOrgRole, { params, body: { role } })
    .catch(explainOwner)
  if (context.json) context.io.printJson(changed)
  context.io.info(`${oneLine(member.email)} is now ${role} of ${oneLine(org.name)}.`)
}

export const runOrgsRemove = (
  context: Context,
  { member: typed, yes }: { member: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['orgs', 'remove', typed],
    find: () => findMember(context, typed),
    question: ({ org, member }) =>
      `Remove ${oneLine(member.email)} and their API keys from ${oneLine(org.name)}?`,
    change: ({ org, member }) =>
      signedInClient(context)
        .call(removeOrgMember, { params: { org_id: org.id, user_id: member.user_id } })
        .catch(explainOwner),
    response: ({ member }) => ({ ...member, removed: true }),
    done: ({ org, member }) => `Removed ${oneLine(member.email)} from ${oneLine(org.name)}.`,
  })

export const runOrgsLeave = (context: Context, { yes }: { yes?: boolean }): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['orgs', 'leave'],
    find: () => chosenOrganization(context),
    question: ({ name }) => `Leave ${oneLine(name)}? Your API keys for it stop working.`,
    async change({ id }) {
      const client = signedInClient(context)
      const user = await client.call(currentUser)
      await client
        .call(removeOrgMember, { params: { org_id: id, user_id: user.id } })
        .catch(explainOwner)
      if (context.sources.org === 'config') await storeSetting(context, 'org', undefined)
    },
    response: (org) => ({ ...org, left: true }),
    done: ({ name }) => `Left ${oneLine(name)}.`,
  })
