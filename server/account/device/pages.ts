import type { DeviceQuestion } from '../../../shared/schemas/device.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import {
  type Html,
  html,
  type MountPage,
  type Page,
  type PageCall,
} from '../../platform/http/page.ts'
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
): void => {
  const pathWith = (code: string, view = '') =>
    `${PATH}?${new URLSearchParams({ ...(code && { user_code: code }), ...(view && { view }) })}`

  mountPage('GET', '/device', ({ query }) => pathWith(codeOf(query)))

  mountPage('GET', PATH, async (call) => {
    const code = codeOf(call.query)
    const caller = await sessions.userOfCookie(call.refreshCookie.value)
    if (!caller) return call.query.get('view') === 'signup' ? signUpPage(code) : signInPage(code)
    if (!code) return codePage(caller)
    return show(call, caller, code)
  })

  mountPage('POST', `${PATH}/signin`, async ({ form, client, refreshCookie }) => {
    const code = codeOf(form)
    const email = form.get('email') ?? ''
    try {
      await limits.auth(client.ip)
      const { refreshToken } = await sessions.signIn(
        { email, password: form.get('password') ?? '' },
        client,
      )
      refreshCookie.set(refreshToken)
      return pathWith(code)
    } catch (error) {
      return signInPage(code, email, asFault(error))
    }
  })

  mountPage('POST', `${PATH}/signup`, async ({ form, client, refreshCookie }) => {
    const code = codeOf(form)
    const email = form.get('email') ?? ''
    const password = form.get('password') ?? ''
    try {
      await limits.auth(client.ip)
      if (email.trim().length < 5 || email.trim().length > 255)
        throw new ApiError(400, 'Invalid email address')
      if (password.length < 8 || password.length > 128)
        throw new ApiError(400, 'The password must have 8-128 characters')
      const { refreshToken } = await sessions.signUp(
        { email, password, confirm_password: form.get('confirm_password') ?? '' },
        client,
      )
      refreshCookie.set(refreshToken)
      return pathWith(code)
    } catch (error) {
      return signUpPage(code, email, asFault(error))
    }
  })

  mountPage('POST', `${PATH}/signout`, async ({ form, refreshCookie }) => {
    await sessions.signOut(refreshCookie.value)
    refreshCookie.clear()
    return pathWith(codeOf(form))
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
      return codePage(caller, asFault(error))
    }
  })

  async function show(call: PageCall, caller: Caller, code: string): Promise<Page> {
    try {
      return askPage(caller, code, await devices.question(caller, code, call.client))
    } catch (error) {
      return codePage(caller, asFault(error))
    }
  }
}

const codeOf = (fields: URLSearchParams): string => {
  const code = readUserCode(fields.get('user_code') ?? '')
  return code && formatUserCode(code)
}

interface Fault {
  status: number
  message: string
}

const asFault = (error: unknown): Fault => {
  if (error instanceof ApiError) return error
  throw error
}

const alert = (fault: Fault | undefined) => fault && html`<p role="alert">${fault.message}</p>`

const hiddenCode = (code: string) => html`<input type="hidden" name="user_code" value="${code}">`

const credentials = (email: string, newPassword: boolean): Html => html`
<label>Email
<input name="email" type="email" required minlength="5" maxlength="255" autocomplete="username" value="${email}"${!email && html` autofocus`}></label>
<label>Password
<input name="password" type="password" required ${newPassword && html`minlength="8" maxlength="128" `}autocomplete="${newPassword ? 'new-password' : 'current-password'}"></label>`

const signInPage = (code: string, email = '', fault?: Fault): Page => ({
  title: 'Sign in',
  status: fault?.status ?? 200,
  body: html`<h1>Sign in</h1>
<p class="quiet">to decide about a program that asks for access${code && html` with the code <b>${code}</b>`}.</p>
${alert(fault)}
<form method="post" action="${PATH}/signin">${hiddenCode(code)}${credentials(email, false)}
<p><button>Sign in</button></p></form>
<p class="quiet">New here? <a href="${PATH}?view=signup&user_code=${code}">Create an account</a></p>`,
})

const signUpPage = (code: string, email = '', fault?: Fault): Page => ({
  title: 'Create an account',
  status: fault?.status ?? 200,
  body: html`<h1>Create an account</h1>
${alert(fault)}
<form method="post" action="${PATH}/signup">${hiddenCode(code)}${credentials(email, true)}
<label>Password, once more
<input name="confirm_password" type="password" required autocomplete="new-password"></label>
<p><button>Create account</button></p></form>
<p class="quiet">Have one? <a href="${PATH}?user_code=${code}">Sign in</a></p>`,
})

const codePage = (caller: Caller, fault?: Fault): Page => ({
  title: 'Connect a program',
  status: fault?.status ?? 200,
  body: html`<h1>Connect a program</h1>
<p>Type the code that the program shows.</p>
${alert(fault)}
<form method="get" action="${PATH}">
<label>Code
<input class="code" name="user_code" required autocomplete="off" autocapitalize="characters" spellcheck="false" placeholder="XXXX-XXXX" autofocus></label>
<p><button>Continue</button></p></form>
${signedInAs(caller, '')}`,
})

const askPage = (caller: Caller, code: string, question: DeviceQuestion): Page => ({
  title: 'Allow access?',
  body: html`<h1>Allow ${question.client_name} to use your account?</h1>
<p>Compare the code: it must be the one the program shows.</p>
<p class="code-shown">${code}</p>
<dl><dt>Asked from</dt><dd>${question.ip}</dd>
<dt>Asked at</dt><dd>${question.created_at.slice(0, 16).replace('T', ' ')} UTC</dd>
<dt>It will be able to</dt><dd>read and write your memories and conversations${question.session && html`, and <b>manage your account and its keys</b>`}</dd></dl>
<form method="post" action="${PATH}/decide" class="row">${hiddenCode(code)}
<button name="decision" value="approve">Allow</button>
<button name="decision" value="deny" class="second">Deny</button></form>
<p></p>${signedInAs(caller, code)}`,
})

const donePage = (approved: boolean): Page => ({
  title: approved ? 'Connected' : 'Denied',
  body: approved
    ? html`<h1>Connected</h1><p>You can close this page and go back to the program.</p>`
    : html`<h1>Denied</h1><p>The program gets nothing. You can close this page.</p>`,
})

const signedInAs = (caller: Caller, code: string) => html`
<form method="post" action="${PATH}/signout">${hiddenCode(code)}
<p class="quiet">Signed in as ${caller.me.email}. <button class="link">Not you?</button></p></form>`
