import type { OrgInvite } from '../../../../shared/contract/organizations.ts'
import type { Me } from '../../../../shared/contract/sessions.ts'
import { plainName } from '../../../platform/text/name.ts'
import type { OrgInviteRow } from '../table.ts'

export const presentInvite = (invite: OrgInviteRow, url: string): OrgInvite => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  created_at: invite.createdAt.toISOString(),
  expires_at: invite.expiresAt.toISOString(),
  invite_url: url,
})

/** Name and address of an inviter. */
export const displayNameOf = ({
  display_name,
  email,
}: Pick<Me, 'display_name' | 'email'>): string => {
  const name = plainName(display_name ?? '')
  return name ? `${name} (${email})` : email
}
