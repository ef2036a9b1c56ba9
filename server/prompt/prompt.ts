import type { Agent } from '../../shared/contract/agents.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import type { InstructionService } from '../account/users/settings/service.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Message, ModelRequest, Models } from '../platform/models/types.ts'
import { fitMessages } from './assemble.ts'
import type { Attachments, LoadedAttachments } from './attachments.ts'
import type { LearningService, Utterance } from './learning.ts'
import { quoteMemories } from './local-answer.ts'
import { findUrls } from './message-content.ts'
import { createMarks } from './quoted-data.ts'
import type { RecallForPrompt, RecallRequest } from './recall.ts'
import { systemPrompt } from './system-prompt.ts'
import { createTools, type ToolHandlers } from './tools.ts'

/** The inputs of a prompt. */
export interface PromptRequest {
  message: string
  /** Shown to the model before the message; not part of what the user wrote. */
  context?: string | undefined
  provider: string | undefined
  recall: RecallRequest
  attachments: Pick<LoadedAttachments, 'texts' | 'images'>
  /** Earlier messages, oldest first. */
  history: Message[]
  /** Names of the tools that the model is offered. */
  tools: string[]
  /** How often the model may be called where it has tools; 0 for the default. */
  maxSteps: number
  agent?: Agent | undefined
  location?: { latitude: number; longitude: number } | undefined
  /** How the `remember` tool stores a note. */
  note: Omit<Utterance, 'content'>
}

/** The results of the lookups for a prompt. */
interface RecalledContext {
  memories: RecalledMemory[]
  /** The user's custom instructions. */
  instructions: string
}

interface AssembledPrompt {
  request: ModelRequest
  /** The memories that the model was shown. Tools that recall add to it. */
  memories: RecalledMemory[]
  /** All texts that the model was shown. Tools add to it. */
  sources: string[]
}

/** A model that has tools needs steps to use them and one to answer. */
const STEPS_WITH_TOOLS = 8

export const displayName = ({ me }: Caller): string => me.display_name ?? 'the user'

/**
 * Members of an organization read each other's memories. A model that remembers there could copy a
 * personal memory of the caller, and a member could plant a memory that asks it to.
 */
const mayRemember = ({ userId, ownerId }: Caller): boolean => ownerId === userId

interface PromptDeps {
  models: Pick<Models, 'isConfigured' | 'contextTokens'>
  instructions: Pick<InstructionService, 'get'>
  recallMemories: RecallForPrompt
  learning: Pick<LearningService, 'learnNote'>
  attachments: Pick<Attachments, 'fetchPage'>
}

export type PromptService = ReturnType<typeof createPromptService>

export const createPromptService = (deps: PromptDeps) => {
  const { models, instructions, recallMemories } = deps

  const isLocal = ({ provider }: PromptRequest): boolean =>
    provider === 'local' || !models.isConfigured

  /** For a local answer, which does not read the history: only the question itself is left out. */
  const localRecall = ({ recall, note }: PromptRequest): RecallRequest => ({
    ...recall,
    except: new Set([note.ref]),
  })

  const recallRequest = (request: PromptRequest): RecallRequest =>
    isLocal(request) ? localRecall(request) : request.recall

  return {
    async recall(caller: Caller, request: PromptRequest): Promise<RecalledContext> {
      const [memories, custom] = await Promise.all([
        recallMemories(caller, recallRequest(request)),
        instructions.get(caller),
      ])
      return { memories, instructions: custom.instructions }
    },

    /** @param isLearned whether the message may become a memory; a local answer says so. */
    assemble(
      caller: Caller,
      request: PromptRequest,
      recalled: RecalledContext,
      isLearned: boolean,
    ): AssembledPrompt {
      const { message, context, history, attachments } = request
      const { timezone } = caller
      const shown = startShownSources(request)
      const marks = createMarks()
      const system = systemPrompt(
        {
          person: displayName(caller),
          instructions: recalled.instructions,
          agent: request.agent,
          location: request.location,
          now: new Date(),
          timezone,
        },
        marks,
      )
      const tools = createTools(
        request.tools.filter((name) => name !== 'remember' || mayRemember(caller)),
        toolHandlers(deps, caller, { request, recall: recallRequest(request), shown }),
        marks,
        models.contextTokens,
      )
      const { messages, memories } = fitMessages(
        {
          system,
          question: [context, message].filter(Boolean).join('\n\n'),
          images: attachments.images,
          memories: recalled.memories,
          texts: attachments.texts,
          history,
          toolCount: tools.length,
          timezone,
        },
        marks,
        models.contextTokens,
      )
      shown.addMemories(memories)
      const modelRequest: ModelRequest = {
        provider: request.provider,
        system,
        messages,
        async *local(reason, signal) {
          const quoted = isLocal(request)
            ? memories
            : await recallMemories(caller, localRecall(request))
          shown.addMemories(quoted)
          const learned = isLearned ? message : ''
          yield* quoteMemories({ message, learned }, quoted, timezone)(reason, signal)
        },
        ...(tools.length && { tools, maxSteps: request.maxSteps || STEPS_WITH_TOOLS }),
      }
      return { request: modelRequest, memories: shown.memories, sources: shown.texts }
    },
  }
}

/** The texts of the user in a conversation. */
const userTexts = ({ message, history }: PromptRequest): string[] => [
  message,
  ...history.flatMap(({ role, content }) =>
    role === 'user' && typeof content === 'string' ? content : [],
  ),
]

/** Collects what a model is shown, from the prompt and later from its tools. */
const startShownSources = (request: PromptRequest) => {
  const memories: RecalledMemory[] = []
  const texts = [...request.attachments.texts.map(({ text }) => text), ...userTexts(request)]
  return {
    memories,
    texts,
    addMemories(added: RecalledMemory[]): void {
      const known = new Set(memories.map(({ memory_id }) => memory_id))
      memories.push(...added.filter(({ memory_id }) => !known.has(memory_id)))
      texts.push(...added.map(({ content_text }) => content_text))
    },
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
    recall: RecallRequest
    shown: ReturnType<typeof startShownSources>
  },
): ToolHandlers => ({
  async recall(query) {
    const recalled = await recallMemories(caller, { ...recall, query })
    shown.addMemories(recalled)
    return recalled
  },
  remember: (content) => learning.learnNote(caller, { ...request.note, content }),
  async fetchPage(url) {
    const page = await attachments.fetchPage(caller, url)
    shown.texts.push(page.text)
    return page
  },
  urls: new Set(userTexts(request).flatMap((text) => findUrls(text))),
  timezone: caller.timezone,
})
