import { endSession } from '../../../shared/contract/index.ts'
import type { AuthenticationService } from '../../account/access/sessions/authentication.ts'
import { redirectForm } from '../../account/pages/redirect-form.ts'
import { hidden } from '../../account/pages/sign-in-pages.ts'
import { html, t } from '../../platform/http/html.ts'
import type { Mounts } from '../../platform/http/mounts.ts'
import { openConsole, type Page } from '../../platform/http/page.ts'
import {
  type LogoutFields,
  type LogoutRequest,
  type LogoutService,
  logoutFields,
} from './end-session.ts'

/** Below the path of the refresh cookie, so that the browser sends the cookie. */
const PATH = endSession.path

/** The page to which apps send a user who signs out there. */
export const endSessionPages = (
  { mountPage, mountRaw }: Pick<Mounts, 'mountPage' | 'mountRaw'>,
  logouts: LogoutService,
  authentication: Pick<AuthenticationService, 'callerOfCookie'>,
): void => {
  mountPage('GET', PATH, async ({ query, refreshCookie }) => {
    const fields = logoutFields(query)
    const caller = await authentication.callerOfCookie(refreshCookie.value)
    const request = await logouts.read(fields, caller)
    if (caller && !request.isProven) return questionPage(fields, request)
    if (caller) await logouts.signOut(caller)
    refreshCookie.clear()
    return request.returnUrl ?? signedOutPage
  })

  mountPage('POST', `${PATH}/confirm`, async ({ form, refreshCookie }) => {
    const caller = await authentication.callerOfCookie(refreshCookie.value)
    const request = await logouts.read(logoutFields(form), caller)
    if (form.get('decision') === 'sign_out') {
      if (caller) await logouts.signOut(caller)
      refreshCookie.clear()
    }
    return (
      request.returnUrl ?? (caller && form.get('decision') !== 'sign_out' ? '/app' : signedOutPage)
    )
  })

  redirectForm(mountRaw, PATH, logoutFields)
}

const questionPage = (fields: LogoutFields, { appName }: LogoutRequest): Page => ({
  title: t`Sign out`,
  leadsAway: true,
  body: html`<h1>${t`Sign out of svc?`}</h1>
<p>${appName ? t`${appName} asks to end your session of svc in this browser.` : t`An app asks to end your session of svc in this browser.`}</p>
<form method="post" action="${PATH}/confirm">${hidden(fields)}
<div class="row"><button name="decision" value="sign_out" class="decisive">${t`Sign out`}</button>
<button name="decision" value="stay" class="second">${t`Stay signed in`}</button></div></form>`,
})

const signedOutPage: Page = {
  title: t`Signed out`,
  body: html`<h1>${t`You are signed out`}</h1>
<p>${t`Your session of svc in this browser has ended.`}</p>${openConsole}`,
}
