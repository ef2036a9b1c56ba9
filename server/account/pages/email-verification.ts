import { html, t } from '../../platform/http/html.ts'
import {
  alert,
  asPageError,
  type MountPage,
  openConsole,
  type Page,
  type PageError,
} from '../../platform/http/page.ts'
import type { EmailVerificationService } from '../sign-in/email-verification.ts'
import { hidden } from './sign-in-pages.ts'

const PATH = '/verify'

/**
 * The page of a verification link. Mail scanners open every link, so only the POST verifies the address.
 */
export const emailVerificationPages = (
  mountPage: MountPage,
  emails: EmailVerificationService,
): void => {
  mountPage('GET', PATH, ({ query }) => confirmPage(query.get('token') ?? ''))

  mountPage('POST', PATH, async ({ form, client }) => {
    try {
      await emails.verify(form.get('token') ?? '', client)
      return confirmedPage
    } catch (error) {
      return failedPage(asPageError(error))
    }
  })
}

const confirmPage = (token: string): Page => ({
  title: t`Confirm your email address`,
  body: html`<h1>${t`Confirm your email address`}</h1>
<p>${t`Confirm that this email address is yours.`}</p>
<form method="post" action="${PATH}">${hidden({ token })}
<p><button autofocus>${t`Confirm`}</button></p></form>`,
})

const confirmedPage: Page = {
  title: t`Address confirmed`,
  body: html`<h1>${t`Address confirmed`}</h1>
<p>${t`Your email address is verified. Return to your app, or continue here.`}</p>
${openConsole}`,
}

const failedPage = (fault: PageError): Page => ({
  title: t`Address not confirmed`,
  status: fault.status,
  body: html`<h1>${t`Address not confirmed`}</h1>
${alert(fault)}
<p>${t`Sign in to request a new link, or run ${html`<code>svc verify --resend</code>`}.`}</p>
${openConsole}`,
})
