import type { AppScope } from '../../../shared/contract/app-scopes.ts'
import type { UserInfo } from '../../../shared/contract/openid.ts'
import { urlBelow } from '../../../shared/urls.ts'
import type { OrgContext } from '../../account/access/caller.ts'
import type { UserRow } from '../../account/users/table.ts'

/** The claims about a user that an app may see (OpenID Connect Core 1.0, section 5.4). */
export const userClaims = (
  { user, org }: { user: UserRow; org: OrgContext | null },
  scopes: readonly AppScope[],
  baseUrl: string,
): UserInfo => ({
  sub: user.id,
  ...(scopes.includes('profile') && {
    name: user.displayName ?? user.username,
    preferred_username: user.username,
    ...(user.avatarUrl && { picture: urlBelow(baseUrl, user.avatarUrl).href }),
    zoneinfo: user.timezone,
    ...(org && { org_id: org.id, org_name: org.name, org_role: org.role }),
  }),
  ...(scopes.includes('email') && { email: user.email, email_verified: user.emailVerified }),
})
