import { hidden, signInForms } from '../../account/sessions/pages.ts'
import type { SessionService } from '../../account/sessions/service.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Limits } from '../../platform/http/limits.ts'
import {
  alert,
  asFault,
  type Fault,
  type Html,
  html,
  type MountPage,
  type Page,
} from '../../platform/http/page.ts'
import type { InviteService, SeenInvite, Standing } from './invites.ts'

/** Under the refresh cookie's path, so that the browser sends it. */
const PATH = '/api/auth/invite'

/** What a link carries; `proof` stands in the mail alone. */
interface Link extends Record<string, string> {
  token: string
  proof: string
}

/**
 * The page behind an invitation. Programs that look into mails open every link: so opening it changes
 * nothing, and a press on a button does.
 */
export const invitePages = (
  mountPage: MountPage,
  invites: InviteService,
  sessions: SessionService,
  limits: Limits,
): void => {
  const forms = signInForms(mountPage, sessions, limits, {
    path: PATH,
    fieldsOf: linkOf,
    purpose: () =>
      html`to answer the invitation, with the account of the address that it was sent to.`,
  })

  const show = async (
    link: Link,
    query: URLSearchParams,
    caller: Caller | undefined,
    fault?: Fault,
  ): Promise<Page> => {
    const invite = await invites.look(link.token, caller, link.proof)
    if (!invite || invite.standing === 'over') return overPage
    if (caller) return pages[invite.standing](invite, link, forms.signedInAs(caller, link), fault)
    const isSigningIn = query.has('view') || query.has('partial_token')
    return isSigningIn ? forms.page(query, invite.email) : strangersPage(invite, link)
  }

  mountPage('GET', '/invite', ({ query }) => pathWith(linkOf(query)))

  mountPage('GET', PATH, async ({ query, refreshCookie }) =>
    show(linkOf(query), query, await sessions.userOfCookie(refreshCookie.value)),
  )

  mountPage('POST', `${PATH}/accept`, async ({ form, client, refreshCookie }) => {
    const link = linkOf(form)
    const caller = await sessions.userOfCookie(refreshCookie.value)
    if (!caller) return pathWith(link)
    try {
      const { name } = await invites.accept(caller, link.token, { proof: link.proof, client })
      return joinedPage(name)
    } catch (error) {
      return show(link, form, caller, asFault(error))
    }
  })

  mountPage('POST', `${PATH}/decline`, async ({ form }) => {
    try {
      await invites.decline(linkOf(form).token)
      return declinedPage
    } catch (error) {
      asFault(error)
      return overPage
    }
  })
}

const linkOf = (given: URLSearchParams): Link => ({
  token: given.get('token') ?? '',
  proof: given.get('proof') ?? '',
})

const pathWith = (link: Link): string => `${PATH}?${new URLSearchParams(link)}`

const question = ({ orgName, inviter, role }: SeenInvite): Html => html`<h1>Join ${orgName}?</h1>
<p>${inviter ? html`<b>${inviter}</b> invites you` : 'You are invited'} to be ${role === 'admin' ? 'an admin' : 'a member'} of the organization <b>${orgName}</b>, whose members share what they remember in it. Your own memories stay yours alone.</p>`

const strangersPage = (invite: SeenInvite, link: Link): Page => ({
  title: `Join ${invite.orgName}?`,
  body: html`${question(invite)}
<p>The invitation is for <b>${invite.email}</b>: sign in with this address, or make an account with it.</p>
<form method="get" action="${PATH}" class="row">${hidden(link)}
<button name="view" value="signin" autofocus>Sign in</button>
<button name="view" value="signup">Sign up</button></form>
<p></p><form method="post" action="${PATH}/decline">${hidden(link)}
<p class="quiet">Not interested? <button class="link">Decline</button></p></form>`,
})

type SignedInPage = (invite: SeenInvite, link: Link, signedInAs: Html, fault?: Fault) => Page

const readyPage: SignedInPage = (invite, link, signedInAs, fault) => ({
  title: `Join ${invite.orgName}?`,
  status: fault?.status ?? 200,
  body: html`${question(invite)}
${alert(fault)}
<form method="post" action="${PATH}/accept" class="row">${hidden(link)}
<button autofocus>Accept</button>
<button formaction="${PATH}/decline" class="second">Decline</button></form>
<p></p>${signedInAs}`,
})

const otherAddressPage: SignedInPage = (invite, _link, signedInAs) => ({
  title: 'For another address',
  status: 403,
  body: html`<h1>This invitation is for another address</h1>
<p>It was sent to <b>${invite.email}</b>. Sign in with that address to join ${invite.orgName}, or ask for an invitation to yours.</p>
${signedInAs}`,
})

const unprovedPage: SignedInPage = (invite, link, signedInAs) => ({
  title: 'Confirm your address first',
  status: 403,
  body: html`<h1>Confirm your address first</h1>
<p>Open this invitation from the mail that was sent to <b>${invite.email}</b>; or open the link in the mail that you got when you signed up, and then try again here.</p>
<form method="get" action="${PATH}">${hidden(link)}
<p><button autofocus>Try again</button></p></form>
${signedInAs}`,
})

const memberPage: SignedInPage = (invite, _link, signedInAs) => ({
  title: 'You are a member',
  body: html`<h1>You are a member of ${invite.orgName}</h1>
<p>There is nothing left to do.</p>
${signedInAs}`,
})

const pages: Record<Exclude<Standing, 'over'>, SignedInPage> = {
  ready: readyPage,
  other_address: otherAddressPage,
  unproved: unprovedPage,
  member: memberPage,
}

const joinedPage = (orgName: string): Page => ({
  title: `Welcome to ${orgName}`,
  body: html`<h1>Welcome to ${orgName}</h1>
<p>You are a member now. What you ask and remember stays yours until you choose to act in the organization: your app or your API key says so. You can close this page.</p>`,
})

const declinedPage: Page = {
  title: 'Declined',
  body: html`<h1>Declined</h1><p>The invitation is no longer good. You can close this page.</p>`,
}

const overPage: Page = {
  title: 'This invitation is over',
  status: 410,
  body: html`<h1>This invitation is over</h1>
<p>It has expired, was withdrawn, or was answered already. Ask whoever invited you for a new one.</p>`,
}
