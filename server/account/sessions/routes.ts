import {
  currentUser,
  listSessions,
  me,
  refresh,
  revokeAllSessions,
  revokeSession,
  signIn,
  signOut,
  signUp,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { SessionList } from './list.ts'
import type { SessionService } from './service.ts'

export const sessionRoutes = (
  mount: Mount,
  sessions: SessionService,
  sessionList: SessionList,
): void => {
  mount(signUp, async ({ body, client, refreshCookie }) => {
    const { answer, refreshToken } = await sessions.signUp(body, client)
    refreshCookie.set(refreshToken)
    return answer
  })
  mount(signIn, async ({ body, client, refreshCookie }) => {
    const { answer, refreshToken } = await sessions.signIn(body, client)
    if (refreshToken) refreshCookie.set(refreshToken)
    return answer
  })
  mount(refresh, async ({ refreshCookie }) => {
    const { answer, refreshToken } = await sessions.refresh(refreshCookie.value)
    refreshCookie.set(refreshToken)
    return answer
  })
  mount(signOut, async ({ refreshCookie }) => {
    await sessions.signOut(refreshCookie.value)
    refreshCookie.clear()
    return { message: 'Signed out' }
  })
  mount(listSessions, ({ caller }) => sessionList.list(caller))
  mount(revokeAllSessions, async ({ caller, client, refreshCookie }) => {
    await sessionList.revokeAll(caller, client)
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
