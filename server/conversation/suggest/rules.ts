import type { ChatSession } from '../../../shared/schemas/chat-sessions.ts'
import type { Memory } from '../../../shared/schemas/memory.ts'

export const MOST_SUGGESTIONS = 5
export const LEAST_SUGGESTIONS = 3
export const MAX_CHARS = 140

/** What anybody could say, also somebody who is new. */
const ALWAYS = [
  'What do you remember about me?',
  'What did I tell you this week?',
  'Remember that I would like short answers.',
]
const MAX_TOPICS = 2
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** What could be said next, without a model. Newest first, both. */
export const suggestionsFrom = (memories: Memory[], sessions: ChatSession[]): string[] => {
  const own = memories.filter(({ source }) => source.kind !== 'answer' && source.kind !== 'page')
  const titled = sessions.find(({ message_count }) => message_count > 0)
  const topics = topicsOf(own)
  const first = own[0]
  const made = [
    ...(titled ? [`Let’s go on with “${short(titled.title, 60)}”.`] : []),
    ...topics.map((topic) => `What do you remember about ${topic}?`),
    ...(first && topics.length === 0
      ? [`What else do I know about “${short(first.content_text, 60)}”?`]
      : []),
  ]
  return [...new Set([...made, ...ALWAYS])].slice(0, MOST_SUGGESTIONS)
}

/** The names and labels that recent memories have most often; of those as frequent, the latest. */
const topicsOf = (memories: Memory[]): string[] => {
  const counts = new Map<string, number>()
  for (const { content_text, tags } of memories)
    for (const topic of new Set([...tags, ...namesIn(content_text)]))
      counts.set(topic, (counts.get(topic) ?? 0) + 1)
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([topic]) => short(topic, 40))
    .slice(0, MAX_TOPICS)
}

/** Words with a capital letter within a sentence: names, in most languages that have such letters. */
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

export const short = (text: string, chars: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= chars
    ? line
    : `${line
        .slice(0, chars - 1)
        .toWellFormed()
        .trim()}…`
}
