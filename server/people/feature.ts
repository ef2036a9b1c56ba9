import { personalActor } from '../account/activity/account-events.ts'
import type { ActivityService } from '../account/activity/service.ts'
import type { Billing } from '../billing/billing.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { defineFeature } from '../feature.ts'
import { afterCommit } from '../platform/db/connections.ts'
import { type AnnounceMessage, directMessageLimit } from './dm/messages.ts'
import { ICOG } from './dm/present.ts'
import { eraseThreads, newThreadLimit } from './dm/threads.ts'
import type { EmailSendingService } from './outbound-email/service.ts'
import { startPeople } from './people.ts'
import { servePeople } from './routes.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  billing: Pick<Billing, 'usage'>
  conversation: Pick<Conversation, 'prompts' | 'sessions'>
  emails: EmailSendingService
}

/** Direct messages, email and shared chats. */
export const people = defineFeature({
  name: 'people',
  limits: [newThreadLimit, directMessageLimit],
  start: (core, { activity, ...needs }: Needs) =>
    startPeople(core, { ...needs, announce: announceTo(activity) }),
  endings: ({ shares }) => ({
    takeOver: [{ run: shares.revokeAll }],
    user: [{ locks: 'dm_threads', run: eraseThreads }],
  }),
  serve: servePeople,
  stop: ({ answers }) => [{ name: 'direct message answers', stop: () => answers.stop() }],
})

/** Shows a message among the activity of its sender and its recipients. */
const announceTo =
  ({ record }: Pick<ActivityService, 'record'>): AnnounceMessage =>
  (tx, { from, to }) =>
    afterCommit(tx, () => {
      if (from) record(personalActor(from), { kind: 'message.sent', peerId: to[0], count: 1 })
      const sender = from ? { peerId: from } : { subject: ICOG.username }
      for (const userId of to)
        record(personalActor(userId), { kind: 'message.received', ...sender, count: 1 })
    })
