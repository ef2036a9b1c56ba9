import type { Cookie } from 'elysia'

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60

interface BrowserCookie {
  value: string | undefined
  set(value: string): void
  clear(): void
}

export type RefreshCookie = BrowserCookie

/** Creates a cookie of this host only: HttpOnly, Secure, SameSite=Lax. */
export type CookieAt = (name: string, path: string, maxAgeSeconds: number) => BrowserCookie

/** The session cookie of contract 5.1. */
export const refreshCookie = (
  cookie: Cookie<unknown>,
  { cookieDomain, basePath }: { cookieDomain: string | undefined; basePath: string },
): RefreshCookie =>
  browserCookie(cookie, {
    path: `${basePath}/api/auth`,
    maxAge: ONE_YEAR_SECONDS,
    ...(cookieDomain && { domain: cookieDomain }),
  })

export const cookieAt =
  (jar: Record<string, Cookie<unknown>>, { basePath }: { basePath: string }): CookieAt =>
  (name, path, maxAge) =>
    browserCookie(jar[name] as Cookie<unknown>, { path: basePath + path, maxAge })

const browserCookie = (
  cookie: Cookie<unknown>,
  scope: { path: string; maxAge: number; domain?: string },
): BrowserCookie => {
  const attributes = { httpOnly: true, secure: true, sameSite: 'lax', ...scope } as const
  return {
    value: typeof cookie.value === 'string' ? cookie.value : undefined,
    set: (value) => {
      cookie.set({ ...attributes, value })
    },
    clear: () => {
      cookie.set({ ...attributes, value: '', maxAge: 0 })
    },
  }
}
