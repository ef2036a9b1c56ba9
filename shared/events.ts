/**
 * The events that webhooks report. Those of an organization are about itself and its members; a webhook of the
 * server gets all of them.
 */
export const ORGANIZATION_EVENTS = [
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'member.invited',
  'member.invite_withdrawn',
  'member.joined',
  'member.removed',
  'member.role_changed',
] as const

export const EVENT_TYPES = [
  'user.created',
  'user.deleted',
  'user.disabled',
  'user.enabled',
  'user.tier_changed',
  'user.email_verified',
  'session.created',
  'session.failed',
  'session.revoked',
  'key.created',
  'key.changed',
  'key.revoked',
  'password.changed',
  'mfa.enabled',
  'mfa.disabled',
  'passkey.added',
  'passkey.removed',
  'provider.connected',
  'provider.disconnected',
  'app.authorized',
  ...ORGANIZATION_EVENTS,
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The event that a test of a webhook sends. */
export const TEST_EVENT = 'webhook.test'
