import type { MemoryService } from '../../memory/memories/service.ts'
import { renderTemplate } from '../conditions/template.ts'
import { type ActionHandler, FiringFailure, REFLEX_SOURCE } from '../firings/firing.ts'

/** The longest memory. */
const MAX_CHARS = 32_000

/** Writes a memory of the owner. */
export const createRememberAction = (
  memories: Pick<MemoryService, 'rememberWithin'>,
): ActionHandler<'remember'> => ({
  name: 'remember',
  version: '1.0.0',
  category: 'memory',
  ref: 'automation/actions/remember',
  preview: ({ content }, event) => `Remember: ${renderTemplate(content, event).trim()}`,
  async runWithin(tx, { action, owner: { userId }, reflex, firing }) {
    const rendered = renderTemplate(action.content, firing.event)
    const content = rendered.trim().slice(0, MAX_CHARS).toWellFormed()
    if (!content) throw new FiringFailure('The content to remember is empty', { isFinal: true })
    await memories.rememberWithin(
      tx,
      { userId, ownerId: userId, keyId: null, sessionId: null },
      {
        content,
        memory_type: action.memory_type,
        importance: 0.5,
        tags: action.tags,
        metadata: { reflex_id: reflex.reflexId },
      },
      { kind: REFLEX_SOURCE, ref: firing.firingId },
    )
  },
})
