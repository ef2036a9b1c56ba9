import type { AppScope } from '../../../shared/contract/app-scopes.ts'
import { authorizeOAuthClient } from '../../../shared/contract/index.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { CookieAt } from '../../platform/http/cookies.ts'
import { type Html, html, t } from '../../platform/http/html.ts'
import type { Mounts } from '../../platform/http/mounts.ts'
import { alert, type Page } from '../../platform/http/page.ts'
import type { ConsentRequest, ConsentService } from '../access/oauth-server/consent.ts'
import type { OAuthError } from '../access/oauth-server/errors.ts'
import { redirectTarget } from '../access/oauth-server/redirects.ts'
import {
  type AuthorizationRequest,
  formFields,
  type RequestFields,
  SIGN_IN_AGAIN,
} from '../access/oauth-server/request.ts'
import { redirectForm } from './redirect-form.ts'
import { createSignInForms, type SignInFormDeps, type SignInForms } from './sign-in-forms.ts'
import { hidden, pathWith } from './sign-in-pages.ts'

/** Below the path of the refresh cookie, so that the browser sends the cookie. */
const PATH = authorizeOAuthClient.path

/** The pages on which a user authorizes or denies an OAuth client. */
export const oauthServerPages = (
  { mountPage, mountRaw }: Pick<Mounts, 'mountPage' | 'mountRaw'>,
  consents: ConsentService,
  signInDeps: SignInFormDeps,
): void => {
  const forms = createSignInForms(mountPage, signInDeps, {
    path: PATH,
    readFields: formFields,
    purpose: ({ scope = '' }) =>
      scope.split(' ').includes('openid')
        ? t`Sign in with svc to continue to an app.`
        : t`Sign in to authorize an app that requests access to your memory.`,
    providerQuery: () => ({}),
  })

  mountPage('GET', PATH, async (call) => {
    const caller = await forms.callerOf(call)
    const fields = formFields(call.query)
    const signIn = (again: RequestFields) => {
      if (signInDeps.listProviders().length > 0) savePendingRequest(call.cookie, again)
      const query = new URLSearchParams(call.query)
      for (const [name, value] of Object.entries(again)) query.set(name, value)
      return forms.page(query, fields.login_hint)
    }
    if (!caller) {
      const url = await consents.signedOutUrl(fields)
      // A new sign-in is one again.
      return url ?? signIn({ ...fields, [SIGN_IN_AGAIN]: 'signed-out' })
    }
    const step = await consents.next(caller, fields)
    if (step.kind === 'redirect') return step.url
    if (step.kind === 'sign_in') return signIn(step.fields)
    return step.kind === 'fault'
      ? faultPage(step.request, step.error, step.url)
      : consentPage(forms, caller, fields, step.request)
  })

  redirectForm(mountRaw, PATH, formFields)

  mountPage('POST', `${PATH}/decide`, async (call) => {
    const fields = formFields(call.form)
    const caller = await forms.callerOf(call)
    // The form belongs to the user it was shown to. Another signed-in user gets an own form.
    if (caller?.userId !== call.form.get('user')) return pathWith(PATH, fields)
    const decision = {
      approve: call.form.get('decision') === 'approve',
      orgId: call.form.get('org') || null,
      granted: call.form.getAll('grant'),
    }
    return consents.decide(caller, fields, decision, call.client)
  })
}

const consentPage = (
  forms: SignInForms,
  caller: Caller,
  fields: RequestFields,
  request: ConsentRequest,
): Page => {
  const { client, redirectUri, orgs, scopes, consent } = request
  return {
    title: scopes ? t`Sign in to an app` : t`Authorize app`,
    leadsAway: true,
    body: html`<h1>${scopes ? t`Sign in to ${client.name} with svc?` : t`Allow ${client.name} to use your memory?`}</h1>
<dl><dt>${t`Described by`}</dt><dd>${describer(client)}</dd>
<dt>${t`You return to`}</dt><dd><b>${describeRedirect(redirectUri)}</b></dd>
${!scopes && html`<dt>${t`The app can`}</dt><dd>${t`recall and save memories and talk to svc in your name, until you end its session`}</dd>`}</dl>
<form method="post" action="${PATH}/decide">${hidden({ ...fields, user: caller.userId })}
${scopes && scopeChoice(scopes, consent)}
${orgs.length > 0 && memoryChoice(orgs, scopes !== null, consent?.orgId)}
<p class="quiet">${t`Allow it only if you started this request yourself.`}</p>
<div class="row"><button name="decision" value="approve" class="decisive">${t`Allow`}</button>
<button name="decision" value="deny" class="second">${t`Deny`}</button></div></form>
<p></p>${forms.signedInAs(caller, fields)}`,
  }
}

const describer = ({ kind, site }: ConsentRequest['client']): Html | string => {
  if (kind === 'managed') return t`an admin of this server`
  return site ?? t`the app itself; its name is not verified`
}

/** The meaning of each scope of an app. */
const SCOPE_TEXTS: Record<AppScope, Html> = {
  openid: t`know who you are, by an id that never changes`,
  profile: t`see your name, your username, your picture, your time zone and the organization`,
  email: t`see your email address`,
  offline_access: t`keep its access while you are signed out`,
  'memory:read': t`recall and read memories`,
  'memory:write': t`save, change and delete memories`,
}

/** The user may decline everything but to be known. */
const scopeChoice = (
  scopes: readonly AppScope[],
  consent: ConsentRequest['consent'],
): Html => html`<fieldset><legend>${t`The app can`}</legend>
${scopes.includes('openid') && html`<p>${SCOPE_TEXTS.openid}</p>`}
${scopes
  .filter((scope) => scope !== 'openid')
  .map(
    (scope) =>
      html`<label class="check">${
        consent?.declinedScopes.includes(scope)
          ? html`<input type="checkbox" name="grant" value="${scope}">`
          : html`<input type="checkbox" name="grant" value="${scope}" checked>`
      } ${SCOPE_TEXTS[scope]}</label>`,
  )}</fieldset>`

/** Describes the target of a redirect. */
const describeRedirect = (redirectUri: string): Html | string => {
  const { kind, name } = redirectTarget(redirectUri)
  if (kind === 'site') return name
  return kind === 'local'
    ? t`an app on this computer (${name})`
    : t`the app that opens ${name} links`
}

const memoryChoice = (
  orgs: ConsentRequest['orgs'],
  isApp: boolean,
  chosenId: string | null | undefined,
): Html => html`<label>${isApp ? t`You sign in as, with the memory of` : t`Whose memory`}
<select name="org"><option value="">${isApp ? t`Yourself` : t`Only mine`}</option>
${orgs.map(({ id, name }) =>
  id === chosenId
    ? html`<option value="${id}" selected>${name}</option>`
    : html`<option value="${id}">${name}</option>`,
)}</select></label>`

/** A link instead of a redirect, because any site may have registered the redirect URI. */
const faultPage = (
  { client, redirectUri }: AuthorizationRequest,
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
