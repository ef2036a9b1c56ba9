import packageJson from '../package.json'
import { type Account, startAccount } from './account/account.ts'
import { createDeletionService, type DeletionService } from './account/deletion/service.ts'
import { createCipher } from './account/mfa/cipher.ts'
import { type Administration, createAdministration } from './admin/administration.ts'
import { type Automation, startAutomation } from './automation/automation.ts'
import { createEvents } from './automation/firings/events.ts'
import { eraseFirings } from './automation/firings/jobs.ts'
import { createMemoryTrigger } from './automation/triggers/memory.ts'
import { createMessageTrigger } from './automation/triggers/message.ts'
import { type Billing, startBilling } from './billing/billing.ts'
import { type Conversation, startConversation } from './conversation/conversation.ts'
import { createChatSessionService } from './conversation/sessions/service.ts'
import { MCP_PATH } from './mcp/endpoint/path.ts'
import { type Memory, startMemory } from './memory/memory.ts'
import { eraseThreads } from './people/dm/service.ts'
import { startEmailSending } from './people/email/service.ts'
import { type People, startPeople } from './people/people.ts'
import { createBlobs } from './platform/blobs.ts'
import { createFetcher } from './platform/fetch/fetcher.ts'
import { startMailer } from './platform/mail/mailer.ts'
import { createModels } from './platform/models/models.ts'
import type { Surroundings } from './surroundings.ts'
import { databasePart, modelParts, recallPart } from './system/health/parts.ts'
import { createHealthService, type HealthService } from './system/health/service.ts'

/** The domains, each with what its endpoints need. */
export interface Services {
  account: Account
  deletion: DeletionService
  memory: Memory
  conversation: Conversation
  people: People
  automation: Automation
  billing: Billing
  admin: Administration
  health: HealthService
}

/** Starts the domains, each with what it needs of the others. */
export const createServices = async (surroundings: Surroundings): Promise<Services> => {
  const { config, baseUrl, database, jobs, limits, log, mailTransport, fetching, authSecret } =
    surroundings
  const mailer = await startMailer(jobs, mailTransport, config.mailFrom)
  const blobs = createBlobs(config.s3, config.dataDir)
  const models = createModels(config.chat, log)
  const cipher = createCipher(authSecret)
  const events = createEvents(jobs)
  const hear = createMessageTrigger(events)

  const mcpUrl = `${baseUrl}${MCP_PATH}`
  const account = await startAccount(surroundings, { mailer, blobs, cipher, mcpUrl })
  const recordSwitch = account.audit.record
  const billing = await startBilling(surroundings, account)
  const memory = await startMemory(surroundings, {
    models,
    timezonesOf: account.timezones.of,
    engines: [createMemoryTrigger(database, events)],
    recordSwitch,
  })
  const sessions = createChatSessionService(database, memory.memories, hear)
  const emails = await startEmailSending({ database, jobs, mailer, usage: billing.usage })
  const automation = await startAutomation({
    database,
    jobs,
    events,
    memory,
    chatSessions: sessions,
    emails,
    gates: billing.gates,
    cipher,
    fetcher: createFetcher(fetching),
    webhookTimeoutMs: fetching.timeoutMs,
    recordSwitch,
  })
  const { reflexes } = automation
  const conversation = await startConversation(surroundings, {
    account,
    billing,
    memory,
    models,
    blobs,
    sessions,
    hear,
    reflexes,
  })
  const people = await startPeople(surroundings, {
    mailer,
    account,
    billing,
    memory,
    conversation,
    models,
    emails,
    hear,
  })

  const deletion = createDeletionService(database, account.hashes, limits, {
    before: [
      people.orgs.leaveAll,
      (tx, { id }) => memory.erase(tx, id),
      (tx, { id }) => account.profiles.forget(tx, id),
      eraseThreads,
      (tx, { id }) => conversation.files.erase(tx, id),
      eraseFirings(jobs),
      (tx, { id }) => billing.erase(tx, id),
      (tx, { id }) => emails.erase(tx, id),
    ],
    after: [
      (tx, { id }) => account.audit.erase(tx, id),
      (tx, { email }) => account.guard.clear(email, tx),
      (tx, { email }) => mailer.forget(email, tx),
    ],
  })
  return {
    account,
    deletion,
    memory,
    conversation,
    people,
    automation,
    billing,
    admin: createAdministration(surroundings, { account, billing, memory }),
    health: createHealthService(
      [
        databasePart(database),
        recallPart(memory.recalls),
        ...modelParts(models),
        ...(memory.vectors
          ? [{ name: 'embedding', required: false, check: memory.vectors.state }]
          : []),
      ],
      packageJson.version,
    ),
  }
}
