import { join } from 'node:path'
import packageJson from '../package.json'
import { type Account, startAccount } from './account/account.ts'
import { personalActor, recordAccountActivity } from './account/activity/account-events.ts'
import { type ActivityService, createActivityService } from './account/activity/service.ts'
import { accountLimits } from './account/limits.ts'
import { onAudit } from './account/users/audit/service.ts'
import { createDeletionService, type DeletionService } from './account/users/deletion.ts'
import { emitEvents } from './account/users/events/service.ts'
import { avatarBlobs } from './account/users/profile/avatars.ts'
import { createIsAdmin } from './account/users/user.ts'
import { type Admin, createAdmin } from './admin/admin.ts'
import { requireAdmin } from './admin/admin-check.ts'
import { type Automation, startAutomation } from './automation/automation.ts'
import { createEvents } from './automation/events/events.ts'
import { createMemoryTrigger, createMessageTrigger } from './automation/events/sources.ts'
import { type Billing, startBilling } from './billing/billing.ts'
import { titleLimit } from './conversation/chat-sessions/titles.ts'
import { type Conversation, startConversation } from './conversation/conversation.ts'
import { fileBlobs } from './conversation/files/upload.ts'
import { sideRequestLimit, turnRequestLimit } from './conversation/proxy/counting.ts'
import { urlLimit } from './conversation/url/service.ts'
import type { AppDeps } from './deps.ts'
import { MCP_PATH } from './mcp/admission.ts'
import { type Answers, createAnswers } from './mcp/answers.ts'
import { type MemoryServices, startMemory } from './memory/memory.ts'
import { type AnnounceMessage, directMessageLimit } from './people/dm/messages.ts'
import { ICOG } from './people/dm/present.ts'
import { eraseThreads, newThreadLimit } from './people/dm/threads.ts'
import { startEmailSending } from './people/outbound-email/service.ts'
import { type People, startPeople } from './people/people.ts'
import { createBlobs } from './platform/blobs.ts'
import { createCipher } from './platform/cipher.ts'
import { afterCommit } from './platform/db/connections.ts'
import { createFetcher } from './platform/fetch/fetcher.ts'
import { createLatest } from './platform/latest.ts'
import { startMailer } from './platform/mail/mailer.ts'
import { createLiveModels } from './platform/models/live-models.ts'
import { createModels } from './platform/models/models.ts'
import type { Models } from './platform/models/types.ts'
import { resealColumns } from './platform/sealed-columns/service.ts'
import { formatSecrets } from './platform/secrets/auth-secret.ts'
import { type DerivedKeys, deriveKeys } from './platform/secrets/derived-keys.ts'
import { isStored } from './platform/settings/service.ts'
import { createWriteWatch, type WriteWatch } from './platform/writes.ts'
import { type ContextService, createContextService } from './prompt/context/service.ts'
import { sealedColumns } from './sealed-columns.ts'
import { type ActivityReader, createActivityReader } from './system/activity/service.ts'
import { type BackupService, startBackupService } from './system/backup/service.ts'
import { type ConsoleAssets, createConsoleAssets } from './system/console/assets.ts'
import {
  databasePart,
  embeddingPart,
  modelParts,
  recallPart,
  replicaParts,
  writesPart,
} from './system/health/parts.ts'
import { createHealthService, type HealthService } from './system/health/service.ts'

/** The started domains, for their routes. */
export interface Services {
  activity: ActivityService
  activityReader: ActivityReader
  account: Account
  deletion: DeletionService
  memory: MemoryServices
  contexts: ContextService
  conversation: Conversation
  people: People
  automation: Automation
  billing: Billing
  admin: Admin
  backups: BackupService
  health: HealthService
  models: Models
  consoleAssets: () => Promise<ConsoleAssets>
  /** Seal the state of a question that an MCP tool asks. */
  mcpStateKeys: DerivedKeys
  mcpAnswers: Answers
  /** Records write failures of the storage. */
  writes: WriteWatch
}

/** Every rate limit that a domain declares. */
export const rateLimits = [
  ...accountLimits,
  urlLimit,
  titleLimit,
  sideRequestLimit,
  turnRequestLimit,
  newThreadLimit,
  directMessageLimit,
]

/** Starts the domains and connects them. */
export const createServices = async (deps: AppDeps): Promise<Services> => {
  const {
    config,
    baseUrl,
    database,
    jobs,
    limiter,
    log,
    metrics,
    mailTransport,
    fetching,
    reader,
    images,
    secrets,
  } = deps
  const mailer = startMailer(jobs, mailTransport, () => config.mailFrom)
  const blobs = createBlobs(config.s3, config.dataDir)
  const models = createLiveModels(
    createLatest(
      () => config.chat,
      (chat) => createModels(chat, log, undefined, metrics),
    ),
  )
  const cipher = createCipher(secrets)
  if (deps.duties.runsBackgroundWork) await resealColumns(database.query, secrets, sealedColumns)
  const events = createEvents(database, jobs)

  const activity = createActivityService(database, log, () => config.activity)
  const { record } = activity
  const onMessage = createMessageTrigger(events)
  const announce: AnnounceMessage = (tx, { from, to }) =>
    afterCommit(tx, () => {
      if (from) record(personalActor(from), { kind: 'message.sent', peerId: to[0], count: 1 })
      const sender = from ? { peerId: from } : { subject: ICOG.username }
      for (const userId of to)
        record(personalActor(userId), { kind: 'message.received', ...sender, count: 1 })
    })
  const mcpUrl = `${baseUrl}${MCP_PATH}`
  const account: Account = await startAccount(deps, {
    mailer,
    blobs,
    cipher,
    mcpUrl,
    async eraseOrgData(tx, orgId) {
      await memory.erase(tx, orgId)
      await activity.erase(tx, orgId)
      await account.eraseWebhooks(tx, orgId)
    },
    orgsWrittenFor: (tx, userId) => memory.orgsWrittenFor(tx, userId),
    takeOver: {
      // In lock order (`lock-order.ts`).
      end: [
        (tx, id) => automation.endForTakeOver(tx, id),
        (tx, id) => conversation.agents.resetAll(tx, id),
        (tx, id) => people.shares.revokeAll(tx, id),
        (tx, id) => account.profiles.erase(tx, id),
        (tx, id) => memory.feedback.erase(tx, id),
      ],
      distrust: (tx, ownerId) => memory.distrust(tx, ownerId),
    },
  })
  const recordEntry = recordAccountActivity(record)
  for (const { db } of [database, database.background, database.bulk])
    onAudit(db, (entry) => {
      recordEntry(entry)
      account.logoutNotices.onAudit(entry)
    })
  const recordSwitch = account.audit.record
  const billing = startBilling(deps, account)
  const memory: MemoryServices = startMemory(deps, {
    models,
    record,
    writersOf: account.timezones.of,
    engines: [createMemoryTrigger(database.background, events)],
    recordSwitch,
  })
  const emails = startEmailSending({ database, jobs, mailer, usage: billing.usage })
  const automation = await startAutomation({
    database,
    jobs,
    events,
    memory,
    queueEmail: emails.queue,
    gates: billing.gates,
    cipher,
    fetcher: createFetcher(fetching),
    webhookTimeoutMs: fetching.timeoutMs,
    recordSwitch,
    record,
  })
  const contexts = createContextService(database, memory, record)
  const conversation = startConversation(deps, {
    account,
    billing,
    memory,
    contexts,
    models,
    blobs,
    reader,
    images,
    onMessage,
    record,
    describeReflex: automation.reflexes.describe,
  })
  const people = startPeople(deps, {
    billing,
    conversation,
    models,
    emails,
    onMessage,
    announce,
  })

  const deletion = createDeletionService(database, account.hashes, limiter, {
    // In lock order (`lock-order.ts`).
    before: [
      eraseThreads,
      (tx, user) => automation.erase(tx, user),
      account.leaveOrgs,
      (tx, user) => memory.eraseAuthor(tx, user),
      (tx, { id }) => memory.erase(tx, id),
      (tx, { id }) => memory.feedback.erase(tx, id),
      (tx, { id }) => contexts.erase(tx, id),
      (tx, { id }) => account.profiles.erase(tx, id),
      (tx, { id }) => conversation.files.erase(tx, id),
      (tx, { id }) => billing.erase(tx, id),
      (tx, { id }) => emails.erase(tx, id),
      (tx, { id }) => activity.erasePeer(tx, id),
    ],
    after: [
      (tx, { id }) => emitEvents(tx, [{ type: 'user.deleted', userId: id }]),
      (tx, { id }) => account.audit.erase(tx, id),
      (tx, { email }) => account.guard.clear(email, tx),
      (tx, { email }) => account.passwords.forget(email, tx),
      (tx, { email }) => account.mailedCodes.forget(email, tx),
      (tx, { email }) => mailer.forget(email, tx),
    ],
  })
  const writes = createWriteWatch(database.query, () => writtenDirectories(config), log)
  return {
    activity,
    activityReader: createActivityReader(activity, {
      memories: memory.memories,
      feedback: memory.feedback,
      introspect: memory.introspect,
      questions: account.questionPreference,
    }),
    writes,
    models,
    account,
    deletion,
    memory,
    contexts,
    conversation,
    people,
    automation,
    billing,
    admin: createAdmin(deps, { account, deletion, billing, memory, cipher, mailer }),
    backups: startBackupService({
      ...{ database, jobs, log, blobs, audit: account.audit, command: deps.command },
      authSecret: formatSecrets(secrets),
      ...{ databaseUrl: config.databaseUrl, dataDir: config.dataDir },
      blobReferences: [avatarBlobs, fileBlobs],
      requireAdmin: (tx, caller) => requireAdmin(tx, caller, createIsAdmin(config.adminEmails)),
      readSettings: () => config.backup,
      hasPassphrase: () => isStored(deps.settings.current().get('SVC_BACKUP_PASSPHRASE')),
      onChange: deps.settings.onChange,
    }),
    consoleAssets: createConsoleAssets(config.dataDir),
    mcpStateKeys: deriveKeys(secrets, 'svc:mcp-request-state'),
    mcpAnswers: createAnswers(database),
    health: createHealthService(
      () => [
        databasePart(database),
        ...replicaParts(database.reads),
        writesPart(writes),
        recallPart(memory.recalls),
        ...modelParts(models),
        embeddingPart(memory.vectors),
      ],
      {
        version: packageJson.version,
        role: deps.duties.role,
        isDraining: () => deps.stopping.aborted,
      },
    ),
  }
}

/** Returns the directories that the server writes files to; a bucket or mail server replaces them. */
const writtenDirectories = ({ s3, smtpUrl, dataDir }: AppDeps['config']): string[] => [
  ...(s3 ? [] : [join(dataDir, 'blobs')]),
  ...(smtpUrl ? [] : [join(dataDir, 'outbox')]),
]
