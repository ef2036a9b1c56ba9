import type { UserRow } from './table.ts'

export type IsAdmin = (user: UserRow) => boolean

/** A user is an admin by the column, or by a verified address in `adminEmails`. */
export const createIsAdmin = (adminEmails: string[]): IsAdmin => {
  const addresses = new Set(adminEmails)
  return (user) => user.isAdmin || (user.emailVerified && addresses.has(user.email))
}
