import type { AccountServices } from '../account/account.ts'
import type { RecordActivity } from '../account/activity/service.ts'
import type { Core } from '../feature.ts'
import type { MemoryServices } from '../memory/memory.ts'
import { budgets } from '../platform/budgets.ts'
import { createFetcher } from '../platform/fetch/fetcher.ts'
import { createAttachments } from '../prompt/attachments.ts'
import { createLearningService } from '../prompt/learning.ts'
import { createPromptService } from '../prompt/prompt.ts'
import { createRecallForPrompt } from '../prompt/recall.ts'
import { createTurnService } from '../prompt/turn.ts'
import type { UsageServices } from '../usage/usage.ts'
import { createExchangeService } from './agents/exchanges.ts'
import { createAgentService } from './agents/service.ts'
import type { DescribeReflex } from './chat/preparation.ts'
import { createChatQuestions } from './chat/question.ts'
import { createChatService } from './chat/service.ts'
import { createCategoryService } from './chat-sessions/categories.ts'
import {
  createChatMessageService,
  createChatMessageWriter,
  createMessagePresenter,
} from './chat-sessions/messages.ts'
import { createChatSessionService } from './chat-sessions/service.ts'
import { createTitleService } from './chat-sessions/titles.ts'
import { startFileService } from './files/service.ts'
import { createSuggestService } from './suggest/service.ts'
import { createTalkService } from './talk/service.ts'
import { createTranscriptionService } from './transcribe/service.ts'
import { createUrlService } from './url/service.ts'

export type Conversation = ReturnType<typeof startConversation>

/** Services of other domains. */
interface ConversationDeps {
  account: Pick<AccountServices, 'preferences' | 'instructions'>
  usage: Pick<UsageServices, 'gates' | 'counts'>
  memory: Pick<MemoryServices, 'memories' | 'recalls'>
  record: RecordActivity
  /** Undefined without automation: then no reflex exists. */
  describeReflex: DescribeReflex | undefined
}

export const startConversation = (
  {
    config,
    database,
    jobs,
    limiter,
    log,
    fetching,
    models,
    blobs,
    reader,
    images,
    onMessage,
  }: Core,
  {
    account: { preferences, instructions },
    usage: { gates, counts: usage },
    memory: { memories, recalls },
    record,
    describeReflex,
  }: ConversationDeps,
) => {
  const chatSessions = createChatSessionService(database)
  const presentMessages = createMessagePresenter(database, memories)
  const messages = createChatMessageService(database, presentMessages)
  const messageWriter = createChatMessageWriter(database, presentMessages, onMessage)
  const agents = createAgentService(database)
  const exchanges = createExchangeService(database, onMessage)
  const files = startFileService(database, blobs, jobs, { reader, images })
  const urls = createUrlService({
    database,
    limiter,
    fetcher: createFetcher(fetching),
    reader,
    usage,
    timeoutMs: fetching.timeoutMs ?? budgets.page.ms,
  })
  const learning = createLearningService(memories, log)
  const attachments = createAttachments({ files, urls, preferences, learning })
  const recallMemories = createRecallForPrompt(recalls, { log, record })
  const prompts = createPromptService({
    models,
    instructions,
    recallMemories,
    learning,
    attachments,
  })
  const turns = createTurnService({ prompts, models, learning, usage })
  return {
    chatSessions,
    messages,
    titles: createTitleService(database, { chatSessions, models, limiter, log }),
    models,
    categories: createCategoryService(database),
    agents,
    exchanges,
    files,
    urls,
    prompts,
    chats: createChatService({
      questions: createChatQuestions(chatSessions, messages, gates),
      chatSessions,
      messageWriter,
      attachments,
      describeReflex,
      turns,
    }),
    talks: createTalkService({ agents, exchanges, turns }),
    suggestions: createSuggestService({ memories, chatSessions, models, log }),
    transcriptions: createTranscriptionService(() => config.transcribe, usage),
  }
}
