import type { Limits } from '../../platform/http/limits.ts'
import { html, type MountPage, type Page } from '../../platform/http/page.ts'
import { hidden, signInForms } from '../sessions/pages.ts'
import type { SessionService } from '../sessions/service.ts'
import type { AdminService } from './service.ts'

/** Under the refresh cookie's path, so that the browser sends it. */
const PATH = '/api/auth/admin/claim'

/** Where the operator becomes the first admin: the link that the first start prints. */
export const adminPages = (
  mountPage: MountPage,
  admin: AdminService,
  sessions: SessionService,
  limits: Limits,
): void => {
  const fieldsOf = (given: URLSearchParams) => ({ token: given.get('token') ?? '' })
  const forms = signInForms(mountPage, sessions, limits, {
    path: PATH,
    fieldsOf,
    purpose: () => html`with the account that is to be the admin of this server.`,
  })

  mountPage('GET', '/admin/claim', ({ query }) => `${PATH}?${new URLSearchParams(fieldsOf(query))}`)

  mountPage('GET', PATH, async ({ query, refreshCookie }) => {
    const fields = fieldsOf(query)
    await admin.check(fields.token)
    const caller = await sessions.userOfCookie(refreshCookie.value)
    if (!caller) return forms.page(query)
    return {
      title: 'Become the admin',
      body: html`<h1>Become the admin of this server?</h1>
<p>An admin sees who has an account, keeps people out, gives tiers, makes other admins, and switches what works in the background. What people remember, an admin does not see.</p>
<form method="post" action="${PATH}">${hidden(fields)}
<p><button>Become the admin</button></p></form>
${forms.signedInAs(caller, fields)}`,
    }
  })

  mountPage('POST', PATH, async ({ form, client, refreshCookie }) => {
    const fields = fieldsOf(form)
    const caller = await sessions.userOfCookie(refreshCookie.value)
    if (!caller) return `${PATH}?${new URLSearchParams(fields)}`
    await admin.claim(caller, fields.token, client)
    return donePage(caller.me.email)
  })
}

const donePage = (email: string): Page => ({
  title: 'You are the admin',
  body: html`<h1>You are the admin</h1>
<p>${email} is now the admin of this server. The link is used up.</p>`,
})
