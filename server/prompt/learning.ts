import { MAX_TEXT_LENGTH } from '../../shared/contract/common.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import type { UrlPage } from '../../shared/contract/url.ts'
import type { MemoryService } from '../memory/memories/service.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Log } from '../platform/log.ts'
import { addsInformation, containsStatement } from './statements.ts'

const DEFAULT_IMPORTANCE = 0.5
const ANSWER_IMPORTANCE = 0.2
const PAGE_IMPORTANCE = 0.3
/** A page becomes memories of about this length, split between paragraphs. */
const PART_CHARS = 2_000
const MAX_PARTS = 50
/** Of a thread's newest memories, those searched for the one of an earlier answer. */
const SEARCHED_MEMORIES = 100

/** The thread that memories of a conversation belong to. */
export interface MemoryPlacement {
  thread: string
  memoryType: Remember['memory_type']
  agentSlug: string | null
}

/** A message of a conversation that may become a memory. */
export interface Utterance extends MemoryPlacement {
  content: string
  author: string
  /** The id of the message or exchange. */
  ref: string
}

export type LearningService = ReturnType<typeof createLearningService>

/** Makes memories of conversations. A failure is logged: the conversation itself is stored in any case. */
export const createLearningService = (
  memories: Pick<MemoryService, 'rememberAll' | 'list'>,
  log: Log,
) => {
  const remember = async (
    caller: Caller,
    bodies: () => Promise<Remember[]>,
    kind: string,
    ref: string,
  ) => {
    try {
      await memories.rememberAll(caller, await bodies(), { kind, ref })
    } catch (error) {
      log.error({ error, kind }, 'a conversation was not remembered')
    }
  }

  /** The memory of the earlier version of a regenerated answer. */
  const findAnswerMemory = async (caller: Caller, thread: string, ref: string) => {
    const { memories: recent } = await memories.list(caller, { thread, limit: SEARCHED_MEMORIES })
    return recent.find(({ source }) => source.kind === 'answer' && source.ref === ref)?.memory_id
  }

  return {
    /** Remembers a question that contains a statement, unless a recalled memory has the same text. */
    async learnQuestion(
      caller: Caller,
      question: Utterance,
      recalled: RecalledMemory[],
    ): Promise<void> {
      const isKnown = recalled.some(({ content_text }) => content_text === question.content)
      if (isKnown || !containsStatement(question.content)) return
      await remember(caller, async () => [toMemory(question)], 'chat', question.ref)
    },

    /**
     * Remembers an answer that adds information to `sources`, the texts that the model was shown. Not in
     * an organization: the answer may repeat personal memories of the caller.
     */
    async learnAnswer(
      caller: Caller,
      answer: Utterance,
      sources: string[],
      isReplacement: boolean,
    ): Promise<void> {
      if (caller.ownerId !== caller.userId) return
      if (!addsInformation(answer.content, sources)) return
      const body = async () => ({
        ...toMemory(answer),
        importance: ANSWER_IMPORTANCE,
        supersedes: isReplacement
          ? ((await findAnswerMemory(caller, answer.thread, answer.ref)) ?? null)
          : null,
      })
      await remember(caller, async () => [await body()], 'answer', answer.ref)
    },

    /** For the model's `remember` tool. As an `answer` it is not read for facts: the user's words are. */
    async learnNote(caller: Caller, note: Utterance): Promise<void> {
      await memories.rememberAll(caller, [toMemory(note)], { kind: 'answer', ref: note.ref })
    },

    async learnPage(caller: Caller, { url, title, text }: UrlPage): Promise<void> {
      const bodies = splitIntoParts(text).map((content) => ({
        content,
        memory_type: 'semantic' as const,
        importance: PAGE_IMPORTANCE,
        tags: ['page'],
        thread: `url:${url}`.slice(0, 500).toWellFormed(),
        author: (title || new URL(url).hostname).slice(0, 200).toWellFormed(),
        metadata: { url },
      }))
      if (bodies.length) await remember(caller, async () => bodies, 'page', url)
    },
  }
}

const toMemory = ({ content, author, thread, memoryType, agentSlug }: Utterance): Remember => ({
  content: content.slice(0, MAX_TEXT_LENGTH).toWellFormed(),
  memory_type: memoryType,
  importance: DEFAULT_IMPORTANCE,
  tags: [],
  thread,
  author: author.slice(0, 200).toWellFormed(),
  agent_slug: agentSlug,
  metadata: {},
})

/** Parts of similar length, of whole paragraphs where these are short enough. */
const splitIntoParts = (text: string): string[] => {
  const parts: string[] = []
  for (const paragraph of text.split(/\n{2,}/).flatMap(splitParagraph)) {
    const last = parts.at(-1)
    if (last && last.length + paragraph.length < PART_CHARS)
      parts[parts.length - 1] = `${last}\n\n${paragraph}`
    else parts.push(paragraph)
  }
  return parts.slice(0, MAX_PARTS)
}

/** Pieces that end at a word boundary; a word longer than a part is split. */
// Reads at most 1000 characters: a match has PART_CHARS at most.
const PIECES = new RegExp(`[^]{1,${PART_CHARS}}(?=\\s|$)|[^]{1,${PART_CHARS}}`, 'g')

const splitParagraph = (paragraph: string): string[] =>
  (paragraph.trim().match(PIECES) ?? []).map((piece) => piece.trim()).filter(Boolean)
