import type { Channel } from '../firings/firing.ts'
import type { IntentService } from '../intents/service.ts'

/** Opens an intent, which the owner sees among their proactive intents. */
export const createInboxChannel = (intents: Pick<IntentService, 'open'>): Channel => ({
  name: 'inbox',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/channels/inbox',
  async send(tx, { owner, reflex, firing }, { title, text }) {
    await intents.open(tx, owner.userId, {
      kind: 'reminder',
      source: `reflex:${firing.firingId}`,
      title,
      text,
      data: { reflex_id: reflex.reflexId, firing_id: firing.firingId },
    })
  },
})
