import {
  currentUser,
  listSessions,
  me,
  refresh,
  revokeAllSessions,
  revokeSession,
  signOut,
} from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { SessionList } from './list.ts'
import type { SessionService } from './service.ts'

export const sessionRoutes = (
  mount: Mount,
  sessions: SessionService,
  sessionList: SessionList,
): void => {
  mount(refresh, async ({ refreshCookie }) => {
    const { response, refreshToken } = await sessions.refresh(refreshCookie.value)
    refreshCookie.set(refreshToken)
    return response
  })
  mount(signOut, async ({ refreshCookie }) => {
    await sessions.signOut(refreshCookie.value)
    refreshCookie.clear()
    return { message: 'Signed out' }
  })
  mount(listSessions, ({ caller }) => sessionList.list(caller))
  mount(revokeAllSessions, async ({ caller, query, client, refreshCookie }) => {
    if (query.keep_current) {
      await sessionList.revokeAll(caller.userId, caller.sessionId, client)
      return { message: 'Signed out everywhere else' }
    }
    await sessionList.revokeAll(caller.userId, null, client)
    refreshCookie.clear()
    return { message: 'Signed out everywhere' }
  })
  mount(revokeSession, async ({ caller, params, client, refreshCookie }) => {
    await sessionList.revoke(caller, params.session_id, client)
    if (params.session_id === caller.sessionId) refreshCookie.clear()
    return undefined
  })
  mount(currentUser, ({ caller }) => caller.me)
  mount(me, ({ caller }) => caller.me)
}
