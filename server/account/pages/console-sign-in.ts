import { t } from '../../platform/http/html.ts'
import type { MountPage } from '../../platform/http/page.ts'
import { createSignInForms, type SignInFormDeps } from './sign-in-forms.ts'
import { type FormFields, pathWith } from './sign-in-pages.ts'

/** Below the path of the refresh cookie, so that the browser sends the cookie. */
const PATH = '/api/auth/app'
const CONSOLE_PATH = '/app'

/** The page that signs a user in to the console and leads back to a place in it. */
export const consoleSignInPages = (mountPage: MountPage, signInDeps: SignInFormDeps): void => {
  const forms = createSignInForms(mountPage, signInDeps, {
    path: PATH,
    readFields,
    purpose: () => t`Sign in to see your memories.`,
    providerQuery: () => ({}),
    checksCookie: true,
  })

  mountPage('GET', '/signin', ({ query }) => pathWith(PATH, readFields(query)))
  mountPage('GET', '/signup', ({ query }) =>
    pathWith(PATH, { view: 'signup', ...readFields(query) }),
  )

  mountPage('GET', PATH, async (call) =>
    (await forms.callerOf(call))
      ? (readFields(call.query).next ?? CONSOLE_PATH)
      : forms.page(call.query),
  )
}

/**
 * Accepts places in the console only, because another address could lead to another site. They are in
 * ASCII, as in an address: a header cannot have other characters.
 */
const readFields = (params: URLSearchParams): FormFields => {
  const next = params.get('next') ?? ''
  return /^\/app(?:[/?][!-~]*)?$/.test(next) ? { next } : {}
}
