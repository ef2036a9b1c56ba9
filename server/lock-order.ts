import type { LockOrder } from './platform/db/lock-order.ts'

/**
 * The order in which a transaction takes locks. A class is a table, for its row locks, or the name of an
 * advisory lock (`server/platform/db/locks.ts`). Transactions that take locks in one order cannot
 * deadlock. Tests check every statement of the server against this list.
 */
export const LOCK_ORDER = [
  // Advisory: the events of the activity are stored in one order, alone.
  'activity',
  // An engine confirms its lease before it writes.
  'engine_leases',
  // A Stripe event locks its purchase or subscription before it knows the user.
  'credit_purchases',
  'subscriptions',
  // Advisory: requests for backups.
  'backups',
  // Advisory: changes to settings of the server.
  'server_settings',
  // Advisory, for all servers together: the first admin, and changes to the set of admins.
  'first_admin',
  'admins',
  // Advisory, for all servers together: one adds a signing key.
  'signing_keys',
  // Advisory: an admin adds an OAuth client, of which there is a maximum.
  'managed_clients',
  // Advisory, per organization: SCIM finds the account of its user before it locks the account.
  'provisioning',
  // Row and advisory lock of a user (`lockUserShared`, `lockForSignIn`, `lockUserForDelete`, ...).
  // Deleting a user locks everything that belongs to the user, so the user is locked before it.
  'users',
  'dm_threads',
  'dm_messages',
  'dm_members',
  'sense_devices',
  'reflexes',
  'reflex_firings',
  'agents',
  'session_categories',
  'chat_sessions',
  // Row and advisory lock of an organization (`lockOrg`, `lockOrgForDelete`, `lockMembership`).
  'orgs',
  'org_members',
  'oauth_connections',
  'api_keys',
  // An admin changes or deletes an OAuth client, and then what users granted it.
  'oauth_clients',
  'oauth_codes',
  'oauth_consents',
  // Advisory, per user and kind: counts before one more is added (`checkRowLimit`, `serializeAdds`).
  'caps',
  'sessions',
  'billing_accounts',
  'memories',
  'memory_stats',
] as const satisfies LockOrder

export type LockClass = (typeof LOCK_ORDER)[number]

/**
 * Tables whose rows are locked alone, in statements that also write `memories`, or only by transactions
 * that the lock of their user or organization keeps apart.
 */
export const UNORDERED_LOCKS: readonly string[] = [
  'device_logins',
  'org_invites',
  'memory_threads',
  'backfills',
  'event_deliveries',
]
