import type { Client } from '../shared/client.ts'
import { listOrgs } from '../shared/contract/orgs.ts'
import { isUuid } from '../shared/schemas/common.ts'
import type { Context } from './context.ts'
import { usageError } from './errors.ts'
import { oneLine } from './output.ts'

/**
 * The id of the organization to act in, which may have been named instead.
 * @param client asked for the organizations; the usual one if left out.
 * @throws CliError when the caller is in none of that name, or in several.
 */
export const organizationId = async (
  { org, credential, connect }: Context,
  client: Client = connect({ credential: credential?.key }),
): Promise<string | undefined> => {
  if (org === undefined || isUuid(org)) return org
  const all = await client.call(listOrgs)
  const [found, ...others] = all.filter(({ name }) => name.toLowerCase() === org.toLowerCase())
  if (found && others.length === 0) return found.id
  const names = all.map(({ id, name }) => `${oneLine(name)} (${id})`).join(', ')
  throw usageError(
    `You are in ${found ? 'several organizations' : 'no organization'} called ${oneLine(org)}.`,
    names ? `Name one with --org: ${names}` : 'Leave --org out; svc config unset org forgets it.',
  )
}
