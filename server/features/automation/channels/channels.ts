import { postNotice } from '../../../conversation/chat-sessions/messages.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Channel, FiringFailure } from '../firings/firing.ts'
import { updateReflexRow } from '../firings/reflex-store.ts'
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

/** Sends to the chat session of the reflex. */
export const createChatChannel = (): Channel => ({
  name: 'chat',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/channels/chat',
  async send(tx, { owner, reflex }, { title, text }) {
    const sessionId = await postNotice(tx, owner.userId, {
      sessionId: reflex.chatSessionId,
      title: reflex.name,
      content: title === reflex.name ? text : `**${title}**\n\n${text}`,
      initiatedBy: 'reflex',
    })
    if (sessionId !== reflex.chatSessionId)
      await updateReflexRow(tx, reflex, { chatSessionId: sessionId })
  },
})

/** Queues an email of a user, sent once the transaction is committed. */
export type QueueEmail = (
  tx: Db,
  sender: { userId: string },
  email: { to: string[]; subject: string; text: string },
) => Promise<unknown>

/** Sends to the owner's own address. */
export const createEmailChannel = (queueEmail: QueueEmail): Channel => ({
  name: 'email',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/channels/email',
  cost: { metric: 'emails', units: 1 },
  async send(tx, { owner }, { title, text }) {
    if (!owner.isVerified)
      throw new FiringFailure('Your email address is not verified', { isFinal: true })
    // A subject has no line breaks.
    const subject = title.replace(/\s+/g, ' ').trim()
    await queueEmail(tx, owner, { to: [owner.email], subject, text })
  },
})
