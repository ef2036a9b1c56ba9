import type { Organization, OrgMember } from '../../../shared/contract/organizations.ts'
import { type SeatsOf, seatsFor } from './seats.ts'
import type { Member, OrgView } from './store.ts'

export const presentOrg = (view: OrgView, seatsOf: SeatsOf): Organization => ({
  id: view.org.id,
  name: view.org.name,
  role: view.role,
  is_active: view.isActive,
  seats: { used: view.memberCount + view.openInvites, limit: seatsFor(view.tiers, seatsOf) },
  created_at: view.org.createdAt.toISOString(),
  updated_at: view.org.updatedAt.toISOString(),
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
