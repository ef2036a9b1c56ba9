import type { Organization } from '../../../shared/contract/organizations.ts'
import { type Context, signedInClient } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { findItem } from '../../ids.ts'
import { organizations } from '../../organization.ts'

/** A client that acts for the user, whatever the chosen organization is. */
export const personalClient = (context: Context) => signedInClient({ ...context, org: undefined })

export const findOrganization = (context: Context, typed: string): Promise<Organization> =>
  findItem(personalClient(context), organizations, typed)

/** The organization of `--org` or the settings. @throws CliError if there is none. */
export const chosenOrganization = async (context: Context): Promise<Organization> => {
  if (context.org !== undefined) return findOrganization(context, context.org)
  throw usageError(
    'No organization is chosen.',
    `Add --org NAME, or run: svc orgs switch NAME. To list the names, run: ${organizations.command}`,
  )
}
