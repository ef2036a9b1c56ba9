import { join } from 'node:path'
import packageJson from '../package.json'
import { createAdminService } from './account/admin/service.ts'
import { createAuditService } from './account/audit/service.ts'
import { createDeletionService } from './account/deletion/service.ts'
import { createDeviceService } from './account/device/service.ts'
import { createEmailService } from './account/email/service.ts'
import { createHandoffService } from './account/handoff/service.ts'
import { createInstructionService } from './account/instructions/service.ts'
import { createKeyService } from './account/keys/service.ts'
import { createLinkService } from './account/links/service.ts'
import { createCipher } from './account/mfa/cipher.ts'
import { createMfaService } from './account/mfa/service.ts'
import { createProviders } from './account/oauth/providers/index.ts'
import { createOAuthService } from './account/oauth/service.ts'
import { createOAuthStates } from './account/oauth/state.ts'
import { startPasswordService } from './account/password/service.ts'
import { createPreferenceService } from './account/preferences/service.ts'
import { startAvatars } from './account/profile/avatars.ts'
import { createProfileService } from './account/profile/service.ts'
import { createSignInGuard } from './account/sessions/guard.ts'
import { createSessionList } from './account/sessions/list.ts'
import { createSessionService } from './account/sessions/service.ts'
import { createTokens } from './account/sessions/tokens.ts'
import { adminsAmong } from './account/users/admin.ts'
import { createPasswords, type HashingCost } from './account/users/passwords.ts'
import type { Services } from './app.ts'
import type { Config } from './config.ts'
import { createAgentService } from './conversation/agents/service.ts'
import { createCategoryService } from './conversation/categories/service.ts'
import { createChatService } from './conversation/chat/service.ts'
import { startFileService } from './conversation/files/service.ts'
import { createLearning } from './conversation/prompt/learning.ts'
import { createMaterials } from './conversation/prompt/materials.ts'
import { createPrompts } from './conversation/prompt/prompts.ts'
import { createRecollection } from './conversation/prompt/recollection.ts'
import { createChatSessionService } from './conversation/sessions/service.ts'
import { createSuggestService } from './conversation/suggest/service.ts'
import { createTalkService } from './conversation/talk/service.ts'
import { createTranscriptionService } from './conversation/transcribe/service.ts'
import { createUrlService } from './conversation/url/service.ts'
import { createConsolidation } from './memory/consolidation/engine.ts'
import { createEngineControl } from './memory/engines/control.ts'
import { startEngines } from './memory/engines/service.ts'
import { createExtraction } from './memory/facts/engine.ts'
import { createFactService } from './memory/facts/service.ts'
import { createLinking } from './memory/graph/engine.ts'
import { startScoring } from './memory/graph/scoring.ts'
import { createGraphService } from './memory/graph/service.ts'
import { createIntrospectService } from './memory/introspect/service.ts'
import { startPurge } from './memory/memories/purge.ts'
import { createMemoryService } from './memory/memories/service.ts'
import { createRecallService } from './memory/recall/service.ts'
import { createTransferService } from './memory/transfer/service.ts'
import { startVectors } from './memory/vectors/service.ts'
import { createBlobs } from './platform/blobs.ts'
import type { Database } from './platform/db/database.ts'
import { createFetcher, type FetcherOptions } from './platform/fetch/fetcher.ts'
import type { Limits } from './platform/http/limits.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { startMailer } from './platform/mail/mailer.ts'
import { createModels } from './platform/models/models.ts'
import { keptSecret } from './platform/secret.ts'
import { createReader } from './platform/text/reader.ts'
import { modelParts } from './system/health/models.ts'
import { createHealthService } from './system/health/service.ts'

export interface FetchingOptions extends FetcherOptions {
  /** For all it takes to fetch and read a page. */
  timeoutMs?: number
}

export interface Surroundings {
  config: Config
  baseUrl: string
  database: Database
  jobs: Jobs
  limits: Limits
  log: Log
  /** Tells the operator something that must not stand in a log. */
  notice(text: string): void
  fetching: FetchingOptions
  hashing: HashingCost | undefined
}

/** Builds the domains' services, each with what it needs of the others. */
export const createServices = async (surroundings: Surroundings): Promise<Services> => {
  const { config, baseUrl, database, jobs, limits, log, notice, fetching, hashing } = surroundings
  const authSecret = config.authSecret ?? keptSecret(config.dataDir)
  const tokens = createTokens(authSecret, baseUrl)
  const passwords = createPasswords(hashing)

  const mailer = await startMailer(jobs, {
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outboxDir: join(config.dataDir, 'outbox'),
    notice,
  })
  const links = createLinkService(mailer, { baseUrl })

  const guard = createSignInGuard(database)
  const mfa = createMfaService(database, createCipher(authSecret), tokens, guard)
  const isAdmin = adminsAmong(config.adminEmails)
  const sessions = createSessionService({
    database,
    tokens,
    passwords,
    links,
    guard,
    mfa,
    defaultTier: config.defaultTier,
    isAdmin,
  })
  const sessionList = createSessionList(database, sessions)
  const audit = createAuditService(database)
  const admin = await createAdminService(database, { baseUrl, adminEmails: config.adminEmails })
  const keys = createKeyService(database, { isAdmin })
  const emails = createEmailService(database, links, limits)
  const oauth = createOAuthService({
    database,
    sessions,
    providers: createProviders(config.oauth),
    states: createOAuthStates(authSecret),
    baseUrl,
    frontendOrigins: config.frontendOrigins,
    log,
  })
  const accountPasswords = await startPasswordService({
    database,
    jobs,
    mailer,
    limits,
    baseUrl,
    links,
    sessions,
    passwords,
    disown: [keys.revokeAll, mfa.forget, oauth.forgetAll],
  })
  const devices = createDeviceService(database, keys, sessions, limits, { baseUrl })
  const handoffs = createHandoffService(database, sessions, {
    frontendOrigins: config.frontendOrigins,
  })
  const blobs = createBlobs(config.s3, config.dataDir)
  const profiles = createProfileService(database, await startAvatars(blobs, jobs))
  const preferences = createPreferenceService(database)
  const instructions = createInstructionService(database)
  const vectors = config.embedding && (await startVectors(database, config.embedding, log))
  const models = createModels(config.chat, log)
  const extraction = createExtraction(database, models, log)
  const scoring = await startScoring(database, jobs)
  const engines = await startEngines(database, jobs, log, [
    extraction,
    createConsolidation(database),
    createLinking(database, scoring),
    ...(vectors?.engine ? [vectors.engine] : []),
  ])
  vectors?.begin(engines.sweep)
  const memories = createMemoryService(database, engines)
  await startPurge(database, jobs)
  const facts = createFactService(database, memories)
  const recalls = createRecallService(database, vectors?.near)
  const transfers = createTransferService(database, memories)
  const chatSessions = createChatSessionService(database, memories)
  const categories = createCategoryService(database, chatSessions)
  const agents = createAgentService(database)
  const reader = createReader()
  const files = await startFileService(database, blobs, jobs, reader)
  const deletion = createDeletionService(database, passwords, limits, {
    before: [
      (tx, { id }) => memories.erase(tx, id),
      (tx, { id }) => engines.erase(tx, id),
      (tx, { id }) => scoring.erase(tx, id),
      (tx, { id }) => profiles.forget(tx, id),
      (tx, { id }) => files.erase(tx, id),
    ],
    after: [
      (tx, { id }) => audit.erase(tx, id),
      (tx, { email }) => guard.clear(email, tx),
      (tx, { email }) => mailer.forget(email, tx),
    ],
  })
  const urls = createUrlService(database, limits, createFetcher(fetching), reader, {
    timeoutMs: fetching.timeoutMs ?? 10_000,
  })
  const learning = createLearning(memories, log)
  const materials = createMaterials({ files, urls, preferences, learning })
  const prompts = createPrompts({
    models,
    instructions,
    recollect: createRecollection(recalls, log),
    learning,
    materials,
  })
  const chats = createChatService({ sessions: chatSessions, prompts, materials, learning, models })
  const talks = createTalkService({ agents, prompts, learning, models })
  const suggestions = createSuggestService({ memories, sessions: chatSessions, models, log })
  const health = createHealthService(
    [
      {
        name: 'database',
        required: true,
        check: async () => {
          await database.query('select 1', [])
          return { note: database.kind }
        },
      },
      {
        name: 'recall',
        required: false,
        check: async () => ({ state: recalls.isWarm() ? 'ok' : 'warming' }),
      },
      ...modelParts(models),
      ...(vectors ? [{ name: 'embedding', required: false, check: vectors.state }] : []),
    ],
    packageJson.version,
  )
  return {
    sessions,
    sessionList,
    mfa,
    audit,
    deletion,
    admin,
    emails,
    passwords: accountPasswords,
    keys,
    devices,
    handoffs,
    oauth,
    profiles,
    preferences,
    instructions,
    engines,
    engineControl: createEngineControl(database, engines, audit.record),
    graphs: createGraphService(database, scoring),
    introspect: createIntrospectService(database, engines),
    vectors,
    memories,
    facts,
    recalls,
    transfers,
    chats,
    talks,
    suggestions,
    chatSessions,
    categories,
    agents,
    files,
    transcriptions: createTranscriptionService(config.transcribe),
    urls,
    health,
  }
}
