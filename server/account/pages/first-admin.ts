import { html, t } from '../../platform/http/html.ts'
import { type MountPage, nextStep, type Page } from '../../platform/http/page.ts'
import type { FirstAdminService } from '../sign-in/first-admin/service.ts'
import { createSignInForms, type SignInFormDeps } from './sign-in-forms.ts'
import { hidden, pathWith } from './sign-in-pages.ts'

/** Below the path of the refresh cookie, so that the browser sends the cookie. */
const PATH = '/api/auth/admin/claim'

/** The page of the link that the first start prints. The operator becomes the first admin there. */
export const firstAdminPages = (
  mountPage: MountPage,
  admin: FirstAdminService,
  signInDeps: SignInFormDeps,
): void => {
  const readFields = (params: URLSearchParams) => ({ token: params.get('token') ?? '' })
  const forms = createSignInForms(mountPage, signInDeps, {
    path: PATH,
    readFields,
    async admits({ token = '' }) {
      await admin.check(token)
      return true
    },
    purpose: () => t`Sign in with the account that becomes the admin of this server.`,
  })

  mountPage('GET', '/admin/claim', ({ query }) => pathWith(PATH, readFields(query)))

  mountPage('GET', PATH, async (call) => {
    const fields = readFields(call.query)
    await admin.check(fields.token)
    const caller = await forms.callerOf(call)
    if (!caller) return forms.page(call.query)
    return {
      title: t`Become the admin`,
      body: html`<h1>${t`Become the admin of this server?`}</h1>
<p>${t`An admin lists accounts, disables them, changes their tiers, makes other users admins, and switches background engines on and off. An admin can also use the account of a user, with its memories, for up to an hour; the user gets the reason by email.`}</p>
<form method="post" action="${PATH}">${hidden(fields)}
<p><button>${t`Become the admin`}</button></p></form>
${forms.signedInAs(caller, fields)}`,
    }
  })

  mountPage('POST', PATH, async (call) => {
    const fields = readFields(call.form)
    const caller = await forms.callerOf(call)
    if (!caller) return pathWith(PATH, fields)
    await admin.claim(caller, fields.token, call.client)
    return donePage(caller.me.email)
  })
}

const donePage = (email: string): Page => ({
  title: t`You are the admin`,
  body: html`<h1>${t`You are the admin`}</h1>
<p>${t`${email} is now the admin of this server. The link cannot be used again.`}</p>
${nextStep('/app/admin', t`Open the administration`)}`,
})
