import type { Mounts } from '../../platform/http/mounts.ts'
import { directMessageRoutes } from './dm/messages.ts'
import type { People } from './people.ts'
import { sharePages } from './shares/pages.ts'
import { shareRoutes } from './shares/service.ts'

export const servePeople = ({ mount, mountPage }: Mounts, people: People): void => {
  directMessageRoutes(mount, people.directThreads, people.directMessages)
  shareRoutes(mount, people.shares)

  sharePages(mountPage, people.shares)
}
