/**
 * The events that the webhooks of an organization get: about itself, its members, and the keys and apps that act
 * in it. No webhook outlives its organization, nor is there one before it.
 */
export const ORGANIZATION_EVENTS = [
  'organization.updated',
  'member.invited',
  'member.invite_withdrawn',
  'member.joined',
  'member.removed',
  'member.role_changed',
  'key.created',
  'key.changed',
  'key.revoked',
  'app.authorized',
] as const

/** The events that webhooks report. A webhook of the server gets all of them. */
export const EVENT_TYPES = [
  'user.created',
  'user.deleted',
  'user.disabled',
  'user.enabled',
  'user.tier_changed',
  'user.email_verified',
  'user.email_changed',
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
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'member.invited',
  'member.invite_withdrawn',
  'member.joined',
  'member.removed',
  'member.role_changed',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

/** The event that a test of a webhook sends. */
export const TEST_EVENT = 'webhook.test'
