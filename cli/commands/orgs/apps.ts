import type { Client } from '../../../shared/client.ts'
import {
  type AllowedClients,
  getAllowedClients,
  setAllowedClients,
} from '../../../shared/contract/allowed-clients.ts'
import type { Organization } from '../../../shared/contract/organizations.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { chosenOrganization } from './chosen.ts'

type App = AllowedClients['known'][number]

/** The apps of the server and of members, and those that are allowed but no longer known. */
const readApps = async (client: Client, { id }: Organization) => {
  const response = await client.call(getAllowedClients, { params: { org_id: id } })
  const known = new Set(response.known.map(({ client_id }) => client_id))
  const others = (response.client_ids ?? []).filter((each) => !known.has(each))
  return {
    response,
    items: [
      ...response.known,
      ...others.map((client_id): App => ({ client_id, name: client_id, in_use: false })),
    ],
  }
}

export const appsOf = (org: Organization): Kind<App> => ({
  noun: 'App',
  command: 'svc orgs apps list',
  all: async (client) => (await readApps(client, org)).items,
  id: ({ client_id }) => client_id,
  names: ({ name }) => [name],
})

export const runOrgsAppsList = async (context: Context): Promise<void> => {
  const org = await chosenOrganization(context)
  const { response, items } = await readApps(signedInClient(context), org)
  const { client_ids: allowed } = response
  await printList(context, {
    items,
    columns: {
      ALLOWED: ({ client_id }) => (allowed?.includes(client_id) === false ? 'no' : 'yes'),
      'IN USE': ({ in_use }) => (in_use ? 'yes' : 'no'),
      NAME: ({ name }) => name,
      ID: ({ client_id }) => client_id,
    },
    empty: 'No apps. Those that members sign in to as members of the organization appear here.',
    response,
  })
  context.io.info(
    allowed
      ? 'Only these apps may act in the organization.'
      : 'All apps may act in the organization. To allow some only, run: svc orgs apps set NAME',
  )
}

interface SetArgs {
  app: string[]
  all?: boolean
  none?: boolean
  yes?: boolean
}

/** Replaces the list of allowed apps. Only a list can take access away, so that `--all` is not confirmed. */
export const runOrgsAppsSet = async (
  context: Context,
  { app: typed, all = false, none = false, yes }: SetArgs,
): Promise<void> => {
  if ([typed.length > 0, all, none].filter(Boolean).length !== 1)
    throw usageError('Name apps, or use --all or --none.', 'Run: svc orgs apps list')
  let response: AllowedClients | undefined
  await changeConfirmed(context, {
    yes: yes || all,
    words: ['orgs', 'apps', 'set', ...(none ? ['--none'] : typed)],
    async find() {
      const org = await chosenOrganization(context)
      const client = signedInClient(context)
      const apps: App[] = []
      for (const each of typed) apps.push(await findItem(client, appsOf(org), each))
      return { org, client, apps }
    },
    question: ({ org }) => `End the access of all other apps to ${oneLine(org.name)}?`,
    async change({ org, client, apps }) {
      const client_ids = all ? null : [...new Set(apps.map(({ client_id }) => client_id))]
      response = await client.call(setAllowedClients, {
        params: { org_id: org.id },
        body: { client_ids },
      })
    },
    response: () => response,
    done: ({ org, apps }) =>
      `${all ? 'All apps' : apps.map(({ name }) => oneLine(name)).join(', ') || 'No apps'} may act in ${oneLine(org.name)} now.`,
  })
}
