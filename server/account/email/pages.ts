import {
  alert,
  asFault,
  type Fault,
  html,
  type MountPage,
  type Page,
} from '../../platform/http/page.ts'
import type { EmailService } from './service.ts'

const PATH = '/verify'

/**
 * The page behind a verification link. Programs that look into mails open every link: so opening it
 * changes nothing, and a press on the button does.
 */
export const emailPages = (mountPage: MountPage, emails: EmailService): void => {
  mountPage('GET', PATH, ({ query }) => askPage(query.get('token') ?? ''))

  mountPage('POST', PATH, async ({ form, client }) => {
    try {
      await emails.verify(form.get('token') ?? '', client)
      return confirmedPage
    } catch (error) {
      return failedPage(asFault(error))
    }
  })
}

const askPage = (token: string): Page => ({
  title: 'Confirm your email address',
  body: html`<h1>Confirm your email address</h1>
<p>Press the button to confirm that the address is yours.</p>
<form method="post" action="${PATH}"><input type="hidden" name="token" value="${token}">
<p><button autofocus>Confirm</button></p></form>`,
})

const confirmedPage: Page = {
  title: 'Address confirmed',
  body: html`<h1>Address confirmed</h1><p>Thank you. You can close this page.</p>`,
}

const failedPage = (fault: Fault): Page => ({
  title: 'The address is not confirmed',
  status: fault.status,
  body: html`<h1>The address is not confirmed</h1>
${alert(fault)}
<p>If you still need it, ask for a new link where you signed up.</p>`,
})
