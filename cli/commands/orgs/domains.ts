import {
  createOrgDomain,
  deleteOrgDomain,
  listOrgDomains,
  type OrgDomain,
  updateOrgDomain,
  verifyOrgDomain,
} from '../../../shared/contract/organization-domains.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'
import { chosenOrganization } from './chosen.ts'

const domainsOf = ({ id }: { id: string }): Kind<OrgDomain> => ({
  noun: 'Domain',
  command: 'svc orgs domains',
  all: (client) => client.call(listOrgDomains, { params: { org_id: id } }),
  id: (domain) => domain.id,
  names: ({ domain }) => [domain],
})

const stateOf = ({ verified_at, missing_since }: OrgDomain): string => {
  if (!verified_at) return 'not verified'
  return missing_since ? 'record missing' : 'verified'
}

export const runOrgsDomains = async (context: Context): Promise<void> =>
  printList(context, {
    items: await domainsOf(await chosenOrganization(context)).all(signedInClient(context)),
    columns: {
      DOMAIN: ({ domain }) => domain,
      STATE: stateOf,
      JOINS: ({ joins }) => (joins ? 'yes' : 'no'),
      'TXT RECORD': ({ record }) => record.value,
    },
    empty: 'No domains. To add one, run: svc orgs add-domain DOMAIN',
  })

/** Adds a domain and prints the DNS record that verifies it. */
export const runOrgsAddDomain = async (
  context: Context,
  { domain, joins = false }: { domain: string; joins?: boolean },
): Promise<void> => {
  const { id } = await chosenOrganization(context)
  const added = await signedInClient(context).call(createOrgDomain, {
    params: { org_id: id },
    body: { domain, joins },
  })
  if (context.json) context.io.printJson(added)
  else context.io.print(added.record.value)
  context.io.info(
    `Added ${added.domain}. Create a TXT record with this value at it, then run: svc orgs verify-domain ${added.domain}`,
  )
}

const findDomain = async (context: Context, typed: string) => {
  const org = await chosenOrganization(context)
  const domain = await findItem(signedInClient(context), domainsOf(org), typed)
  return { params: { org_id: org.id, domain_id: domain.id }, domain }
}

/** Looks for the record. `--joins` and `--no-joins` set whether users join by themselves. */
export const runOrgsVerifyDomain = async (
  context: Context,
  { domain: typed, joins }: { domain: string; joins?: boolean },
): Promise<void> => {
  const { params } = await findDomain(context, typed)
  const client = signedInClient(context)
  // First: while the record is missing, an owner can still end that users join.
  if (joins !== undefined) await client.call(updateOrgDomain, { params, body: { joins } })
  const domain = await client.call(verifyOrgDomain, { params })
  if (context.json) context.io.printJson(domain)
  context.io.info(
    `Verified ${domain.domain}. Users with an address there ${domain.joins ? 'join' : 'do not join'} by themselves.`,
  )
}

export const runOrgsRemoveDomain = (
  context: Context,
  { domain: typed, yes }: { domain: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['orgs', 'remove-domain', typed],
    find: () => findDomain(context, typed),
    question: ({ domain }) => `Remove ${oneLine(domain.domain)}? No more users join by it.`,
    change: ({ params }) => signedInClient(context).call(deleteOrgDomain, { params }),
    response: ({ domain }) => ({ ...domain, removed: true }),
    done: ({ domain }) => `Removed ${oneLine(domain.domain)}.`,
  })
