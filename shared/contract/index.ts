import * as activity from './activity.ts'
import * as activityCounts from './activity-counts.ts'
import * as admin from './admin.ts'
import * as agents from './agents.ts'
import * as allowedClients from './allowed-clients.ts'
import * as audit from './audit.ts'
import * as backchannelLogout from './backchannel-logout.ts'
import * as backups from './backups.ts'
import * as billing from './billing.ts'
import * as capture from './capture.ts'
import * as categories from './categories.ts'
import * as chat from './chat.ts'
import * as chatMessages from './chat-messages.ts'
import * as chatSessions from './chat-sessions.ts'
import * as confirmations from './confirmations.ts'
import * as consents from './consents.ts'
import * as context from './context.ts'
import * as deletion from './deletion.ts'
import * as device from './device.ts'
import * as dm from './dm.ts'
import * as emailChange from './email-change.ts'
import * as emailVerification from './email-verification.ts'
import { type Endpoint, endpointsOf } from './endpoint.ts'
import * as engines from './engines.ts'
import * as eventWebhooks from './event-webhooks.ts'
import * as facts from './facts.ts'
import * as feedback from './feedback.ts'
import * as files from './files.ts'
import * as graph from './graph.ts'
import * as handoff from './handoff.ts'
import * as health from './health.ts'
import * as identity from './identity.ts'
import * as impersonation from './impersonation.ts'
import * as instructions from './instructions.ts'
import * as introspect from './introspect.ts'
import * as keys from './keys.ts'
import * as logs from './logs.ts'
import * as mailedCodes from './mailed-codes.ts'
import * as mcp from './mcp.ts'
import * as memories from './memories.ts'
import * as memoryBulk from './memory-bulk.ts'
import * as memoryLists from './memory-lists.ts'
import * as mfa from './mfa.ts'
import * as oauthClients from './oauth-clients.ts'
import * as oauthMetadata from './oauth-metadata.ts'
import * as oauthServer from './oauth-server.ts'
import * as oauthSignIn from './oauth-sign-in.ts'
import * as openId from './openid.ts'
import { openIdOfAnyOrigin } from './openid.ts'
import * as operations from './operations.ts'
import * as organizationDomains from './organization-domains.ts'
import * as organizationInvites from './organization-invites.ts'
import * as organizations from './organizations.ts'
import * as outboundEmail from './outbound-email.ts'
import * as passkeys from './passkeys.ts'
import * as password from './password.ts'
import * as payments from './payments.ts'
import * as policies from './policies.ts'
import * as preferences from './preferences.ts'
import * as proactive from './proactive.ts'
import * as profile from './profile.ts'
import * as projects from './projects.ts'
import * as proxy from './proxy.ts'
import * as recall from './recall.ts'
import * as reflexes from './reflexes.ts'
import * as registry from './registry.ts'
import * as scim from './scim.ts'
import * as scimTokens from './scim-tokens.ts'
import * as senses from './senses.ts'
import * as serverSettings from './server-settings.ts'
import * as sessions from './sessions.ts'
import * as shares from './shares.ts'
import * as signUp from './sign-up.ts'
import * as signingKeys from './signing-keys.ts'
import * as suggest from './suggest.ts'
import * as talk from './talk.ts'
import * as transcribe from './transcribe.ts'
import * as transfer from './transfer.ts'
import * as url from './url.ts'
import * as usage from './usage.ts'
import * as userImport from './user-import.ts'
import * as views from './views.ts'

export * from './activity.ts'
export * from './activity-counts.ts'
export * from './admin.ts'
export * from './agents.ts'
export * from './allowed-clients.ts'
export * from './app-scopes.ts'
export * from './audit.ts'
export * from './backchannel-logout.ts'
export * from './backups.ts'
export * from './billing.ts'
export * from './capture.ts'
export * from './categories.ts'
export * from './chat.ts'
export * from './chat-messages.ts'
export * from './chat-sessions.ts'
export * from './confirmations.ts'
export * from './consents.ts'
export * from './context.ts'
export * from './deletion.ts'
export * from './device.ts'
export * from './dm.ts'
export * from './email-change.ts'
export * from './email-verification.ts'
export * from './endpoint.ts'
export * from './engines.ts'
export * from './event-webhooks.ts'
export * from './facts.ts'
export * from './feedback.ts'
export * from './files.ts'
export * from './graph.ts'
export * from './handoff.ts'
export * from './health.ts'
export * from './identity.ts'
export * from './impersonation.ts'
export * from './instructions.ts'
export * from './introspect.ts'
export * from './keys.ts'
export * from './logs.ts'
export * from './mailed-codes.ts'
export * from './mcp.ts'
export * from './memories.ts'
export * from './memory-bulk.ts'
export * from './memory-lists.ts'
export * from './mfa.ts'
export * from './oauth-clients.ts'
export * from './oauth-metadata.ts'
export * from './oauth-server.ts'
export * from './oauth-sign-in.ts'
export * from './openid.ts'
export * from './operations.ts'
export * from './organization-domains.ts'
export * from './organization-invites.ts'
export * from './organization-policies.ts'
export * from './organizations.ts'
export * from './outbound-email.ts'
export * from './passkeys.ts'
export * from './password.ts'
export * from './payments.ts'
export * from './policies.ts'
export * from './preferences.ts'
export * from './proactive.ts'
export * from './profile.ts'
export * from './projects.ts'
export * from './proxy.ts'
export * from './recall.ts'
export * from './reflexes.ts'
export * from './registry.ts'
export * from './scim.ts'
export * from './scim-tokens.ts'
export * from './senses.ts'
export * from './server-settings.ts'
export * from './sessions.ts'
export * from './shares.ts'
export * from './sign-up.ts'
export * from './signing-keys.ts'
export * from './suggest.ts'
export * from './talk.ts'
export * from './transcribe.ts'
export * from './transfer.ts'
export * from './url.ts'
export * from './usage.ts'
export * from './user-import.ts'
export * from './views.ts'

/** Endpoints whose bodies are defined by other protocols: OAuth, MCP, SCIM and those of models. */
export const protocols: readonly Endpoint[] = [
  oauthMetadata,
  oauthServer,
  openId,
  backchannelLogout,
  mcp,
  proxy,
  scim,
].flatMap(endpointsOf)

/** Endpoints that pages of any origin may call, because they read no cookie: metadata and tokens. */
export const openEndpoints: readonly Endpoint[] = [
  ...endpointsOf(oauthMetadata),
  ...openIdOfAnyOrigin,
  oauthServer.registerOAuthClient,
  oauthServer.issueTokens,
  oauthServer.revokeToken,
]

/** All other endpoints, in the order of the API description. */
export const contract: readonly Endpoint[] = [
  sessions,
  mfa,
  passkeys,
  mailedCodes,
  audit,
  deletion,
  password,
  emailChange,
  emailVerification,
  keys,
  device,
  oauthSignIn,
  handoff,
  consents,
  profile,
  preferences,
  instructions,
  organizationDomains,
  policies,
  organizations,
  organizationInvites,
  eventWebhooks,
  allowedClients,
  scimTokens,
  usage,
  billing,
  payments,
  memories,
  memoryBulk,
  memoryLists,
  recall,
  context,
  capture,
  projects,
  transfer,
  facts,
  feedback,
  identity,
  graph,
  introspect,
  engines,
  proactive,
  registry,
  senses,
  reflexes,
  confirmations,
  chat,
  talk,
  suggest,
  chatSessions,
  chatMessages,
  categories,
  agents,
  files,
  transcribe,
  url,
  views,
  outboundEmail,
  dm,
  shares,
  activity,
  activityCounts,
  admin,
  userImport,
  impersonation,
  operations,
  signUp,
  signingKeys,
  oauthClients,
  serverSettings,
  backups,
  logs,
  health,
].flatMap(endpointsOf)
