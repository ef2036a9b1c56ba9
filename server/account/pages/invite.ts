import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { type Html, html, t } from '../../platform/http/html.ts'
import { authLimit } from '../../platform/http/limits.ts'
import {
  alert,
  asPageError,
  type MountPage,
  nextStep,
  openConsole,
  type Page,
  type PageError,
  type PageHandler,
} from '../../platform/http/page.ts'
import type {
  InviteAcceptanceService,
  InviteState,
  InviteView,
} from '../organizations/invites/acceptance.ts'
import type { EmailVerificationService } from '../sign-in/email-verification.ts'
import { createSignInForms, type SignInFormDeps, type SignInForms } from './sign-in-forms.ts'
import { hidden, pathWith } from './sign-in-pages.ts'

/** Below the path of the refresh cookie, so that the browser sends the cookie. */
const PATH = '/api/auth/invite'

/** The parameters of an invite link. Only the mailed link has a `proof`. */
interface Link extends Record<string, string> {
  token: string
  proof: string
}

/** The pages of an invite. Mail scanners open every link, so only a POST changes anything. */
export const invitePages = (
  mountPage: MountPage,
  invites: InviteAcceptanceService,
  emails: EmailVerificationService,
  signInDeps: SignInFormDeps,
): void => {
  const forms = createSignInForms(mountPage, signInDeps, {
    path: PATH,
    readFields: readLink,
    purpose: () => t`Sign in with the invited address to answer the invitation.`,
  })
  const show = createShow(invites, forms)

  mountPage('GET', '/invite', ({ query }) => pathWith(PATH, readLink(query)))

  mountPage('GET', PATH, async (call) =>
    show(readLink(call.query), call.query, await forms.callerOf(call)),
  )

  /** Handles the form of a signed-in user. An error is shown on the page of the invite. */
  const asUser =
    (handle: (caller: Caller, link: Link, client: RequestClient) => Promise<Page>): PageHandler =>
    async (call) => {
      const link = readLink(call.form)
      const caller = await forms.callerOf(call)
      if (!caller) return pathWith(PATH, link)
      try {
        return await handle(caller, link, call.client)
      } catch (error) {
        return show(link, call.form, caller, asPageError(error))
      }
    }

  const accept = asUser(async (caller, link, client) => {
    const { name } = await invites.accept(caller, link.token, { proof: link.proof, client })
    return joinedPage(name)
  })
  mountPage('POST', `${PATH}/accept`, accept)

  const resend = asUser(async (caller, link, client) => {
    await signInDeps.limiter.consume(authLimit, client.ip)
    await emails.resend(caller)
    return resentPage(caller.me.email, link)
  })
  mountPage('POST', `${PATH}/resend`, resend)

  mountPage('POST', `${PATH}/decline`, async ({ form }) => {
    try {
      await invites.decline(readLink(form).token)
      return declinedPage
    } catch (error) {
      asPageError(error)
      return notOpenPage
    }
  })
}

/** Chooses the page of an invite by its state and by who is signed in. */
const createShow =
  (invites: InviteAcceptanceService, forms: SignInForms) =>
  async (
    link: Link,
    query: URLSearchParams,
    caller: Caller | undefined,
    fault?: PageError,
  ): Promise<Page> => {
    const invite = await invites.view(link.token, caller, link.proof)
    if (!invite || invite.state === 'not_open') return notOpenPage
    if (caller) return pages[invite.state](invite, link, forms.signedInAs(caller, link), fault)
    const isSigningIn = query.has('view') || query.has('partial_token')
    return isSigningIn ? forms.page(query, invite.email) : signedOutPage(invite, link)
  }

const readLink = (params: URLSearchParams): Link => ({
  token: params.get('token') ?? '',
  proof: params.get('proof') ?? '',
})

const offer = ({ orgName, inviter, role }: InviteView): Html => html`<h1>${t`Join ${orgName}?`}</h1>
<p>${invitation(role, html`<b>${orgName}</b>`, inviter ? html`<b>${inviter}</b>` : undefined)} ${t`Its members share the memories they save in it. Your own memories stay private.`}</p>`

const invitation = (
  role: InviteView['role'],
  organization: Html,
  inviter: Html | undefined,
): Html => {
  if (role === 'admin')
    return inviter
      ? t`${inviter} invites you to be an admin of the organization ${organization}.`
      : t`You are invited to be an admin of the organization ${organization}.`
  return inviter
    ? t`${inviter} invites you to be a member of the organization ${organization}.`
    : t`You are invited to be a member of the organization ${organization}.`
}

const signedOutPage = (invite: InviteView, link: Link): Page => ({
  title: t`Join ${invite.orgName}?`,
  body: html`${offer(invite)}
<p>${t`The invitation is for ${html`<b>${invite.email}</b>`}. Sign in or sign up with this address to accept it.`}</p>
<form method="get" action="${PATH}" class="row">${hidden(link)}
<button name="view" value="signin" autofocus>${t`Sign in`}</button>
<button name="view" value="signup">${t`Sign up`}</button></form>
<p></p><form method="post" action="${PATH}/decline">${hidden(link)}
<p class="quiet">${t`Not interested?`} <button class="link">${t`Decline`}</button></p></form>`,
})

type SignedInPage = (invite: InviteView, link: Link, signedInAs: Html, fault?: PageError) => Page

const readyPage: SignedInPage = (invite, link, signedInAs, fault) => ({
  title: t`Join ${invite.orgName}?`,
  status: fault?.status ?? 200,
  body: html`${offer(invite)}
${alert(fault)}
<form method="post" action="${PATH}/accept" class="row">${hidden(link)}
<button autofocus>${t`Accept`}</button>
<button formaction="${PATH}/decline" class="second">${t`Decline`}</button></form>
<p></p>${signedInAs}`,
})

const otherAddressPage: SignedInPage = (invite, _link, signedInAs) => ({
  title: t`Wrong account`,
  status: 403,
  body: html`<h1>${t`This invitation is for another address`}</h1>
<p>${t`It was sent to ${html`<b>${invite.email}</b>`}. Sign in with that address to join ${invite.orgName}, or ask for an invitation to your address.`}</p>
${signedInAs}`,
})

const unverifiedPage: SignedInPage = (invite, link, signedInAs, fault) => ({
  title: t`Confirm your address first`,
  status: 403,
  body: html`<h1>${t`Confirm your address first`}</h1>
${alert(fault)}
<p>${t`Open the invitation from the email to ${html`<b>${invite.email}</b>`}. Or open the link in the email that you received when you signed up, then try again here.`}</p>
<form method="get" action="${PATH}" class="row">${hidden(link)}
<button autofocus>${t`Try again`}</button>
<button formmethod="post" formaction="${PATH}/resend" class="second">${t`Send the link again`}</button></form>
<p></p>
${signedInAs}`,
})

const resentPage = (email: string, link: Link): Page => ({
  title: t`Check your email`,
  body: html`<h1>${t`Check your email`}</h1>
<p>${t`Open the link in the email to ${html`<b>${email}</b>`}, then return to the invitation.`}</p>
${nextStep(pathWith(PATH, link), t`Back to the invitation`)}`,
})

const memberPage: SignedInPage = (invite, _link, signedInAs) => ({
  title: t`You are a member`,
  body: html`<h1>${t`You are a member of ${invite.orgName}`}</h1>
<p>${t`Select ${invite.orgName} in your app, or continue here.`}</p>
${openConsole}
${signedInAs}`,
})

const pages: Record<Exclude<InviteState, 'not_open'>, SignedInPage> = {
  ready: readyPage,
  other_address: otherAddressPage,
  unverified: unverifiedPage,
  member: memberPage,
}

const joinedPage = (orgName: string): Page => ({
  title: t`Welcome to ${orgName}`,
  body: html`<h1>${t`Welcome to ${orgName}`}</h1>
<p>${t`You are a member now. To save memories in ${orgName}, select it in your app or use an API key of the organization. Otherwise your memories stay private.`}</p>
${openConsole}`,
})

const declinedPage: Page = {
  title: t`Invitation declined`,
  body: html`<h1>${t`Declined`}</h1><p>${t`The invitation is no longer valid.`}</p>${openConsole}`,
}

const notOpenPage: Page = {
  title: t`This invitation is not valid`,
  status: 410,
  body: html`<h1>${t`This invitation is not valid`}</h1>
<p>${t`It has expired, was withdrawn, or was answered already. Ask the sender for a new invitation.`}</p>
${openConsole}`,
}
