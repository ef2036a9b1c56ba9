import type { UpdateMemory } from '../../../shared/contract/memories.ts'
import { isObject } from '../../../shared/objects.ts'
import { redactedKinds, redactSecrets } from '../../../shared/secrets.ts'

/** `hooks`: captured conversations; `on`: all writes. */
export type RedactMode = 'off' | 'hooks' | 'on'

interface Writable {
  content: string
  metadata?: Record<string, unknown>
  tags?: string[]
  thread?: string | null
  author?: string | null
}

export type Redaction = ReturnType<typeof createRedaction>

/** A value under its name, which may be what gives a credential away. */
const redactField = async (name: string, value: string): Promise<string> => {
  const { text } = await redactSecrets(value)
  if (text !== value || /["\\\n]/.test(name + value)) return text
  const [before, after] = [`"${name}": "`, '"']
  const named = (await redactSecrets(before + value + after)).text
  return named.startsWith(before) && named.endsWith(after)
    ? named.slice(before.length, -after.length)
    : value
}

const redactValue = async (name: string, value: unknown): Promise<unknown> => {
  if (typeof value === 'string') return redactField(name, value)
  if (Array.isArray(value)) return Promise.all(value.map((each) => redactValue(name, each)))
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(
    async ([key, each]) => [key, await redactValue(key, each)] as const,
  )
  return Object.fromEntries(await Promise.all(fields))
}

/** Replaces the credentials in texts, and lists their kinds in the metadata. */
export const createRedaction = (mode: () => RedactMode) => {
  const redact = async <T extends Writable>(body: T): Promise<T> => {
    const { text } = await redactSecrets(body.content)
    const { metadata, tags, thread, author } = body
    const all = (await redactValue('', { metadata, tags, thread, author })) as Partial<T>
    const found = redactedKinds(JSON.stringify([text, all]))
    if (found.length === 0) return body
    return { ...body, ...all, content: text, metadata: { ...all.metadata, redacted: found } }
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
      if (mode() !== 'on') return body
      const { content, metadata, ...changed } = await redact({
        ...body,
        content: body.content ?? '',
      })
      return {
        ...changed,
        ...(body.content !== undefined && { content }),
        ...(body.metadata && { metadata }),
      }
    },

    /** A memory of an export. */
    async imported<T extends Omit<Writable, 'content'> & { content_text: string }>(
      memory: T,
    ): Promise<T> {
      if (mode() !== 'on') return memory
      const { content, ...redacted } = await redact({ ...memory, content: memory.content_text })
      return { ...memory, ...redacted, content_text: content }
    },
  }
}
