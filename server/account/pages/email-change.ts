import { html, t } from '../../platform/http/html.ts'
import {
  alert,
  asPageError,
  type MountPage,
  nextStep,
  openConsole,
  type Page,
  type PageError,
} from '../../platform/http/page.ts'
import type { EmailChangeService, LinkedAddress } from '../sign-in/email-change.ts'
import { emailVerificationError } from '../sign-in/email-verification.ts'
import { hidden } from './sign-in-pages.ts'

const CHANGE = '/email/change'
const UNDO = '/email/undo'

/** The pages of the links that change an address and undo it. Mail scanners open every link, so only a POST acts. */
export const emailChangePages = (mountPage: MountPage, changes: EmailChangeService): void => {
  mountPage('GET', CHANGE, async ({ query }) => {
    const token = query.get('token') ?? ''
    const found = await changes.describe('change', token)
    return found ? confirmPage(token, found) : failedPage(LINK_INVALID)
  })
  mountPage('POST', CHANGE, ({ form, client }) =>
    changes.confirm(form.get('token') ?? '', client).then(
      () => changedPage,
      (error) => failedPage(asPageError(error)),
    ),
  )

  mountPage('GET', UNDO, async ({ query }) => {
    const token = query.get('token') ?? ''
    const found = await changes.describe('undo', token)
    return found ? undoPage(token, found) : notUndonePage(LINK_INVALID)
  })
  mountPage('POST', UNDO, ({ form, client }) =>
    changes.undo(form.get('token') ?? '', client).then(
      () => undonePage,
      (error) => notUndonePage(asPageError(error)),
    ),
  )
}

const LINK_INVALID = emailVerificationError('verification_link_invalid')

const confirmPage = (token: string, { username, email }: LinkedAddress): Page => ({
  title: t`Change the email address`,
  body: html`<h1>${t`Change the email address`}</h1>
<p>${t`The account ${html`<b>${username}</b>`} gets the address ${html`<bdi>${email}</bdi>`}. Confirm it only if the account is yours.`}</p>
<form method="post" action="${CHANGE}">${hidden({ token })}
<p><button autofocus>${t`Use this address`}</button></p></form>`,
})

const changedPage: Page = {
  title: t`Address changed`,
  body: html`<h1>${t`Address changed`}</h1>
<p>${t`Your account has the new address. We told the former one, from which the change can be undone for 7 days.`}</p>
${openConsole}`,
}

const failedPage = (fault: PageError): Page => ({
  title: t`Address not changed`,
  status: fault.status,
  body: html`<h1>${t`Address not changed`}</h1>
${alert(fault)}
<p>${t`Sign in to see the address of your account, or to request a new link.`}</p>
${openConsole}`,
})

const undoPage = (token: string, { username, email }: LinkedAddress): Page => ({
  title: t`Undo the change of the email address`,
  body: html`<h1>${t`Undo the change of the email address`}</h1>
<p>${t`The account ${html`<b>${username}</b>`} gets its former address ${html`<bdi>${email}</bdi>`} back.`}</p>
<p>${t`Its password, sessions, API keys, passkeys, connected providers and authorized apps end, and so does a second factor that was turned on since. We mail you a link to choose a new password.`}</p>
<form method="post" action="${UNDO}">${hidden({ token })}
<p><button autofocus>${t`Undo the change`}</button></p></form>`,
})

const undonePage: Page = {
  title: t`Change undone`,
  body: html`<h1>${t`Change undone`}</h1>
<p>${t`Your account has its former address again, and everyone is signed out. Choose a new password with the link that we mailed to it.`}</p>
${nextStep('/signin', t`Sign in`)}`,
}

const notUndonePage = (fault: PageError): Page => ({
  title: t`Change not undone`,
  status: fault.status,
  body: html`<h1>${t`Change not undone`}</h1>
${alert(fault)}
<p>${t`If another person has your account, ask the operator of the server.`}</p>`,
})
