import { acceptInvite } from '../../../shared/contract/organization-invites.ts'
import {
  activateOrg,
  createOrg,
  deactivateOrg,
  deleteOrg,
  updateOrg,
} from '../../../shared/contract/organizations.ts'
import { withHint } from '../../api-errors.ts'
import { changeConfirmed } from '../../confirmed.ts'
import type { Context } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { findItem } from '../../ids.ts'
import { linkToken } from '../../input.ts'
import { printList } from '../../list.ts'
import { organizations } from '../../organization.ts'
import { oneLine } from '../../output.ts'
import { accountClient } from '../../session.ts'
import { storeSetting } from '../config.ts'
import { findOrganization, personalClient } from './chosen.ts'

/** Lists the organizations of the user. The one that svc acts in has an asterisk. */
export const runOrgsList = async (context: Context): Promise<void> => {
  const client = personalClient(context)
  const items = await organizations.all(client)
  const listed = { ...organizations, all: async () => items }
  // The user may no longer be a member of the stored organization.
  const chosen = context.org && (await findItem(client, listed, context.org).catch(() => undefined))
  await printList(context, {
    items,
    id: organizations.id,
    columns: {
      ROLE: ({ role }) => role,
      SEATS: ({ seats }) => `${seats.used}/${seats.limit ?? 'unlimited'}`,
      NAME: (org) => `${org === chosen ? '* ' : ''}${org.name}`,
    },
    empty: 'No organizations. To create one, run: svc orgs create NAME',
  })
}

export const runOrgsCreate = async (context: Context, { name }: { name: string }) => {
  const org = await personalClient(context).call(createOrg, { body: { name } })
  if (context.json) context.io.printJson(org)
  else context.io.print(org.id)
  context.io.info(`Created ${oneLine(org.name)}. To work in it, run: svc orgs switch ${org.id}`)
}

/** Makes an organization, or none, the default of svc and of the user's other sessions. */
export const runOrgsSwitch = async (
  context: Context,
  { organization, personal }: { organization?: string; personal?: boolean },
): Promise<void> => {
  if ((organization === undefined) === !personal)
    throw usageError('Name an organization, or use --personal.', `Run: ${organizations.command}`)
  context.io.willPrint(['org'])
  const client = personalClient(context)
  const org = organization === undefined ? undefined : await findOrganization(context, organization)
  if (org) await client.call(activateOrg, { params: { org_id: org.id } })
  else await client.call(deactivateOrg)
  await storeSetting(context, 'org', org?.id)
  if (context.json) context.io.printJson({ org: org ?? null })
  context.io.info(`Switched to ${org ? oneLine(org.name) : 'your personal memory'}.`)
}

export const runOrgsRename = async (
  context: Context,
  { organization, name }: { organization: string; name: string },
): Promise<void> => {
  const { id, name: before } = await findOrganization(context, organization)
  const isStored = await isStoredOrganization(context, id)
  const params = { org_id: id }
  const org = await personalClient(context).call(updateOrg, { params, body: { name } })
  // The setting may have the old name.
  if (isStored) await storeSetting(context, 'org', id)
  if (context.json) context.io.printJson(org)
  context.io.info(`Renamed ${oneLine(before)} to ${oneLine(org.name)}.`)
}

/** Whether the setting `org` is this organization, by ID or name. */
const isStoredOrganization = async (context: Context, id: string): Promise<boolean> => {
  const { org, sources } = context
  if (org === undefined || sources.org !== 'config') return false
  return (await findOrganization(context, org).catch(() => undefined))?.id === id
}

export const runOrgsDelete = (
  context: Context,
  { organization, yes }: { organization: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['orgs', 'delete', organization],
    find: () => findOrganization(context, organization),
    question: ({ name }) =>
      `Delete ${oneLine(name)} with its members, API keys and memories permanently?`,
    async change({ id, name }) {
      const client = accountClient({ ...context, org: undefined })
      await client.call(deleteOrg, { params: { org_id: id } })
      const isChosen = context.org === id || context.org === name
      if (context.sources.org === 'config' && isChosen)
        await storeSetting(context, 'org', undefined)
    },
    response: (org) => ({ ...org, deleted: true }),
    done: ({ name }) => `Deleted ${oneLine(name)}.`,
  })

/** Accepts an invite by its link or token. */
export const runOrgsJoin = async (context: Context, { link }: { link: string }): Promise<void> => {
  const org = await personalClient(context)
    .call(acceptInvite, { body: { token: linkToken(link) } })
    .catch(withHint([404, 410], 'Ask a manager of the organization for a new invite.'))
  if (context.json) context.io.printJson(org)
  else context.io.print(org.id)
  context.io.info(`Joined ${oneLine(org.name)}. To work in it, run: svc orgs switch ${org.id}`)
}
