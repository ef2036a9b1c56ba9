import { errorText } from '../../../shared/errors.ts'
import type { Me } from '../../../shared/schemas/account.ts'
import { isUuid } from '../../../shared/schemas/common.ts'
import { ApiError } from '../../platform/http/error.ts'

/** What `X-Org-ID` names as the database may be asked for it; null for nothing, or for no id at all. */
export const orgIdOf = (named: string | null): string | null =>
  named && isUuid(named) ? named : null

/** The membership that a request acts by. */
export type Acting = NonNullable<Me['org']>

/**
 * Whose memories a request is about, which names an organization or none (contract 5.1, rule 8).
 * @throws ApiError 403 when it names another than the one it was found to act in.
 */
export const actingIn = (
  userId: string,
  org: Acting | null,
  named: string | null,
): { ownerId: string; org: Acting | null } => {
  if (named !== null && org?.id !== named.toLowerCase()) throw notOrgMember()
  return { ownerId: org?.id ?? userId, org }
}

export const notOrgMember = () => new ApiError(403, errorText.notOrgMember)
