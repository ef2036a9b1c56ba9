import type { EmailSendingService } from '../../people/email/service.ts'
import { FiringFailure } from '../firings/failure.ts'
import type { Channel } from './channel.ts'

/** By mail, to the person's own address and nobody else's. */
export const createEmail = (emails: Pick<EmailSendingService, 'queue'>): Channel => ({
  name: 'email',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/channels/email',
  cost: { metric: 'emails', units: 1 },
  async tell(tx, { person }, { title, text }) {
    if (!person.isVerified)
      throw new FiringFailure('Your email address is not verified', { isFinal: true })
    // A subject is one line.
    const subject = title.replace(/\s+/g, ' ').trim()
    await emails.queue(tx, person, { to: [person.email], subject, text })
  },
})
