import { isUuid } from '../../../shared/contract/common.ts'
import type { Me } from '../../../shared/contract/sessions.ts'
import { commonError } from '../../platform/http/error.ts'

/** @returns the id in `X-Org-ID`, or null when the header is missing or is no UUID. */
export const parseOrgId = (header: string | null): string | null =>
  header && isUuid(header) ? header : null

/** The membership that a request acts by. */
export type OrgContext = NonNullable<Me['org']>

/**
 * Resolves the owner of the memories that a request is about: its organization, or the user.
 * @throws ApiError 403 when `X-Org-ID` names an organization other than `org`.
 */
export const resolveOrgContext = (
  userId: string,
  org: OrgContext | null,
  namedOrgId: string | null,
): { ownerId: string; org: OrgContext | null } => {
  if (namedOrgId !== null && org?.id !== namedOrgId.toLowerCase())
    throw commonError('not_org_member')
  return { ownerId: org?.id ?? userId, org }
}
