import type { Client } from '../shared/client.ts'
import { isUuid } from '../shared/contract/common.ts'
import { listOrgs, type Organization } from '../shared/contract/organizations.ts'
import { findItem, type Kind } from './ids.ts'

export const organizations: Kind<Organization> = {
  noun: 'Organization',
  command: 'svc orgs list',
  all: (client) => client.call(listOrgs),
  id: ({ id }) => id,
  names: ({ name }) => [name],
}

/**
 * The id of the organization in `--org` or the settings.
 * @param connect a client that lists the organizations. A complete id causes no request.
 * @throws CliError unless exactly one organization of the caller has the id or name.
 */
export const resolveOrganizationId = async (
  org: string | undefined,
  connect: () => Client,
): Promise<string | undefined> =>
  org === undefined || isUuid(org) ? org : (await findItem(connect(), organizations, org)).id
