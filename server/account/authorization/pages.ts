import { authorizeProgram } from '../../../shared/contract/index.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { alert, type Html, html, type MountPage, type Page } from '../../platform/http/page.ts'
import { providerLinks } from '../oauth/pages.ts'
import type { OAuthService } from '../oauth/service.ts'
import { hidden, type SignInForms, signInForms } from '../sessions/pages.ts'
import type { SessionService } from '../sessions/service.ts'
import type { Question } from './asking.ts'
import type { OAuthError } from './failure.ts'
import { placeOf } from './redirects.ts'
import { fieldsOf, type RequestFields } from './request.ts'
import type { AuthorizationService } from './service.ts'
import { keepWaiting } from './waiting.ts'

/** Under the refresh cookie's path, so that the browser sends it. */
const PATH = authorizeProgram.path

/** Where a person lets a program in, or does not. */
export const authorizationPages = (
  mountPage: MountPage,
  authorization: AuthorizationService,
  sessions: SessionService,
  limits: Limits,
  oauth: OAuthService,
): void => {
  const forms = signInForms(mountPage, sessions, limits, {
    path: PATH,
    fieldsOf,
    purpose: () => html`to decide about a program that asks for access to your memory.`,
    otherWays: () => providerLinks(oauth.available, {}),
  })

  mountPage('GET', PATH, async ({ query, refreshCookie, cookie }) => {
    const caller = await sessions.userOfCookie(refreshCookie.value)
    const fields = fieldsOf(query)
    if (!caller) {
      if (oauth.available.length > 0) keepWaiting(cookie, fields)
      return forms.page(query)
    }
    const question = await authorization.question(caller, fields)
    const { fault } = question
    return fault
      ? faultPage(question, fault, authorization.refusal(question, fault))
      : askPage(forms, caller, fields, question)
  })

  mountPage('POST', `${PATH}/decide`, async ({ form, client, refreshCookie }) => {
    const fields = fieldsOf(form)
    const caller = await sessions.userOfCookie(refreshCookie.value)
    // Whoever is signed in by now is asked themselves.
    if (caller?.userId !== form.get('user')) return `${PATH}?${new URLSearchParams(fields)}`
    const approve = form.get('decision') === 'approve'
    const orgId = form.get('org') || null
    return authorization.decide(caller, fields, { approve, orgId }, client)
  })
}

const askPage = (
  forms: SignInForms,
  caller: Caller,
  fields: RequestFields,
  { client, redirectUri, orgs }: Question,
): Page => ({
  title: 'Allow access?',
  leadsAway: true,
  body: html`<h1>Allow ${client.name} to use your memory?</h1>
<dl><dt>Described by</dt><dd>${client.site ?? 'itself: nobody has checked its name'}</dd>
<dt>You go back to</dt><dd><b>${placeOf(redirectUri)}</b></dd>
<dt>It will be able to</dt><dd>recall what you remembered, remember more, and talk with svc in your name, until you end it in your sessions</dd></dl>
<form method="post" action="${PATH}/decide">${hidden({ ...fields, user: caller.userId })}
${orgs.length > 0 && whereChoice(orgs)}
<p class="quiet">Allow it only if you have just asked for this yourself.</p>
<div class="row"><button name="decision" value="approve" class="decisive">Allow</button>
<button name="decision" value="deny" class="second">Deny</button></div></form>
<p></p>${forms.signedInAs(caller, fields)}`,
})

const whereChoice = (orgs: Question['orgs']): Html => html`<label>Whose memory
<select name="org"><option value="">Mine alone</option>
${orgs.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></label>`

/** Nobody is sent to a place that anybody may have registered without having chosen to go there. */
const faultPage = ({ client, redirectUri }: Question, fault: OAuthError, back: string): Page => ({
  title: 'That did not work',
  status: fault.status,
  body: html`<h1>${client.name} asked for access in a way that does not work</h1>${alert(fault)}
<p class="quiet">You can close this page, or <a href="${back}" rel="noreferrer">go back to ${placeOf(redirectUri)}</a> with this answer.</p>`,
})
