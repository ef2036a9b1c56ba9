import type { UserRow } from './table.ts'

export type IsAdmin = (user: UserRow) => boolean

/**
 * Admins are those who were made one, and the owners of the configured addresses once they have
 * proved them.
 */
export const adminsAmong = (adminEmails: string[]): IsAdmin => {
  const addresses = new Set(adminEmails)
  return (user) => user.isAdmin || (user.emailVerified && addresses.has(user.email))
}
