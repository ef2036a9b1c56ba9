import type { Told } from './format.ts'
import { inParts, storable } from './values.ts'

/** What somebody said in a conversation with an assistant. */
export interface Message {
  author: 'user' | 'assistant'
  text: string
  occurredAt: string | undefined
  source: { kind: string; ref: string }
}

/** A conversation, as memories of what was said: one a message, or more where it is very long. */
export function* remembered(
  what: string,
  { id, title, startedAt }: { id: string; title: unknown; startedAt: string | undefined },
  messages: Iterable<Message>,
): Generator<Told> {
  const thread = storable(`${what}:${id}`).slice(0, 500)
  const metadata = typeof title === 'string' && title ? { title: storable(title) } : {}
  let position = 0
  for (const { author, text, occurredAt, source } of messages)
    for (const content_text of inParts(storable(text)))
      yield {
        content_text,
        memory_type: 'episodic',
        thread,
        position: ++position,
        author,
        tags: [what],
        metadata,
        source,
        occurred_at: occurredAt ?? startedAt ?? null,
      }
}
