import { authorizeOAuthClient } from '../../../shared/contract/index.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { CookieAt } from '../../platform/http/cookies.ts'
import { type Html, html, t } from '../../platform/http/html.ts'
import { alert, type MountPage, type Page } from '../../platform/http/page.ts'
import type { ConsentRequest, ConsentService } from '../access/oauth-server/consent.ts'
import type { OAuthError } from '../access/oauth-server/errors.ts'
import { redirectTarget } from '../access/oauth-server/redirects.ts'
import { formFields, type RequestFields } from '../access/oauth-server/request.ts'
import { createSignInForms, type SignInFormDeps, type SignInForms } from './sign-in-forms.ts'
import { hidden, pathWith } from './sign-in-pages.ts'

/** Below the path of the refresh cookie, so that the browser sends the cookie. */
const PATH = authorizeOAuthClient.path

/** The pages on which a user authorizes or denies an OAuth client. */
export const oauthServerPages = (
  mountPage: MountPage,
  consents: ConsentService,
  signInDeps: SignInFormDeps,
): void => {
  const forms = createSignInForms(mountPage, signInDeps, {
    path: PATH,
    readFields: formFields,
    purpose: () => t`Sign in to authorize an app that requests access to your memory.`,
    providerQuery: () => ({}),
  })

  mountPage('GET', PATH, async (call) => {
    const caller = await forms.callerOf(call)
    const fields = formFields(call.query)
    if (!caller) {
      if (signInDeps.listProviders().length > 0) savePendingRequest(call.cookie, fields)
      return forms.page(call.query)
    }
    const request = await consents.find(caller, fields)
    const { fault } = request
    return fault
      ? faultPage(request, fault, consents.faultUrl(request, fault))
      : consentPage(forms, caller, fields, request)
  })

  mountPage('POST', `${PATH}/decide`, async (call) => {
    const fields = formFields(call.form)
    const caller = await forms.callerOf(call)
    // The form belongs to the user it was shown to. Another signed-in user gets an own form.
    if (caller?.userId !== call.form.get('user')) return pathWith(PATH, fields)
    const approve = call.form.get('decision') === 'approve'
    const orgId = call.form.get('org') || null
    return consents.decide(caller, fields, { approve, orgId }, call.client)
  })
}

const consentPage = (
  forms: SignInForms,
  caller: Caller,
  fields: RequestFields,
  { client, redirectUri, orgs }: ConsentRequest,
): Page => ({
  title: t`Authorize app`,
  leadsAway: true,
  body: html`<h1>${t`Allow ${client.name} to use your memory?`}</h1>
<dl><dt>${t`Described by`}</dt><dd>${client.site ?? t`the app itself; its name is not verified`}</dd>
<dt>${t`You return to`}</dt><dd><b>${describeRedirect(redirectUri)}</b></dd>
<dt>${t`The app can`}</dt><dd>${t`recall and save memories and talk to svc in your name, until you end its session`}</dd></dl>
<form method="post" action="${PATH}/decide">${hidden({ ...fields, user: caller.userId })}
${orgs.length > 0 && memoryChoice(orgs)}
<p class="quiet">${t`Allow it only if you started this request yourself.`}</p>
<div class="row"><button name="decision" value="approve" class="decisive">${t`Allow`}</button>
<button name="decision" value="deny" class="second">${t`Deny`}</button></div></form>
<p></p>${forms.signedInAs(caller, fields)}`,
})

/** Describes the target of a redirect. */
const describeRedirect = (redirectUri: string): Html | string => {
  const { kind, name } = redirectTarget(redirectUri)
  if (kind === 'site') return name
  return kind === 'local'
    ? t`an app on this computer (${name})`
    : t`the app that opens ${name} links`
}

const memoryChoice = (orgs: ConsentRequest['orgs']): Html => html`<label>${t`Whose memory`}
<select name="org"><option value="">${t`Only mine`}</option>
${orgs.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></label>`

/** A link instead of a redirect, because any site may have registered the redirect URI. */
const faultPage = (
  { client, redirectUri }: ConsentRequest,
  fault: OAuthError,
  returnUrl: string,
): Page => ({
  title: t`Invalid request`,
  status: fault.status,
  body: html`<h1>${t`${client.name} sent an invalid authorization request`}</h1>${alert(fault)}
<p class="quiet">${t`Close this page, or ${html`<a href="${returnUrl}" rel="noreferrer">${t`return to ${describeRedirect(redirectUri)}`}</a>`} and report this error.`}</p>`,
})

const PENDING_SECONDS = 600
/** Browsers limit a cookie to about 4,000 characters. */
const MAX_PENDING_LENGTH = 3_000

/** Sent only to the page that follows a sign-in through an OAuth provider. */
const pendingCookie = (cookie: CookieAt) =>
  cookie('pending_authorization', '/auth/callback', PENDING_SECONDS)

/** Saves an authorization request while the user signs in through an OAuth provider. */
const savePendingRequest = (cookie: CookieAt, fields: RequestFields): void => {
  const text = Buffer.from(new URLSearchParams(fields).toString()).toString('base64url')
  if (text.length <= MAX_PENDING_LENGTH) pendingCookie(cookie).set(text)
}

/** Removes the saved request. @returns the URL of its consent page, or undefined. */
export const takePendingRequest = (cookie: CookieAt): string | undefined => {
  const pending = pendingCookie(cookie)
  if (!pending.value) return undefined
  pending.clear()
  return `${authorizeOAuthClient.path}?${Buffer.from(pending.value, 'base64url').toString()}`
}
