import type { PendingDeviceLogin } from '../../../shared/contract/device.ts'
import type { Caller } from '../../platform/http/caller.ts'
import {
  alert,
  asPageError,
  html,
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
      html`Sign in to authorize an app${user_code && html` that shows the code <b>${user_code}</b>`}.`,
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
  title: 'Authorize an app',
  status: fault?.status ?? 200,
  body: html`<h1>Authorize an app</h1>
<p>Enter the code that the app shows.</p>
${alert(fault)}
<form method="get" action="${PATH}">
<label>Code
<input class="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" autofocus></label>
<p><button>Continue</button></p></form>
${forms.signedInAs(caller, {})}`,
})

const consentPage = (
  forms: SignInForms,
  caller: Caller,
  code: string,
  login: PendingDeviceLogin,
): Page => ({
  title: 'Authorize app',
  body: html`<h1>Allow ${login.client_name} to use your account?</h1>
<p>Compare the codes: the app must show this one.</p>
<p class="code-shown">${code}</p>
<dl><dt>Requested from</dt><dd>${login.ip}</dd>
<dt>Requested at</dt><dd>${login.created_at.slice(0, 16).replace('T', ' ')} UTC</dd>
<dt>The app can</dt><dd>read and write your memories and conversations${login.session && html`, and <b>manage your account and its API keys</b>`}</dd></dl>
<form method="post" action="${PATH}/decide" class="row">${hidden(fieldsWith(code))}
<button name="decision" value="approve" class="decisive">Allow</button>
<button name="decision" value="deny" class="second">Deny</button></form>
<p></p>${forms.signedInAs(caller, fieldsWith(code))}`,
})

const approvedPage: Page = {
  title: 'Connected',
  body: html`<h1>Connected</h1>
<p>The app can use your account now. Close this page and return to the app.</p>
${openConsole}`,
}

const deniedPage: Page = {
  title: 'Denied',
  body: html`<h1>Denied</h1>
<p>The app has no access. You can close this page.</p>
${openConsole}`,
}
