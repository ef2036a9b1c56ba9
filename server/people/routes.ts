import type { SessionService } from '../account/sessions/service.ts'
import type { Limits } from '../platform/http/limits.ts'
import type { Mounts } from '../platform/http/mounts.ts'
import { directMessageRoutes } from './dm/routes.ts'
import { emailSendingRoutes } from './email/routes.ts'
import { invitePages } from './orgs/pages.ts'
import { inviteRoutes, orgMemberRoutes, orgRoutes } from './orgs/routes.ts'
import type { People } from './people.ts'
import { sharePages } from './shares/pages.ts'
import { shareRoutes } from './shares/routes.ts'

export const servePeople = (
  { mount, mountPage }: Mounts,
  people: People,
  { sessions, limits }: { sessions: SessionService; limits: Limits },
): void => {
  orgRoutes(mount, people.orgs)
  orgMemberRoutes(mount, people.orgMembers)
  inviteRoutes(mount, people.invites)
  emailSendingRoutes(mount, people.emails)
  directMessageRoutes(mount, people.messages)
  shareRoutes(mount, people.shares)

  invitePages(mountPage, people.invites, sessions, limits)
  sharePages(mountPage, people.shares)
}
