import type { UpdateMemory } from '../../../shared/contract/memories.ts'
import { redactedKinds, redactSecrets } from '../../../shared/secrets.ts'

/** `hooks`: captured conversations; `on`: all writes. */
export type RedactMode = 'off' | 'hooks' | 'on'

interface Writable {
  content: string
  metadata?: Record<string, unknown>
}

export type Redaction = ReturnType<typeof createRedaction>

/** Replaces the credentials in texts, and lists their kinds in the metadata. */
export const createRedaction = (mode: () => RedactMode) => {
  const redact = async <T extends Writable>(body: T): Promise<T> => {
    const { text, kinds } = await redactSecrets(body.content)
    if (kinds.length === 0) return body
    return { ...body, content: text, metadata: { ...body.metadata, redacted: kinds } }
  }
  return {
    /**
     * A captured message, before it is split into parts, or a question. Hooks have redacted theirs already.
     */
    text: async (content: string): Promise<string> =>
      mode() === 'off' ? content : (await redactSecrets(content)).text,

    /** The metadata of a part of a captured message. */
    kindsOf: (content: string): { redacted?: string[] } => {
      const kinds = mode() === 'off' ? [] : redactedKinds(content)
      return kinds.length ? { redacted: kinds } : {}
    },

    /** A new memory. */
    body: async <T extends Writable>(body: T): Promise<T> =>
      mode() === 'on' ? redact(body) : body,

    /** A changed memory. Its metadata lists the kinds if the change has metadata too. */
    async update(body: UpdateMemory): Promise<UpdateMemory> {
      const { content, metadata } = body
      if (mode() !== 'on' || content === undefined) return body
      const redacted = await redact({ content, ...(metadata && { metadata }) })
      return {
        ...body,
        content: redacted.content,
        ...(metadata && { metadata: redacted.metadata }),
      }
    },

    /** A memory of an export. */
    async imported<T extends { content_text: string; metadata?: Record<string, unknown> }>(
      memory: T,
    ): Promise<T> {
      if (mode() !== 'on') return memory
      const { content, metadata } = await redact({
        content: memory.content_text,
        ...(memory.metadata && { metadata: memory.metadata }),
      })
      return { ...memory, content_text: content, metadata }
    },
  }
}
