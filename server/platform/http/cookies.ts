import type { Cookie } from 'elysia'

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60

type BrowserCookie = ReturnType<typeof browserCookie>

export type RefreshCookie = BrowserCookie

/** Creates a cookie of this host only: HttpOnly, Secure, SameSite=Lax. */
export type CookieAt = (name: string, path: string, maxAgeSeconds: number) => BrowserCookie

type CookieAttributes = Parameters<Cookie<unknown>['set']>[0]

/** A cookie as a request sends it, with a function that sets it in the response. */
type CookieSlot = Pick<Cookie<unknown>, 'value'> & { set(change: CookieAttributes): void }

export interface CookieChange {
  name: string
  change: CookieAttributes
}

/** Records what would be set, so that several responses can set it. */
export const recordCookies = (jar: Record<string, Cookie<unknown>>) => {
  const changes: CookieChange[] = []
  return {
    changes,
    at: (name: string): CookieSlot => ({
      value: jar[name]?.value,
      set: (change) => {
        changes.push({ name, change })
      },
    }),
  }
}

/** The session cookie of contract 5.1. */
export const refreshCookie = (
  cookie: CookieSlot,
  { cookieDomain, basePath }: { cookieDomain: string | undefined; basePath: string },
): RefreshCookie =>
  browserCookie(cookie, {
    path: `${basePath}/api/auth`,
    maxAge: ONE_YEAR_SECONDS,
    ...(cookieDomain && { domain: cookieDomain }),
  })

export const cookieAt =
  (slotOf: (name: string) => CookieSlot, { basePath }: { basePath: string }): CookieAt =>
  (name, path, maxAge) =>
    browserCookie(slotOf(name), { path: basePath + path, maxAge })

const browserCookie = (
  cookie: CookieSlot,
  scope: { path: string; maxAge: number; domain?: string },
) => {
  const attributes = { httpOnly: true, secure: true, sameSite: 'lax', ...scope } as const
  return {
    value: typeof cookie.value === 'string' ? cookie.value : undefined,
    set: (value: string): void => {
      cookie.set({ ...attributes, value })
    },
    clear: (): void => {
      cookie.set({ ...attributes, value: '', maxAge: 0 })
    },
  }
}
