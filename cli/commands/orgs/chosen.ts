import { listOrgs } from '../../../shared/contract/organizations.ts'
import type { Organization } from '../../../shared/schemas/organizations.ts'
import { type Context, signedInClient } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { findItem } from '../../find.ts'

export const LIST_ORGS = 'svc orgs list'

/** A client that acts for the user, whatever the chosen organization is. */
export const personalClient = (context: Context) => signedInClient({ ...context, org: undefined })

/** The organization with an ID or a name. @throws CliError unless the user is in exactly one. */
export const findOrganization = async (context: Context, typed: string): Promise<Organization> =>
  findItem(await personalClient(context).call(listOrgs), typed, {
    kind: 'Organization',
    keys: ({ id, name }) => [id, name],
    list: LIST_ORGS,
  })

/** The organization of `--org` or the settings. @throws CliError if there is none. */
export const chosenOrganization = async (context: Context): Promise<Organization> => {
  if (context.org !== undefined) return findOrganization(context, context.org)
  throw usageError(
    'No organization is chosen.',
    `Add --org NAME, or run: svc orgs switch NAME. To list the names, run: ${LIST_ORGS}`,
  )
}
