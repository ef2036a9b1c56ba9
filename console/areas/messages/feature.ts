import { lazy } from 'react'
import { listDirectMessages, listDirectThreads } from '../../../shared/contract/dm.ts'
import type { ConsoleFeature } from '../../feature.ts'
import { useMe } from '../../session/me.ts'
import { prefetch, useApi } from '../../session/query.ts'
import { palette } from '../../texts/palette.ts'
import { people } from '../../texts/people.ts'
import { shell } from '../../texts/shell.ts'

const useThreads = (isShown = true) => {
  const enabled = useMe()?.email_verified === true && isShown
  return useApi(listDirectThreads, {}, { enabled }).data ?? []
}

export const messages: ConsoleFeature = {
  name: 'people',
  screens: [
    { to: '/people/messages', label: palette.messages, icon: 'chat' },
    { to: '/people/shares', label: palette.shares, icon: 'share' },
  ],
  peopleScreens: { messages: people.messages, shares: people.shares },
  followed: [['message.', listDirectThreads, listDirectMessages]],
  notices: {
    'message.received': {
      title: ({ subject }) => shell.notifications.message(subject ?? ''),
      to: '/people/messages',
    },
  },
  waiting: {
    to: '/people',
    useNumber: () => useThreads().reduce((sum, { unread }) => sum + unread, 0),
    text: shell.unread,
    request: () => prefetch(listDirectThreads, {}),
  },
  finds: {
    title: palette.groups.people,
    useFinds: (enabled) =>
      useThreads(enabled).map(({ thread_id, peer_display_name, peer_username }) => ({
        id: `person ${thread_id}`,
        names: `${peer_display_name} ${peer_username}`,
        label: peer_display_name,
        icon: 'people',
        to: `/people/messages/${thread_id}`,
      })),
  },
  sharing: {
    Dialog: lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog })),
    to: '/people/shares',
  },
}
