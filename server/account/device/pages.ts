import type { DeviceQuestion } from '../../../shared/schemas/device.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Limits } from '../../platform/http/limits.ts'
import {
  alert,
  asFault,
  type Fault,
  html,
  type MountPage,
  type Page,
  type PageCall,
} from '../../platform/http/page.ts'
import { providerLinks } from '../oauth/pages.ts'
import type { OAuthService } from '../oauth/service.ts'
import { type Fields, hidden, type SignInForms, signInForms } from '../sessions/pages.ts'
import type { SessionService } from '../sessions/service.ts'
import { formatUserCode, readUserCode } from './codes.ts'
import type { DeviceService } from './service.ts'

/** Under the refresh cookie's path, so that the browser sends it. */
const PATH = '/api/auth/mcp/device'

/** Where a person approves a device login: short to type, and the same page underneath. */
export const devicePages = (
  mountPage: MountPage,
  devices: DeviceService,
  sessions: SessionService,
  limits: Limits,
  oauth: OAuthService,
): void => {
  const forms = signInForms(mountPage, sessions, limits, {
    path: PATH,
    fieldsOf: (given) => fieldsWith(codeOf(given)),
    purpose: ({ user_code }) =>
      html`to decide about a program that asks for access${user_code && html` with the code <b>${user_code}</b>`}.`,
    otherWays: ({ user_code = '' }) => providerLinks(oauth.available, { user_code }),
  })

  mountPage('GET', '/device', ({ query }) => pathWith(codeOf(query)))

  mountPage('GET', PATH, async (call) => {
    const code = codeOf(call.query)
    const caller = await sessions.userOfCookie(call.refreshCookie.value)
    if (!caller) return forms.page(call.query)
    if (!code) return codePage(forms, caller)
    return show(call, caller, code)
  })

  mountPage('POST', `${PATH}/decide`, async (call) => {
    const code = codeOf(call.form)
    const caller = await sessions.userOfCookie(call.refreshCookie.value)
    if (!caller) return pathWith(code)
    const approve = call.form.get('decision') === 'approve'
    try {
      await devices.answer(caller, { user_code: code, approve }, call.client)
      return donePage(approve)
    } catch (error) {
      return codePage(forms, caller, asFault(error))
    }
  })

  async function show(call: PageCall, caller: Caller, code: string): Promise<Page> {
    try {
      return askPage(forms, caller, code, await devices.question(caller, code, call.client))
    } catch (error) {
      return codePage(forms, caller, asFault(error))
    }
  }
}

const pathWith = (code: string) => `${PATH}?${new URLSearchParams(fieldsWith(code))}`

const fieldsWith = (code: string): Fields => (code ? { user_code: code } : {})

const codeOf = (fields: URLSearchParams): string => {
  const code = readUserCode(fields.get('user_code') ?? '')
  return code && formatUserCode(code)
}

const codePage = (forms: SignInForms, caller: Caller, fault?: Fault): Page => ({
  title: 'Connect a program',
  status: fault?.status ?? 200,
  body: html`<h1>Connect a program</h1>
<p>Type the code that the program shows.</p>
${alert(fault)}
<form method="get" action="${PATH}">
<label>Code
<input class="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" autofocus></label>
<p><button>Continue</button></p></form>
${forms.signedInAs(caller, {})}`,
})

const askPage = (
  forms: SignInForms,
  caller: Caller,
  code: string,
  question: DeviceQuestion,
): Page => ({
  title: 'Allow access?',
  body: html`<h1>Allow ${question.client_name} to use your account?</h1>
<p>Compare the code: it must be the one the program shows.</p>
<p class="code-shown">${code}</p>
<dl><dt>Asked from</dt><dd>${question.ip}</dd>
<dt>Asked at</dt><dd>${question.created_at.slice(0, 16).replace('T', ' ')} UTC</dd>
<dt>It will be able to</dt><dd>read and write your memories and conversations${question.session && html`, and <b>manage your account and its keys</b>`}</dd></dl>
<form method="post" action="${PATH}/decide" class="row">${hidden(fieldsWith(code))}
<button name="decision" value="approve" class="decisive">Allow</button>
<button name="decision" value="deny" class="second">Deny</button></form>
<p></p>${forms.signedInAs(caller, fieldsWith(code))}`,
})

const donePage = (approved: boolean): Page => ({
  title: approved ? 'Connected' : 'Denied',
  body: approved
    ? html`<h1>Connected</h1><p>You can close this page and go back to the program.</p>`
    : html`<h1>Denied</h1><p>The program gets nothing. You can close this page.</p>`,
})
