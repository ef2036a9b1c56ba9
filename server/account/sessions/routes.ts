import {
  currentUser,
  me,
  refresh,
  signIn,
  signOut,
  signUp,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { SessionService } from './service.ts'

export const sessionRoutes = (mount: Mount, sessions: SessionService): void => {
  mount(signUp, async ({ body, client, refreshCookie }) => {
    const { answer, refreshToken } = await sessions.signUp(body, client)
    refreshCookie.set(refreshToken)
    return answer
  })
  mount(signIn, async ({ body, client, refreshCookie }) => {
    const { answer, refreshToken } = await sessions.signIn(body, client)
    refreshCookie.set(refreshToken)
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
  mount(currentUser, ({ caller }) => caller.me)
  mount(me, ({ caller }) => caller.me)
}
