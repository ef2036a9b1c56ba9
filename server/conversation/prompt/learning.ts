import type { RecalledMemory, Remember } from '../../../shared/schemas/memory.ts'
import type { UrlPage } from '../../../shared/schemas/url.ts'
import type { MemoryService } from '../../memory/memories/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Log } from '../../platform/log.ts'
import { hasNews, saysSomething } from './words.ts'

/** The longest memory. */
const MAX_CHARS = 32_000
const ANSWER_IMPORTANCE = 0.2
const PAGE_IMPORTANCE = 0.3
/** A page is remembered in parts, cut where a paragraph ends. */
const PART_CHARS = 2_000
const MAX_PARTS = 50

/** Where words were said. */
export interface Place {
  thread: string
  memoryType: Remember['memory_type']
  agentSlug: string | null
}

/** Something that was said, as it is remembered. */
export interface Words extends Place {
  content: string
  author: string
  /** The message or exchange. */
  ref: string
}

export type Learning = ReturnType<typeof createLearning>

/**
 * Remembers what is said in conversations. A failure is logged: what was said is kept with the
 * conversation in any case.
 */
export const createLearning = (memories: Pick<MemoryService, 'rememberAll' | 'list'>, log: Log) => {
  const store = async (caller: Caller, bodies: Remember[], kind: string, ref: string) => {
    try {
      await memories.rememberAll(caller, bodies, { kind, ref })
    } catch (error) {
      log.error({ error, kind }, 'what was said was not remembered')
    }
  }

  /** The memory that was made of an earlier version of an answer. */
  const earlier = async (caller: Caller, thread: string, ref: string) => {
    const { memories: recent } = await memories.list(caller, { thread, limit: 100 })
    return recent.find(({ source }) => source.kind === 'answer' && source.ref === ref)?.memory_id
  }

  return {
    /** What somebody says, where it says something, and nothing that was recalled in the same words. */
    async words(caller: Caller, words: Words, recalled: RecalledMemory[]): Promise<void> {
      const isKnown = recalled.some(({ content_text }) => content_text === words.content)
      if (isKnown || !saysSomething(words.content)) return
      await store(caller, [bodyOf(words)], 'chat', words.ref)
    },

    /**
     * What a model answers, where it says more than `sources`: all that it was shown. Nothing of it
     * becomes an organization's: it may have been made of what the person alone remembers.
     */
    async answer(caller: Caller, words: Words, sources: string[], isAnew: boolean): Promise<void> {
      if (caller.ownerId !== caller.userId) return
      if (!hasNews(words.content, sources)) return
      const before = isAnew ? ((await earlier(caller, words.thread, words.ref)) ?? null) : null
      const body = { ...bodyOf(words), importance: ANSWER_IMPORTANCE, supersedes: before }
      await store(caller, [body], 'answer', words.ref)
    },

    /** What a model was told to remember. It is not read for facts: the person's own words are. */
    async noted(caller: Caller, words: Words): Promise<void> {
      await memories.rememberAll(caller, [bodyOf(words)], { kind: 'answer', ref: words.ref })
    },

    async page(caller: Caller, { url, title, text }: UrlPage): Promise<void> {
      const bodies = partsOf(text).map((content) => ({
        content,
        memory_type: 'semantic' as const,
        importance: PAGE_IMPORTANCE,
        tags: ['page'],
        thread: `url:${url}`.slice(0, 500).toWellFormed(),
        author: (title || new URL(url).hostname).slice(0, 200).toWellFormed(),
        metadata: { url },
      }))
      if (bodies.length) await store(caller, bodies, 'page', url)
    },
  }
}

const bodyOf = ({ content, author, thread, memoryType, agentSlug }: Words): Remember => ({
  content: content.slice(0, MAX_CHARS).toWellFormed(),
  memory_type: memoryType,
  importance: 0.5,
  tags: [],
  thread,
  author: author.slice(0, 200).toWellFormed(),
  agent_slug: agentSlug,
  metadata: {},
})

/** Parts of about the same length, each of whole paragraphs where these are short enough. */
const partsOf = (text: string): string[] => {
  const parts: string[] = []
  for (const paragraph of text.split(/\n{2,}/).flatMap(piecesOf)) {
    const last = parts.at(-1)
    if (last && last.length + paragraph.length < PART_CHARS)
      parts[parts.length - 1] = `${last}\n\n${paragraph}`
    else parts.push(paragraph)
  }
  return parts.slice(0, MAX_PARTS)
}

const piecesOf = (paragraph: string): string[] =>
  (
    paragraph.trim().match(new RegExp(`[^]{1,${PART_CHARS}}(?=\\s|$)|[^]{1,${PART_CHARS}}`, 'g')) ??
    []
  )
    .map((piece) => piece.trim())
    .filter(Boolean)
