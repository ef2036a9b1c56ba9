import packageJson from '../package.json'
import { createDeviceService } from './account/device/service.ts'
import { createHandoffService } from './account/handoff/service.ts'
import { createInstructionService } from './account/instructions/service.ts'
import { createKeyService } from './account/keys/service.ts'
import { createPreferenceService } from './account/preferences/service.ts'
import { startAvatars } from './account/profile/avatars.ts'
import { createProfileService } from './account/profile/service.ts'
import { createSessionService } from './account/sessions/service.ts'
import { createTokens } from './account/sessions/tokens.ts'
import { createPasswords } from './account/users/passwords.ts'
import type { Services } from './app.ts'
import type { Config } from './config.ts'
import { createMemoryService } from './memory/memories/service.ts'
import { createRecallService } from './memory/recall/service.ts'
import { createBlobs } from './platform/blobs.ts'
import type { Database } from './platform/db/database.ts'
import type { Limits } from './platform/http/limits.ts'
import type { Jobs } from './platform/jobs.ts'
import { keptSecret } from './platform/secret.ts'
import { createHealthService } from './system/health/service.ts'

export interface Surroundings {
  config: Config
  baseUrl: string
  database: Database
  jobs: Jobs
  limits: Limits
  /** Tells the operator something that must not stand in a log. */
  notice(text: string): void
}

/** Builds the domains' services, each with what it needs of the others. */
export const createServices = async (surroundings: Surroundings): Promise<Services> => {
  const { config, baseUrl, database, jobs, limits } = surroundings
  const tokens = createTokens(config.authSecret ?? keptSecret(config.dataDir), baseUrl)
  const passwords = createPasswords()

  const sessions = createSessionService(database, tokens, passwords, {
    defaultTier: config.defaultTier,
  })
  const keys = createKeyService(database)
  const devices = createDeviceService(database, keys, sessions, limits, { baseUrl })
  const handoffs = createHandoffService(database, sessions, {
    frontendOrigins: config.frontendOrigins,
  })
  const blobs = createBlobs(config.s3, config.dataDir)
  const profiles = createProfileService(database, await startAvatars(blobs, jobs))
  const preferences = createPreferenceService(database)
  const instructions = createInstructionService(database)
  const memories = createMemoryService(database)
  const recalls = createRecallService(database)
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
    ],
    packageJson.version,
  )
  return {
    sessions,
    keys,
    devices,
    handoffs,
    profiles,
    preferences,
    instructions,
    memories,
    recalls,
    health,
  }
}
