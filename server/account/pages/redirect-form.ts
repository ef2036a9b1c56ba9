import { budgets } from '../../platform/budgets.ts'
import type { MountRaw } from '../../platform/http/mounts.ts'
import { locationBelow } from '../../platform/http/page.ts'
import { pathWith } from './sign-in-pages.ts'

/**
 * Answers the form of an app with a redirect to the page. The browser sends no cookie with the form of
 * another site, but with the redirect that follows.
 */
export const redirectForm = (
  mountRaw: MountRaw,
  path: string,
  readFields: (form: URLSearchParams) => Record<string, string>,
): void => {
  mountRaw({ method: 'POST', path }, async ({ text, basePath }) => {
    const fields = readFields(new URLSearchParams(await text(budgets.oauthForm.bytes)))
    const headers = {
      location: locationBelow(basePath, pathWith(path, fields)),
      'cache-control': 'no-store',
    }
    return new Response(null, { status: 303, headers })
  })
}
