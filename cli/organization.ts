import type { Client } from '../shared/client.ts'
import { listOrgs } from '../shared/contract/organizations.ts'
import { isUuid } from '../shared/schemas/common.ts'
import type { Context } from './context.ts'
import { usageError } from './errors.ts'
import { oneLine } from './output.ts'

/**
 * The id of the organization in `--org` or the settings, which may be an id or a name.
 * @param client lists the organizations; default: a client with the credential of the context.
 * @throws CliError unless exactly one organization of the caller has the name.
 */
export const resolveOrganizationId = async (
  { org, credential, connect }: Context,
  client: Client = connect({ credential: credential?.key }),
): Promise<string | undefined> => {
  if (org === undefined || isUuid(org)) return org
  const all = await client.call(listOrgs)
  const [found, ...others] = all.filter(({ name }) => name.toLowerCase() === org.toLowerCase())
  if (found && others.length === 0) return found.id
  const names = all.map(({ id, name }) => `${oneLine(name)} (${id})`).join(', ')
  throw usageError(
    `${found ? 'Several of your organizations are' : 'None of your organizations is'} named ${oneLine(org)}.`,
    names ? `Choose one with --org: ${names}` : 'Remove --org, or run: svc config unset org',
  )
}
