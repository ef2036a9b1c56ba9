import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import {
  alert,
  asFault,
  type Fault,
  html,
  type MountPage,
  type Page,
} from '../../platform/http/page.ts'
import { newPasswordFields } from './fields.ts'
import type { PasswordService } from './service.ts'

const PATH = '/reset'

/** The page behind a reset link; without a link it mails one. */
export const passwordPages = (
  mountPage: MountPage,
  passwords: PasswordService,
  limits: Limits,
): void => {
  mountPage('GET', PATH, async ({ query }) => {
    const token = query.get('token')
    if (token === null) return forgotPage()
    if (!(await passwords.isLive(token)))
      return forgotPage({ status: 400, message: 'This reset link is invalid or has expired' })
    return resetPage(token)
  })

  mountPage('POST', `${PATH}/mail`, async ({ form, client }) => {
    const email = form.get('email') ?? ''
    try {
      await limits.auth(client.ip)
      if (!email.trim()) throw new ApiError(400, 'Email is required')
      await passwords.forgot(email)
      return mailedPage
    } catch (error) {
      return forgotPage(asFault(error))
    }
  })

  mountPage('POST', PATH, async ({ form, client }) => {
    const token = form.get('token') ?? ''
    const password = form.get('password') ?? ''
    try {
      await limits.auth(client.ip)
      if (password.length < 8)
        throw new ApiError(400, 'The password must have at least 8 characters')
      if (password !== form.get('confirm_password'))
        throw new ApiError(400, 'Passwords do not match')
      await passwords.reset({ token, password }, client)
      return donePage
    } catch (error) {
      return resetPage(token, asFault(error))
    }
  })
}

const forgotPage = (fault?: Fault): Page => ({
  title: 'Reset your password',
  status: fault?.status ?? 200,
  body: html`<h1>Reset your password</h1>
${alert(fault)}
<p>We mail you a link with which you choose a new one.</p>
<form method="post" action="${PATH}/mail">
<label>Email
<input name="email" type="email" required maxlength="255" autocomplete="username" autofocus></label>
<p><button>Mail me a link</button></p></form>`,
})

const mailedPage: Page = {
  title: 'Look into your mail',
  body: html`<h1>Look into your mail</h1>
<p>If an account has this address, a reset link is on its way. It works for one hour.</p>`,
}

const resetPage = (token: string, fault?: Fault): Page => ({
  title: 'Choose a new password',
  status: fault?.status ?? 200,
  body: html`<h1>Choose a new password</h1>
${alert(fault)}
<form method="post" action="${PATH}"><input type="hidden" name="token" value="${token}">
${newPasswordFields('New password', { autofocus: true })}
<p><button>Change password</button></p></form>
<p class="quiet">This signs you out everywhere. API keys stay as they are.</p>`,
})

const donePage: Page = {
  title: 'Password changed',
  body: html`<h1>Password changed</h1>
<p>You were signed out everywhere. Sign in with the new password.</p>`,
}
