import { characterCount } from '../../../shared/contract/common.ts'
import { html, t } from '../../platform/http/html.ts'
import { authLimit, type Limiter } from '../../platform/http/limits.ts'
import {
  alert,
  asPageError,
  type MountPage,
  nextStep,
  type Page,
  type PageError,
} from '../../platform/http/page.ts'
import { signInError } from '../sign-in/errors.ts'
import { type PasswordService, passwordError } from '../sign-in/password.ts'
import { hidden, newPasswordFields } from './sign-in-pages.ts'

const PATH = '/reset'

/** The page of a reset link. Without a token it offers to mail a link. */
export const passwordPages = (
  mountPage: MountPage,
  passwords: PasswordService,
  limiter: Limiter,
): void => {
  mountPage('GET', PATH, async ({ query }) => {
    const token = query.get('token')
    if (token === null) return requestPage()
    if (!(await passwords.isLive(token))) return requestPage(passwordError('reset_link_invalid'))
    return resetPage(token)
  })

  mountPage('POST', `${PATH}/mail`, async ({ form, client }) => {
    const email = form.get('email') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      if (!email.trim()) throw passwordError('reset_email_missing')
      await passwords.forgot(email)
      return mailedPage
    } catch (error) {
      return requestPage(asPageError(error))
    }
  })

  mountPage('POST', PATH, async ({ form, client }) => {
    const token = form.get('token') ?? ''
    const password = form.get('password') ?? ''
    try {
      await limiter.consume(authLimit, client.ip)
      if (characterCount(password) < 8) throw passwordError('new_password_too_short')
      if (password !== form.get('confirm_password')) throw signInError('passwords_do_not_match')
      await passwords.reset({ token, password }, client)
      return changedPage
    } catch (error) {
      return resetPage(token, asPageError(error))
    }
  })
}

const requestPage = (fault?: PageError): Page => ({
  title: t`Reset your password`,
  status: fault?.status ?? 200,
  body: html`<h1>${t`Reset your password`}</h1>
${alert(fault)}
<p>${t`Enter your email address. We send you a link to choose a new password.`}</p>
<form method="post" action="${PATH}/mail">
<label>${t`Email`}
<input name="email" type="email" required maxlength="255" autocomplete="username" autofocus></label>
<p><button>${t`Send the link`}</button></p></form>`,
})

const signIn = nextStep('/signin', t`Sign in`)

const mailedPage: Page = {
  title: t`Check your email`,
  body: html`<h1>${t`Check your email`}</h1>
<p>${t`If an account has this address, we sent it a reset link. Open the link within one hour.`}</p>
<p class="quiet">${t`No email? Check the spam folder, or ${html`<a href="${PATH}">${t`request another link`}</a>`}.`}</p>
${signIn}`,
}

const resetPage = (token: string, fault?: PageError): Page => ({
  title: t`Choose a new password`,
  hasPassword: true,
  status: fault?.status ?? 200,
  body: html`<h1>${t`Choose a new password`}</h1>
${alert(fault)}
<form method="post" action="${PATH}">${hidden({ token })}
${newPasswordFields(t`New password`, t`Repeat new password`, { autofocus: true })}
<p><button>${t`Change password`}</button></p></form>
<p class="quiet">${t`This signs you out on all devices. Your API keys stay valid.`}</p>`,
})

const changedPage: Page = {
  title: t`Password changed`,
  body: html`<h1>${t`Password changed`}</h1>
<p>${t`You are signed out on all devices. Sign in with the new password here, in your app, or with ${html`<code>svc login</code>`}.`}</p>
${signIn}`,
}
