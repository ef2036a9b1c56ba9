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
  mountPage('GET', PATH, async ({ query }) => {
    const token = query.get('token') ?? ''
    const { isConfirmed, takesOver } = await emails.describe(token)
    if (isConfirmed) return confirmedPage
    return takesOver ? takeOverPage(token) : confirmPage(token)
  })

  mountPage('POST', PATH, async ({ form, client }) => {
    const token = form.get('token') ?? ''
    const take_over = form.has('take_over')
    const { takesOver } = await emails.describe(token)
    try {
      await emails.verify({ token, take_over }, client)
      return take_over || takesOver ? takenOverPage : confirmedPage
    } catch (error) {
      const fault = asPageError(error)
      return (await emails.describe(token)).isConfirmed ? confirmedPage : failedPage(fault)
    }
  })
}

const confirmPage = (token: string): Page => ({
  title: t`Confirm your email address`,
  body: html`<h1>${t`Confirm your email address`}</h1>
<p>${t`Confirm that this email address is yours.`}</p>
<form method="post" action="${PATH}">${hidden({ token })}
<p><button autofocus>${t`Confirm`}</button></p>
<p class="note">${t`If another person created the account with your address, make it yours: its password, API keys and other ways to sign in end.`}</p>
<p><button class="second" name="take_over" value="true">${t`I did not create this account`}</button></p></form>`,
})

const takeOverPage = (token: string): Page => ({
  title: t`Confirm your email address`,
  body: html`<h1>${t`Confirm your email address`}</h1>
<p>${t`An account has this address, and it was never confirmed, so another person may have created it. Confirm the address to make the account yours: its password, API keys and other ways to sign in end.`}</p>
<form method="post" action="${PATH}">${hidden({ token })}
<p><button autofocus>${t`Confirm`}</button></p></form>`,
})

const confirmedPage: Page = {
  title: t`Address confirmed`,
  body: html`<h1>${t`Address confirmed`}</h1>
<p>${t`Your email address is verified. Return to your app, or continue here.`}</p>
${openConsole}`,
}

const takenOverPage: Page = {
  title: t`Address confirmed`,
  body: html`<h1>${t`Address confirmed`}</h1>
<p>${t`The account is yours. What another person may have set up to use it has ended, and its memories are marked as from outside. Sign in with a code by email, or choose a password.`}</p>
${openConsole}
<p class="quiet"><a href="/reset">${t`Choose a new password`}</a></p>`,
}

const failedPage = (fault: PageError): Page => ({
  title: t`Address not confirmed`,
  status: fault.status,
  body: html`<h1>${t`Address not confirmed`}</h1>
${alert(fault)}
<p>${t`Sign in to request a new link, or run ${html`<code>svc verify --resend</code>`}.`}</p>
${openConsole}`,
})
