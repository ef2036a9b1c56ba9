import type { Agent } from '../../../shared/schemas/agents.ts'
import type { RecalledMemory } from '../../../shared/schemas/memory.ts'
import type { InstructionService } from '../../account/instructions/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Message, ModelRequest, Models } from '../../platform/models/types.ts'
import { assemble } from './assemble.ts'
import { createMarks } from './data.ts'
import type { Learning, Place } from './learning.ts'
import { quoteMemories } from './local.ts'
import type { Gather, Materials } from './materials.ts'
import { urlsIn } from './pages.ts'
import type { Recollecting, Recollection } from './recollection.ts'
import { systemPrompt } from './system.ts'
import { toolsFor } from './tools.ts'

/** All that an answer is made from. */
export interface Asking {
  /** What is said, in words. */
  message: string
  /** What a model is told beside it. */
  context?: string | undefined
  provider: string | undefined
  recollecting: Recollecting
  materials: Pick<Materials, 'texts' | 'pictures'>
  /** What was said before, oldest first. */
  history: Message[]
  tools: string[]
  /** How often a model may be called, where it is offered tools. */
  steps: number
  agent?: Agent | undefined
  location?: { latitude: number; longitude: number } | undefined
  /** Where a tool remembers, and in whose name. */
  place: Place & { author: string; ref: string }
}

export interface PreparedPrompt {
  request: ModelRequest
  /** What was recalled for it; more while a model recalls by itself. */
  memories: RecalledMemory[]
  /** All that a model is shown, as texts. */
  sources: string[]
}

/** Tools that are used answer for themselves, and then the model is to speak. */
const STEPS_WITH_TOOLS = 8

export const personOf = ({ me }: Caller): string => me.display_name ?? 'the user'

/**
 * Whether what a model remembers is for the person alone. In an organization others would read it, and
 * it may have been made of what only the person remembers: one of them could plant a memory that asks for it.
 */
const isAlone = ({ userId, ownerId }: Caller): boolean => ownerId === userId

export type Prompts = ReturnType<typeof createPrompts>

export const createPrompts = ({
  models,
  instructions,
  recollect,
  learning,
  materials,
}: {
  models: Models
  instructions: Pick<InstructionService, 'get'>
  recollect: Recollection
  learning: Learning
  materials: Gather
}) => ({
  /** Recalls, and puts together what a model is asked. */
  async prepare(caller: Caller, asking: Asking): Promise<PreparedPrompt> {
    const { message, context, history, place, agent } = asking
    // Without a model nobody reads the history: what it says is recalled like all else.
    const isLocal = asking.provider === 'local' || !models.isConfigured
    const alone = { ...asking.recollecting, except: new Set([place.ref]) }
    const recollecting = isLocal ? alone : asking.recollecting
    const [found, custom] = await Promise.all([
      recollect(caller, recollecting),
      instructions.get(caller),
    ])
    const marks = createMarks()
    const system = systemPrompt(
      {
        person: personOf(caller),
        instructions: custom.instructions,
        agent,
        place: asking.location,
        now: new Date(),
        timezone: caller.timezone,
      },
      marks,
    )
    const said = history.flatMap(({ role, content }) =>
      role === 'user' && typeof content === 'string' ? content : [],
    )
    const sources = [...asking.materials.texts.map(({ text }) => text), message, ...said]
    const note = (recalled: RecalledMemory[]) => {
      const known = new Set(memories.map(({ memory_id }) => memory_id))
      memories.push(...recalled.filter(({ memory_id }) => !known.has(memory_id)))
      sources.push(...recalled.map(({ content_text }) => content_text))
    }
    const tools = toolsFor(
      asking.tools.filter((name) => name !== 'remember' || isAlone(caller)),
      {
        async recall(query) {
          const recalled = await recollect(caller, { ...recollecting, query })
          note(recalled)
          return recalled
        },
        remember: async (content) => {
          await learning.noted(caller, { ...place, content })
        },
        async fetch(url) {
          const page = await materials.read(caller, url)
          sources.push(page.text)
          return page
        },
        urls: new Set([message, ...said].flatMap((text) => urlsIn(text))),
        timezone: caller.timezone,
      },
      marks,
      models.contextTokens,
    )
    const { messages, memories } = assemble(
      {
        system,
        question: [context, message].filter(Boolean).join('\n\n'),
        pictures: asking.materials.pictures,
        memories: found,
        texts: asking.materials.texts,
        history,
        toolCount: tools.length,
        timezone: caller.timezone,
      },
      marks,
      models.contextTokens,
    )
    sources.push(...memories.map(({ content_text }) => content_text))
    const request: ModelRequest = {
      provider: asking.provider,
      system,
      messages,
      async *local(why, signal) {
        const quoted = isLocal ? memories : await recollect(caller, alone)
        note(quoted)
        yield* quoteMemories(message, quoted, caller.timezone)(why, signal)
      },
      ...(tools.length && { tools, maxSteps: asking.steps || STEPS_WITH_TOOLS }),
    }
    return { request, memories, sources }
  },
})
