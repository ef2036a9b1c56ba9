import type { RawMemory } from './format.ts'
import { splitContent, toStorable } from './values.ts'

/** A message of a conversation with an assistant. */
export interface ImportedMessage {
  author: 'user' | 'assistant'
  text: string
  occurredAt: string | undefined
  source: { kind: string; ref: string }
}

/** One memory per message, or more for a very long one. */
export function* conversationMemories(
  product: string,
  { id, title, startedAt }: { id: string; title: unknown; startedAt: string | undefined },
  messages: Iterable<ImportedMessage>,
): Generator<RawMemory> {
  const thread = toStorable(`${product}:${id}`).slice(0, 500)
  const metadata = typeof title === 'string' && title ? { title: toStorable(title) } : {}
  let position = 0
  for (const { author, text, occurredAt, source } of messages)
    for (const content_text of splitContent(toStorable(text)))
      yield {
        content_text,
        memory_type: 'episodic',
        thread,
        position: ++position,
        author,
        tags: [product],
        metadata,
        source,
        occurred_at: occurredAt ?? startedAt ?? null,
      }
}
