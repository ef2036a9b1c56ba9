import type { IntentService } from '../intents/service.ts'
import type { Channel } from './channel.ts'

/** Among what waits for the person. */
export const createInbox = (intents: Pick<IntentService, 'open'>): Channel => ({
  name: 'inbox',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/channels/inbox',
  async tell(tx, { person, reflex, firing }, { title, text }) {
    await intents.open(tx, person.userId, {
      kind: 'reminder',
      source: `reflex:${firing.firingId}`,
      title,
      text,
      data: { reflex_id: reflex.reflexId, firing_id: firing.firingId },
    })
  },
})
