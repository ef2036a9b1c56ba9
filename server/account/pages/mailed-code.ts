import { html, t } from '../../platform/http/html.ts'
import { authLimit, type Limiter } from '../../platform/http/limits.ts'
import {
  alert,
  asPageError,
  type MountPage,
  type Page,
  type PageError,
} from '../../platform/http/page.ts'
import { CODE_PATH, type MailedCodeService } from '../sign-in/mailed-codes/service.ts'
import { attemptCookie } from './sign-in-forms.ts'
import { codePage, pathWith } from './sign-in-pages.ts'

const CONSOLE_PATH = '/app'
/** The page that takes the second factor of a sign-in to the console. */
const VERIFY_PATH = '/api/auth/app/verify'

/**
 * The page of the link in an email. It signs in after a press of its button, because mail servers open links, and in
 * the browser that asked only.
 */
export const mailedCodePages = (
  mountPage: MountPage,
  codes: MailedCodeService,
  limiter: Limiter,
): void => {
  mountPage('GET', CODE_PATH, ({ query, cookie }) => {
    const code = query.get('code') ?? ''
    return attemptCookie(cookie).value === undefined ? otherBrowserPage(code) : linkPage(code)
  })

  mountPage('POST', CODE_PATH, async ({ form, client, cookie, refreshCookie }) => {
    const code = form.get('code') ?? ''
    const jar = attemptCookie(cookie)
    if (jar.value === undefined) return otherBrowserPage(code)
    try {
      await limiter.consume(authLimit, client.ip)
      const body = { attempt_token: jar.value, code }
      const { response, refreshToken } = await codes.signIn(body, client)
      jar.clear()
      if (refreshToken === undefined) {
        const { partial_token } = response
        return codePage({ action: VERIFY_PATH, fields: { partial_token } })
      }
      refreshCookie.set(refreshToken)
      return CONSOLE_PATH
    } catch (error) {
      return linkPage(code, asPageError(error))
    }
  })
}

const linkPage = (code: string, fault?: PageError): Page => ({
  title: t`Sign in`,
  status: fault?.status ?? 200,
  isUnlisted: true,
  body: html`<h1>${t`Sign in`}</h1>
${alert(fault)}
${
  fault
    ? html`<p class="quiet"><a href="${pathWith('/signin', {})}">${t`Start again`}</a></p>`
    : html`<form method="post" action="${CODE_PATH}"><input type="hidden" name="code" value="${code}">
<p><button autofocus>${t`Sign in to svc`}</button></p></form>`
}`,
})

const otherBrowserPage = (code: string): Page => ({
  title: t`Open it in the other browser`,
  isUnlisted: true,
  body: html`<h1>${t`Open it in the other browser`}</h1>
<p>${t`The link works in the browser where you asked for it. You can type the code there instead: ${html`<strong>${code.slice(0, 20)}</strong>`}`}</p>`,
})
