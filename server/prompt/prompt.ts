import type { Agent } from '../../shared/contract/agents.ts'
import type { MessageContext } from '../../shared/contract/chat-messages.ts'
import { lowestTrust, type Trust } from '../../shared/contract/memories.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import type { InstructionService } from '../account/users/settings/service.ts'
import { keepsAnswers } from '../memory/wall.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Message, ModelRequest, Models } from '../platform/models/types.ts'
import { fitMessages } from './assemble.ts'
import type { Attachments, LoadedAttachments } from './attachments.ts'
import { SEARCH_CUT } from './context/selection.ts'
import type { LearningService, MemoryOrigin, ShownTexts } from './learning.ts'
import { quoteMemories } from './local-answer.ts'
import { findUrls } from './message-content.ts'
import { createMarks, type DataItem, type DataMarks } from './quoted-data.ts'
import type { PromptRecall, RecallForPrompt } from './recall.ts'
import { systemPrompt } from './system-prompt.ts'
import { createTools, type ToolHandlers } from './tools.ts'

/** The inputs of a prompt. */
export interface PromptRequest {
  message: string
  /** Shown to the model before the message; not part of what the user wrote. */
  context?: string | undefined
  provider: string | undefined
  recall: PromptRecall
  attachments: Pick<LoadedAttachments, 'texts' | 'images'>
  /** Earlier messages, oldest first. */
  history: Message[]
  /** Names of the tools that the model is offered. */
  tools: string[]
  /** How often the model may be called where it has tools; 0 for the default. */
  maxSteps: number
  agent?: Agent | undefined
  location?: { latitude: number; longitude: number } | undefined
  /** The origin of the memories that the `remember` tool writes. */
  toolMemories: MemoryOrigin
}

/** The results of the lookups for a prompt. */
interface RecalledContext {
  memories: RecalledMemory[]
  /** The user's custom instructions. */
  instructions: string
}

/** The request of a completion, and the texts that the model is shown. Tools add to them. */
export interface PreparedPrompt extends ShownTexts {
  request: ModelRequest
  /** The parts of the prompt. */
  context: StoredContext
}

/** The part of a context that is stored; memories are stored as references, with the answer. */
export type StoredContext = Omit<MessageContext, 'memories'>

/** A model that has tools needs steps to use them and one to answer. */
const STEPS_WITH_TOOLS = 8

export const displayName = ({ me }: Caller): string => me.display_name ?? 'the user'

interface PromptDeps {
  models: Pick<Models, 'isConfigured' | 'contextTokens'>
  instructions: Pick<InstructionService, 'get'>
  recallMemories: RecallForPrompt
  learning: Pick<LearningService, 'learnToolInput'>
  attachments: Pick<Attachments, 'fetchPage'>
}

export type PromptService = ReturnType<typeof createPromptService>

export const createPromptService = (deps: PromptDeps) => {
  const { models, instructions, recallMemories } = deps

  const isLocal = ({ provider }: PromptRequest): boolean =>
    provider === 'local' || !models.isConfigured

  const recallRequest = (request: PromptRequest): PromptRecall =>
    isLocal(request) ? localRecall(request) : request.recall

  /** @param shown receives what the model is shown. */
  const assemble = (
    caller: Caller,
    request: PromptRequest,
    recalled: RecalledContext,
    shown: ShownSources,
  ): { request: ModelRequest; memories: RecalledMemory[]; context: StoredContext } => {
    const marks = createMarks()
    const system = systemPromptFor(caller, request, recalled.instructions, marks)
    const tools = createTools(
      request.tools.filter((name) => name !== 'remember' || keepsAnswers(caller)),
      toolHandlers(deps, caller, { request, recall: recallRequest(request), shown }),
      marks,
      models.contextTokens,
    )
    const { messages, memories, context } = fitMessages(
      {
        system,
        message: [request.context, request.message].filter(Boolean).join('\n\n'),
        images: request.attachments.images,
        memories: recalled.memories,
        texts: request.attachments.texts,
        history: request.history,
        toolCount: tools.length,
        timezone: caller.timezone,
      },
      marks,
      models.contextTokens,
    )
    const { provider, maxSteps } = request
    return {
      request: {
        provider,
        system,
        messages,
        ...(tools.length && { tools, maxSteps: maxSteps || STEPS_WITH_TOOLS }),
      },
      memories,
      context: {
        ...context,
        instructions: recalled.instructions,
        tools: tools.map(({ name }) => name),
      },
    }
  }

  return {
    /**
     * Recalls memories and fits the messages of a prompt.
     * @param isLearned whether the message may become a memory; a local answer says so.
     */
    async prepare(
      caller: Caller,
      request: PromptRequest,
      { isLearned }: { isLearned: boolean },
    ): Promise<PreparedPrompt> {
      const [recalled, { instructions: custom }] = await Promise.all([
        recallMemories(caller, recallRequest(request)),
        instructions.get(caller),
      ])
      const shown = startShownSources(request)
      const {
        request: modelRequest,
        memories,
        context,
      } = assemble(caller, request, { memories: recalled, instructions: custom }, shown)
      shown.addMemories(memories)
      return {
        request: {
          ...modelRequest,
          async *local(reason, signal) {
            const quoted = isLocal(request)
              ? memories
              : await recallMemories(caller, localRecall(request))
            shown.addMemories(quoted)
            const learned = isLearned ? request.message : ''
            const input = { message: request.message, learned }
            yield* quoteMemories(input, quoted, caller.timezone)(reason, signal)
          },
        },
        context,
        memories: shown.memories,
        sources: shown.texts,
        trust: shown.trust,
      }
    },
  }
}

/** For a local answer, which does not read the history: only the message itself is left out. */
const localRecall = ({ recall, toolMemories }: PromptRequest): PromptRecall => ({
  ...recall,
  except: new Set([toolMemories.ref]),
})

const systemPromptFor = (
  caller: Caller,
  { agent, location }: PromptRequest,
  instructions: string,
  marks: DataMarks,
): string =>
  systemPrompt(
    {
      person: displayName(caller),
      instructions,
      agent,
      location,
      now: new Date(),
      timezone: caller.timezone,
    },
    marks,
  )

/** The texts of the user in a conversation. */
const userTexts = ({ message, history }: PromptRequest): string[] => [
  message,
  ...history.flatMap(({ role, content }) =>
    role === 'user' && typeof content === 'string' ? content : [],
  ),
]

/** The memories and texts that a model is shown, from the prompt and later from its tools. */
type ShownSources = ReturnType<typeof startShownSources>

/** Whom an attachment comes from: a file is the user's, but others may have written it. */
const attachmentTrust = ({ kind }: DataItem): Trust => (kind === 'file' ? 'imported' : 'external')

const startShownSources = (request: PromptRequest) => {
  const memories: RecalledMemory[] = []
  const attached = request.attachments.texts
  const texts = [...attached.map(({ text }) => text), ...userTexts(request)]
  let trust = lowestTrust('user', ...attached.map(attachmentTrust))
  return {
    memories,
    texts,
    addMemories(added: RecalledMemory[]): void {
      const known = new Set(memories.map(({ memory_id }) => memory_id))
      memories.push(...added.filter(({ memory_id }) => !known.has(memory_id)))
      texts.push(...added.map(({ content_text }) => content_text))
      trust = lowestTrust(trust, ...added.map(({ source }) => source.trust))
    },
    addPage(text: string): void {
      texts.push(text)
      trust = 'external'
    },
    /** The lowest trust of the texts so far. */
    trust: (): Trust => trust,
  }
}

const toolHandlers = (
  { recallMemories, learning, attachments }: PromptDeps,
  caller: Caller,
  {
    request,
    recall,
    shown,
  }: {
    request: PromptRequest
    recall: PromptRecall
    shown: ShownSources
  },
): ToolHandlers => ({
  async recall(query) {
    const recalled = await recallMemories(caller, { ...recall, query, cut: SEARCH_CUT })
    shown.addMemories(recalled)
    return recalled
  },
  remember: (content) =>
    learning.learnToolInput(caller, { ...request.toolMemories, content }, shown),
  async fetchPage(url) {
    const page = await attachments.fetchPage(caller, url)
    shown.addPage(page.text)
    return page
  },
  urls: new Set(userTexts(request).flatMap((text) => findUrls(text))),
  timezone: caller.timezone,
})
