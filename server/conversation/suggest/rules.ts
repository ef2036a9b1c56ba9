import type { ChatSession } from '../../../shared/contract/chat-sessions.ts'
import type { Memory } from '../../../shared/contract/memories.ts'

export const MAX_SUGGESTIONS = 5
export const MIN_SUGGESTIONS = 3
export const MAX_CHARS = 140

/** For every user, new ones included. */
const DEFAULTS = [
  'What do you remember about me?',
  'What did I tell you this week?',
  'Remember that I would like short answers.',
]
const MAX_TOPICS = 2
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Suggestions without a model. @param memories newest first. @param sessions newest first. */
export const suggestByRules = (memories: Memory[], sessions: ChatSession[]): string[] => {
  const own = memories.filter(({ source }) => source.kind !== 'answer' && source.kind !== 'page')
  const titled = sessions.find(({ message_count }) => message_count > 0)
  const topics = topicsOf(own)
  const first = own[0]
  const made = [
    ...(titled ? [`Let’s go on with “${truncateLine(titled.title, 60)}”.`] : []),
    ...topics.map((topic) => `What do you remember about ${topic}?`),
    ...(first && topics.length === 0
      ? [`What else do I know about “${truncateLine(first.content_text, 60)}”?`]
      : []),
  ]
  return [...new Set([...made, ...DEFAULTS])].slice(0, MAX_SUGGESTIONS)
}

/** The most frequent names and tags of memories; the newest first where they are equally frequent. */
const topicsOf = (memories: Memory[]): string[] => {
  const counts = new Map<string, number>()
  for (const { content_text, tags } of memories)
    for (const topic of new Set([...tags, ...namesIn(content_text)]))
      counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([topic]) => truncateLine(topic, 40))
    .slice(0, MAX_TOPICS)
}

/** Capitalized words within a sentence, which are names in most languages with capital letters. */
const namesIn = (text: string): string[] => {
  const found: string[] = []
  let isFirst = true
  for (const { segment, isWordLike } of words.segment(text)) {
    if (isWordLike) {
      if (!isFirst && /^\p{Lu}\p{Ll}{2,}/u.test(segment)) found.push(segment)
      isFirst = false
    } else if (/[.!?…:\n]/.test(segment)) isFirst = true
  }
  return found
}

export const truncateLine = (text: string, chars: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= chars
    ? line
    : `${line
        .slice(0, chars - 1)
        .toWellFormed()
        .trim()}…`
}
