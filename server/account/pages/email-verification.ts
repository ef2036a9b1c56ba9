import {
  alert,
  asPageError,
  html,
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
  title: 'Confirm your email address',
  body: html`<h1>Confirm your email address</h1>
<p>Confirm that this email address is yours.</p>
<form method="post" action="${PATH}">${hidden({ token })}
<p><button autofocus>Confirm</button></p></form>`,
})

const confirmedPage: Page = {
  title: 'Address confirmed',
  body: html`<h1>Address confirmed</h1>
<p>Your email address is verified. Return to your app, or continue here.</p>
${openConsole}`,
}

const failedPage = (fault: PageError): Page => ({
  title: 'Address not confirmed',
  status: fault.status,
  body: html`<h1>Address not confirmed</h1>
${alert(fault)}
<p>Sign in to request a new link, or run <code>svc verify --resend</code>.</p>
${openConsole}`,
})
