import type { Db } from '../../platform/db/database.ts'
import { type Channel, FiringFailure } from '../firings/firing.ts'

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
