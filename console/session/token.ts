/**
 * The session of this tab: the refresh cookie, which scripts cannot read, and an access token that is
 * kept in memory only (contract 5.1). Tabs share the cookie and notify each other of a sign-out.
 */

import { createClient } from '../../shared/client.ts'
import { singleFlight, withRefreshLock } from '../../shared/client-session.ts'
import { endImpersonation } from '../../shared/contract/impersonation.ts'
import { refresh, signOut as signOutEndpoint } from '../../shared/contract/sessions.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { BASE_PATH, BASE_URL } from '../base.ts'
import { storeDrafts, storeInput } from './drafts.ts'
import { observedFetch } from './reachability.ts'

const SIGN_IN = `${BASE_PATH}/signin`

let accessToken: string | undefined
let userId: string | undefined

/** The response that `start.ts` has requested, once. */
const takeFirst = (): Promise<Response | undefined> | undefined => {
  const first = globalThis.svcFirstToken
  globalThis.svcFirstToken = Promise.resolve(undefined)
  return first
}

const cookieClient = createClient({
  baseUrl: BASE_URL,
  fetch: (url, init) => observedFetch(url, { ...init, credentials: 'same-origin' }),
})

/** The subject of an access token, which is a JSON Web Token (RFC 7519). */
export const subjectOf = (token: string): string | undefined => {
  const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/')
  if (!payload) return undefined
  const { sub } = fieldsOf(JSON.parse(atob(payload)))
  return typeof sub === 'string' ? sub : undefined
}

const channel = new BroadcastChannel('svc-session')

/** A promise that stays pending, so that a page that is being left shows no error. */
export const leaving = (): Promise<never> => new Promise(() => {})

/** The user whose account this tab uses for an admin. A reload returns to the account of the admin. */
let impersonatedId: string | undefined

/** Uses the account of another user with a token that cannot be refreshed. */
export const impersonate = (token: string, id: string): void => {
  impersonatedId = id
  accessToken = token
  // Input of this tab is of no user, so it is not stored.
  userId = undefined
}

/** Returns to the account of the admin. */
export const endImpersonating = async (): Promise<void> => {
  const id = impersonatedId
  if (id === undefined) return
  const { access_token: credential } = await withRefreshLock(() => cookieClient.call(refresh))
  const client = createClient({ baseUrl: BASE_URL, credential })
  await client.call(endImpersonation, { params: { user_id: id } })
  await leaveAccountOf(id)
}

/** Loads the console again, without any data of the user. */
const leaveAccountOf = (id: string): Promise<never> => {
  forget()
  location.assign(`${BASE_PATH}/app/admin/users/${id}`)
  return leaving()
}

/** Two tabs have one cookie: if another user signed in elsewhere, this tab must not mix their data. */
const requestToken = async (): Promise<string> => {
  const first = await takeFirst()
  const { access_token } = first
    ? await createClient({ baseUrl: BASE_URL, fetch: async () => first }).call(refresh)
    : await withRefreshLock(() => cookieClient.call(refresh))
  // An admin began to use another account meanwhile.
  if (impersonatedId !== undefined && accessToken !== undefined) return accessToken
  const subject = subjectOf(access_token)
  if (userId === undefined) channel.postMessage({ signedIn: subject })
  else if (subject !== userId) return reload()
  userId = subject
  accessToken = access_token
  return access_token
}

/** Deletes all that the tab has of its user. */
const forget = (): void => {
  accessToken = undefined
  userId = undefined
  sessionStorage.clear()
}

/** For another user, without what is stored for this one. */
const reload = (): Promise<never> => {
  forget()
  location.reload()
  return leaving()
}

const requestTokenOnce = singleFlight(requestToken)

/**
 * Requests a new access token. Parallel calls share one request.
 * @throws ApiFailure 401 when the session has ended; Unreachable.
 */
export const refreshToken = (): Promise<string> => {
  // The impersonation has ended.
  if (impersonatedId !== undefined) return leaveAccountOf(impersonatedId)
  return requestTokenOnce()
}

export const currentToken = (): Promise<string> =>
  accessToken === undefined ? refreshToken() : Promise.resolve(accessToken)

/** Leaves for the sign-in page, which leads back to the current place, and keeps unsent input. */
export const leaveForSignIn = (): Promise<never> => {
  if (userId !== undefined) storeDrafts(userId)
  return leave()
}

const leave = (): Promise<never> => {
  accessToken = undefined
  const next = `${location.pathname.slice(BASE_PATH.length)}${location.search}${location.hash}`
  location.replace(`${SIGN_IN}?${new URLSearchParams({ next })}`)
  return leaving()
}

type Message = 'signed-out' | { signedIn: string | undefined }

channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data === 'signed-out') {
    forget()
    void leave()
  } else if (userId !== undefined && data.signedIn !== userId) void reload()
})

addEventListener('pagehide', () => {
  if (userId !== undefined) storeInput(userId)
})

/** The browser may keep a page that was left, with what it shows, and restore it by Back. */
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

/** Leads every tab to the sign-in page, after the session ended. @param page for this tab, instead. */
export const leaveEverywhere = (page = SIGN_IN): void => {
  forget()
  channel.postMessage('signed-out')
  location.replace(page)
}

/** Ends the session in every tab, and leads on to the OpenID provider that the user signed in with. */
export const signOut = async (): Promise<void> => {
  const { logout_url } = await cookieClient.call(signOutEndpoint)
  leaveEverywhere(logout_url)
}
