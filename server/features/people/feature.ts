import * as dmRows from '../../../shared/contract/dm.ts'
import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as shareRows from '../../../shared/contract/shares.ts'
import { personalActor } from '../../account/activity/account-events.ts'
import type { ActivityService } from '../../account/activity/service.ts'
import type { Conversation } from '../../conversation/conversation.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { afterCommit } from '../../platform/db/connections.ts'
import type { UsageServices } from '../../usage/usage.ts'
import type { AnnounceMessage } from './dm/answers.ts'
import { directMessageLimit, directMessageRoutes } from './dm/messages.ts'
import { ICOG } from './dm/present.ts'
import { eraseThreads, newThreadLimit } from './dm/threads.ts'
import { startPeople } from './people.ts'
import { sharePages } from './shares/pages.ts'
import { shareRoutes } from './shares/service.ts'
import { revokeShares } from './shares/store.ts'

interface Needs {
  activity: Pick<ActivityService, 'record'>
  usage: Pick<UsageServices, 'counts'>
  conversation: Pick<Conversation, 'prompts' | 'chatSessions'>
}

/** Direct messages and shared chats. */
export const people = defineOptionalFeature({
  name: 'people',
  option: 'people',
  rows: [dmRows, shareRows].flatMap(endpointsOf),
  limits: [newThreadLimit, directMessageLimit],
  start: (core, { activity, ...needs }: Needs) =>
    startPeople(core, { ...needs, announce: announceTo(activity) }),
  endings: () => ({
    takeOver: [{ run: revokeShares }],
    user: [{ locks: 'dm_threads', run: eraseThreads }],
  }),
  serve({ mount, mountPage }, { directThreads, directMessages, shares }) {
    directMessageRoutes(mount, directThreads, directMessages)
    shareRoutes(mount, shares)
    sharePages(mountPage, shares)
  },
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
