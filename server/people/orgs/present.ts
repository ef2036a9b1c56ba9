import type { Organization, OrgInvite, OrgMember } from '../../../shared/schemas/orgs.ts'
import { type SeatsOf, seatsFor } from './seats.ts'
import type { Member, Seen } from './store.ts'
import type { OrgInviteRow } from './table.ts'

export const presentOrg = (seen: Seen, seatsOf: SeatsOf): Organization => ({
  id: seen.org.id,
  name: seen.org.name,
  role: seen.role,
  is_active: seen.isActive,
  seats: { used: seen.memberCount + seen.openInvites, limit: seatsFor(seen.tiers, seatsOf) },
  created_at: seen.org.createdAt.toISOString(),
  updated_at: seen.org.updatedAt.toISOString(),
})

export const presentMember = ({ user, ...member }: Member): OrgMember => ({
  user_id: member.userId,
  username: user.username,
  display_name: user.displayName,
  email: user.email,
  avatar_url: user.avatarUrl,
  role: member.role,
  joined_at: member.joinedAt.toISOString(),
})

export const presentInvite = (invite: OrgInviteRow, url: string): OrgInvite => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  created_at: invite.createdAt.toISOString(),
  expires_at: invite.expiresAt.toISOString(),
  invite_url: url,
})
