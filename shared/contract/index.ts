import * as account from './account.ts'
import * as admin from './admin.ts'
import * as agents from './agents.ts'
import * as billing from './billing.ts'
import * as categories from './categories.ts'
import * as chat from './chat.ts'
import * as chatSessions from './chat-sessions.ts'
import * as device from './device.ts'
import * as dm from './dm.ts'
import * as email from './email.ts'
import type { Endpoint } from './endpoint.ts'
import * as engines from './engines.ts'
import * as facts from './facts.ts'
import * as files from './files.ts'
import * as handoff from './handoff.ts'
import * as identity from './identity.ts'
import * as introspect from './introspect.ts'
import * as keys from './keys.ts'
import * as memory from './memory.ts'
import * as mfa from './mfa.ts'
import * as oauth from './oauth.ts'
import * as orgs from './orgs.ts'
import * as outboundEmail from './outbound-email.ts'
import * as password from './password.ts'
import * as proactive from './proactive.ts'
import * as profile from './profile.ts'
import * as programs from './programs.ts'
import * as reflexes from './reflexes.ts'
import * as registry from './registry.ts'
import * as senses from './senses.ts'
import * as sessions from './sessions.ts'
import * as shares from './shares.ts'
import * as suggest from './suggest.ts'
import * as system from './system.ts'
import * as talk from './talk.ts'
import * as transcribe from './transcribe.ts'
import * as transfer from './transfer.ts'
import * as url from './url.ts'

export * from './account.ts'
export * from './admin.ts'
export * from './agents.ts'
export * from './billing.ts'
export * from './categories.ts'
export * from './chat.ts'
export * from './chat-sessions.ts'
export * from './device.ts'
export * from './dm.ts'
export * from './email.ts'
export * from './endpoint.ts'
export * from './engines.ts'
export * from './facts.ts'
export * from './files.ts'
export * from './handoff.ts'
export * from './identity.ts'
export * from './introspect.ts'
export * from './keys.ts'
export * from './memory.ts'
export * from './mfa.ts'
export * from './oauth.ts'
export * from './orgs.ts'
export * from './outbound-email.ts'
export * from './password.ts'
export * from './proactive.ts'
export * from './profile.ts'
export * from './programs.ts'
export * from './reflexes.ts'
export * from './registry.ts'
export * from './senses.ts'
export * from './sessions.ts'
export * from './shares.ts'
export * from './suggest.ts'
export * from './system.ts'
export * from './talk.ts'
export * from './transcribe.ts'
export * from './transfer.ts'
export * from './url.ts'

/** What other protocols lay down: how programs sign in, and speak MCP. */
export const protocols = Object.values(programs) as readonly Endpoint[]

/** Every endpoint of the service, in our own protocol. */
export const contract = [
  account,
  mfa,
  sessions,
  password,
  email,
  keys,
  device,
  oauth,
  handoff,
  profile,
  memory,
  transfer,
  facts,
  identity,
  proactive,
  introspect,
  engines,
  registry,
  senses,
  reflexes,
  chat,
  talk,
  suggest,
  chatSessions,
  categories,
  agents,
  orgs,
  files,
  transcribe,
  url,
  outboundEmail,
  admin,
  dm,
  shares,
  billing,
  system,
].flatMap((rows) => Object.values(rows)) as readonly Endpoint[]
