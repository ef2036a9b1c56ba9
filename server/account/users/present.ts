import type { CurrentUser, User } from '../../../shared/contract/sessions.ts'
import type { IsAdmin } from './admins.ts'
import type { UserRow } from './table.ts'

export const presentUser = (user: UserRow): User => ({
  id: user.id,
  email: user.email,
  created_at: user.createdAt.toISOString(),
  email_verified: user.emailVerified,
  display_name: user.displayName,
  avatar_url: user.avatarUrl,
})

export const presentCurrentUser = (user: UserRow, isAdmin: IsAdmin): CurrentUser => ({
  id: user.id,
  email: user.email,
  onboarding_completed: user.onboardingCompleted,
  email_verified: user.emailVerified,
  display_name: user.displayName,
  avatar_url: user.avatarUrl,
  is_admin: isAdmin(user),
})
