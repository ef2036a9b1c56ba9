import type { MemoryService } from '../../memory/memories/service.ts'
import { fillIn } from '../conditions/template.ts'
import { FiringFailure } from '../firings/failure.ts'
import type { ActionHandler } from './action.ts'

/** The longest memory. */
const MAX_CHARS = 32_000

/** Where memories come from that a reflex wrote: they trigger none. */
export const REFLEX_SOURCE = 'reflex'

/** Remembers something for the person. */
export const createRemember = (
  memories: Pick<MemoryService, 'rememberWithin'>,
): ActionHandler<'remember'> => ({
  name: 'remember',
  version: '1.0.0',
  category: 'memory',
  ref: 'automation/actions/remember',
  preview: ({ content }, event) => `Remember: ${fillIn(content, event).trim()}`,
  async within(tx, { action, person: { userId }, reflex, firing }) {
    const content = fillIn(action.content, firing.event).trim().slice(0, MAX_CHARS).toWellFormed()
    if (!content) throw new FiringFailure('There was nothing to remember', { isFinal: true })
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
