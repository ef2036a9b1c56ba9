import type { Account } from '../account/account.ts'
import type { ReflexService } from '../automation/reflexes/service.ts'
import type { Hear } from '../automation/triggers/message.ts'
import type { Billing } from '../billing/billing.ts'
import type { Memory } from '../memory/memory.ts'
import type { Blobs } from '../platform/blobs.ts'
import { createFetcher } from '../platform/fetch/fetcher.ts'
import type { Models } from '../platform/models/types.ts'
import { createReader } from '../platform/text/reader.ts'
import type { Surroundings } from '../surroundings.ts'
import { createAgentService } from './agents/service.ts'
import { createCategoryService } from './categories/service.ts'
import { createChatService } from './chat/service.ts'
import { startFileService } from './files/service.ts'
import { createLearning } from './prompt/learning.ts'
import { createMaterials } from './prompt/materials.ts'
import { createPrompts } from './prompt/prompts.ts'
import { createRecollection } from './prompt/recollection.ts'
import type { ChatSessionService } from './sessions/service.ts'
import { createSuggestService } from './suggest/service.ts'
import { createTalkService } from './talk/service.ts'
import { createTranscriptionService } from './transcribe/service.ts'
import { createUrlService } from './url/service.ts'

export type Conversation = Awaited<ReturnType<typeof startConversation>>

/** Starts what answers, from memories and what is handed over, and keeps what was said. */
export const startConversation = async (
  { config, database, jobs, limits, log, fetching }: Surroundings,
  {
    account: { preferences, instructions },
    billing: { gates, usage },
    memory: { memories, recalls },
    models,
    blobs,
    sessions,
    hear,
    reflexes,
  }: {
    account: Pick<Account, 'preferences' | 'instructions'>
    billing: Pick<Billing, 'gates' | 'usage'>
    memory: Pick<Memory, 'memories' | 'recalls'>
    models: Models
    blobs: Blobs
    sessions: ChatSessionService
    hear: Hear
    reflexes: ReflexService
  },
) => {
  const agents = createAgentService(database, hear)
  const reader = createReader()
  const files = await startFileService(database, blobs, jobs, reader)
  const urls = createUrlService(database, limits, createFetcher(fetching), reader, usage, {
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
  return {
    sessions,
    categories: createCategoryService(database, sessions),
    agents,
    files,
    urls,
    prompts,
    chats: createChatService({
      sessions,
      prompts,
      materials,
      learning,
      models,
      gates,
      usage,
      reflexes,
    }),
    talks: createTalkService({ agents, prompts, learning, models, usage }),
    suggestions: createSuggestService({ memories, sessions, models, log }),
    transcriptions: createTranscriptionService(config.transcribe, usage),
  }
}
