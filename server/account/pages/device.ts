import type { PendingDeviceLogin } from '../../../shared/contract/device.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { minuteOf } from '../../platform/http/formats.ts'
import { html, t } from '../../platform/http/html.ts'
import {
  alert,
  asPageError,
  type MountPage,
  openConsole,
  type Page,
  type PageError,
} from '../../platform/http/page.ts'
import type { DeviceApprovalService } from '../access/device/approval.ts'
import { formatUserCode, readUserCode } from '../access/device/service.ts'
import { createSignInForms, type SignInFormDeps, type SignInForms } from './sign-in-forms.ts'
import { type FormFields, hidden, pathWith } from './sign-in-pages.ts'

/** Below the path of the refresh cookie, so that the browser sends the cookie. */
const PATH = '/api/auth/mcp/device'

/** The pages on which a user approves a device login. `/device` is short to type and leads to them. */
export const devicePages = (
  mountPage: MountPage,
  approvals: DeviceApprovalService,
  signInDeps: SignInFormDeps,
): void => {
  const forms = createSignInForms(mountPage, signInDeps, {
    path: PATH,
    readFields: (params) => fieldsWith(readCode(params)),
    purpose: ({ user_code }) =>
      user_code
        ? t`Sign in to authorize an app that shows the code ${html`<b>${user_code}</b>`}.`
        : t`Sign in to authorize an app.`,
    providerQuery: ({ user_code = '' }) => ({ user_code }),
  })

  mountPage('GET', '/device', ({ query }) => pathOf(readCode(query)))

  mountPage('GET', PATH, async (call) => {
    const code = readCode(call.query)
    const caller = await forms.callerOf(call)
    if (!caller) return forms.page(call.query)
    if (!code) return codeForm(forms, caller)
    try {
      return consentPage(forms, caller, code, await approvals.pending(caller, code, call.client))
    } catch (error) {
      return codeForm(forms, caller, asPageError(error))
    }
  })

  mountPage('POST', `${PATH}/decide`, async (call) => {
    const code = readCode(call.form)
    const caller = await forms.callerOf(call)
    if (!caller) return pathOf(code)
    const approve = call.form.get('decision') === 'approve'
    try {
      await approvals.decide(caller, { user_code: code, approve }, call.client)
      return approve ? approvedPage : deniedPage
    } catch (error) {
      return codeForm(forms, caller, asPageError(error))
    }
  })
}

const pathOf = (code: string): string => pathWith(PATH, fieldsWith(code))

const fieldsWith = (code: string): FormFields => (code ? { user_code: code } : {})

const readCode = (fields: URLSearchParams): string => {
  const code = readUserCode(fields.get('user_code') ?? '')
  return code && formatUserCode(code)
}

const codeForm = (forms: SignInForms, caller: Caller, fault?: PageError): Page => ({
  title: t`Authorize an app`,
  status: fault?.status ?? 200,
  body: html`<h1>${t`Authorize an app`}</h1>
<p>${t`Enter the code that the app shows.`}</p>
${alert(fault)}
<form method="get" action="${PATH}">
<label>${t`Code`}
<input class="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" autofocus></label>
<p><button>${t`Continue`}</button></p></form>
${forms.signedInAs(caller, {})}`,
})

const consentPage = (
  forms: SignInForms,
  caller: Caller,
  code: string,
  login: PendingDeviceLogin,
): Page => ({
  title: t`Authorize app`,
  body: html`<h1>${t`Allow ${login.client_name} to use your account?`}</h1>
<p>${t`Compare the codes: the app must show this one.`}</p>
<p class="code-shown">${code}</p>
<dl><dt>${t`Requested from`}</dt><dd>${login.ip}</dd>
<dt>${t`Requested at`}</dt><dd>${minuteOf(login.created_at)}</dd>
<dt>${t`The app can`}</dt><dd>${
    login.session
      ? t`read and write your memories and conversations, and ${html`<b>${t`manage your account and its API keys`}</b>`}`
      : t`read and write your memories and conversations`
  }</dd></dl>
<form method="post" action="${PATH}/decide" class="row">${hidden(fieldsWith(code))}
<button name="decision" value="approve" class="decisive">${t`Allow`}</button>
<button name="decision" value="deny" class="second">${t`Deny`}</button></form>
<p></p>${forms.signedInAs(caller, fieldsWith(code))}`,
})

const approvedPage: Page = {
  title: t`Connected`,
  body: html`<h1>${t`Connected`}</h1>
<p>${t`The app can use your account now. Close this page and return to the app.`}</p>
${openConsole}`,
}

const deniedPage: Page = {
  title: t`Denied`,
  body: html`<h1>${t`Denied`}</h1>
<p>${t`The app has no access. You can close this page.`}</p>
${openConsole}`,
}
