import { MAX_TEXT_LENGTH } from '../../shared/contract/common.ts'
import { lowestTrust, type Remember, type Trust } from '../../shared/contract/memories.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import type { UrlPage } from '../../shared/contract/url.ts'
import { ANSWER_SOURCE, type Source } from '../memory/memories/actor.ts'
import type { MemoryService } from '../memory/memories/service.ts'
import { withoutGiven } from '../memory/text/given.ts'
import { keepsAnswers } from '../memory/wall.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Log } from '../platform/log.ts'
import { splitIntoParts } from '../platform/text/parts.ts'
import type { Completion } from './completion.ts'
import { addsInformation, containsStatement } from './statements.ts'

const COMPLETION_IMPORTANCE = 0.2
const PAGE_IMPORTANCE = 0.3
/** A page becomes memories of about this length, split between paragraphs. */
const PART_CHARS = 2_000
const MAX_PARTS = 50
/** The newest memories of a thread that are searched for the one of an earlier completion. */
const SEARCHED_MEMORIES = 100

/** The thread that memories of a conversation belong to. */
export interface MemoryPlacement {
  thread: string
  memoryType: Remember['memory_type']
  agentSlug: string | null
}

/** Where a memory of a conversation comes from. */
export interface MemoryOrigin extends MemoryPlacement {
  author: string
  /** The id of the message or exchange. */
  ref: string
}

/** A message of a conversation that may become a memory. */
interface Utterance extends MemoryOrigin {
  content: string
}

/** The parts of a turn that may become memories. */
export interface TurnLesson {
  message: Utterance
  /** Whom the message comes from, if not from the caller: another program that speaks. */
  trust?: Trust
  completion: MemoryOrigin
  /** Whether the completion replaces an earlier one. */
  isReplacement: boolean
}

/** The memories and all texts that a model was shown. */
export interface ShownTexts {
  memories: RecalledMemory[]
  sources: string[]
  /** The lowest trust of the texts so far: what is made of them is trusted no more. */
  trust(): Trust
}

export type LearningService = ReturnType<typeof createLearningService>

/** Makes memories of conversations. A failure is logged: the conversation itself is stored in any case. */
export const createLearningService = (
  memories: Pick<MemoryService, 'rememberAll' | 'list'>,
  log: Log,
) => {
  const remember = async (caller: Caller, bodies: () => Promise<Remember[]>, source: Source) => {
    try {
      await memories.rememberAll(caller, await bodies(), source)
    } catch (error) {
      log.error({ error, kind: source.kind }, 'a conversation was not remembered')
    }
  }

  const learnMessage = async (
    caller: Caller,
    { message, trust = 'user' }: TurnLesson,
    recalled: RecalledMemory[],
  ) => {
    const content = withoutGiven(message.content)
    const isKnown = recalled.some(({ content_text }) => content_text === content)
    if (isKnown || !containsStatement(content)) return
    await remember(caller, async () => [toMemory({ ...message, content })], {
      kind: 'chat',
      ref: message.ref,
      trust: lowestTrust(caller.trust ?? 'user', trust),
    })
  }

  const learnCompletion = async (
    caller: Caller,
    completion: Utterance,
    { isReplacement, trust }: { isReplacement: boolean; trust: Trust },
  ) => {
    const body = async () => ({
      ...toMemory(completion),
      importance: COMPLETION_IMPORTANCE,
      supersedes: isReplacement
        ? ((await findCompletionMemory(memories, caller, completion)) ?? null)
        : null,
    })
    await remember(caller, async () => [await body()], answerOf(caller, completion.ref, trust))
  }

  return {
    /**
     * Learns from one turn.
     * @param prompt the texts that the model is shown; tools add to them.
     */
    startTurn(caller: Caller, lesson: TurnLesson, prompt: ShownTexts) {
      let learningMessage: Promise<void> | undefined
      return {
        /**
         * Remembers the user's message if it contains a statement, unless a recalled memory has the same
         * text. Further calls return the promise of the first.
         */
        learnMessage(): Promise<void> {
          learningMessage ??= learnMessage(caller, lesson, prompt.memories)
          return learningMessage
        },
        /**
         * Remembers a model's completion that adds information to the texts that the model was shown. Not
         * in an organization.
         */
        async learnCompletion({
          content: text,
          provider,
        }: Pick<Completion, 'content' | 'provider'>): Promise<void> {
          const content = withoutGiven(text)
          if (provider === 'local' || !keepsAnswers(caller)) return
          if (!addsInformation(content, prompt.sources)) return
          const { completion, isReplacement } = lesson
          const trust = prompt.trust()
          await learnCompletion(caller, { ...completion, content }, { isReplacement, trust })
        },
      }
    },

    /** For the model's `remember` tool. As an `answer` it is not read for facts: the user's words are. */
    async learnToolInput(
      caller: Caller,
      input: Utterance,
      shown: Pick<ShownTexts, 'trust'>,
    ): Promise<void> {
      await memories.rememberAll(
        caller,
        [toMemory(input)],
        answerOf(caller, input.ref, shown.trust()),
      )
    },

    async learnPage(caller: Caller, page: UrlPage): Promise<void> {
      const bodies = memoriesOfPage(page)
      const source: Source = { kind: 'page', ref: page.url, trust: 'external' }
      if (bodies.length) await remember(caller, async () => bodies, source)
    },
  }
}

/** The memory of the earlier version of a regenerated completion. */
const findCompletionMemory = async (
  memories: Pick<MemoryService, 'list'>,
  caller: Caller,
  { thread, ref }: Utterance,
): Promise<string | undefined> => {
  const { memories: recent } = await memories.list(caller, { thread, limit: SEARCHED_MEMORIES })
  return recent.find(({ source }) => source.kind === 'answer' && source.ref === ref)?.memory_id
}

/** The source of a model's text, made of texts of this trust. */
const answerOf = (caller: Pick<Caller, 'trust'>, ref: string, trust: Trust): Source => ({
  kind: ANSWER_SOURCE,
  ref,
  trust: lowestTrust('assistant', caller.trust ?? 'user', trust),
})

const memoriesOfPage = ({ url, title, text }: UrlPage): Remember[] =>
  splitIntoParts(withoutGiven(text), PART_CHARS)
    .slice(0, MAX_PARTS)
    .map((content) => ({
      content,
      memory_type: 'semantic',
      importance: PAGE_IMPORTANCE,
      tags: ['page'],
      thread: `url:${url}`.slice(0, 500).toWellFormed(),
      author: (title || new URL(url).hostname).slice(0, 200).toWellFormed(),
      metadata: { url },
    }))

const toMemory = ({ content, author, thread, memoryType, agentSlug }: Utterance): Remember => ({
  content: content.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
  memory_type: memoryType,
  tags: [],
  thread,
  author: author.slice(0, 200).toWellFormed(),
  agent_slug: agentSlug,
  metadata: {},
})
