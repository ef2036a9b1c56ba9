import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose'
import type { CookieAt } from '../../../platform/http/cookies.ts'
import { type AuthSecrets, deriveKeys } from '../../../platform/secrets/derived-keys.ts'
import { createSecret } from '../../../platform/secrets.ts'

export const STATE_SECONDS = 600

/** The state of a sign-in while the browser is at the provider. */
export interface OAuthState {
  id: string
  provider: string
  /** PKCE; only the token endpoint of the provider sees it. */
  verifier: string
  /** SHA-256 of the cookie of the browser that began the sign-in. */
  browserHash: string
  /** The app to return to; absent for a page of the server. */
  origin?: string
  /** The device login to return to; empty while its code is not entered. */
  userCode?: string
  /** The signed-in user whose account the provider is connected to. */
  connectTo?: string
}

/** The target of the last redirect: an app, a device login, the console, or a page of the server. */
export type ReturnTo = Pick<OAuthState, 'origin' | 'userCode' | 'connectTo'>

export type OAuthStates = ReturnType<typeof createOAuthStates>

/**
 * Seals states as encrypted JWTs, because they contain the PKCE verifier. Claims have short names,
 * because X limits a state to 500 characters.
 */
export const createOAuthStates = (authSecrets: AuthSecrets) => {
  const keys = deriveKeys(authSecrets, 'svc:oauth-state')

  const open = async (text: string, key: Uint8Array): ReturnType<OAuthStates['open']> => {
    try {
      const { payload } = await jwtDecrypt(text, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['jti', 'sub', 'exp'],
      })
      return { state: readState(payload), expired: false }
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        return { state: readState(error.payload), expired: true }
      return undefined
    }
  }

  return {
    seal: ({
      id,
      provider,
      verifier,
      browserHash,
      origin,
      userCode,
      connectTo,
    }: OAuthState): Promise<string> =>
      new EncryptJWT({
        v: verifier,
        b: browserHash,
        ...(origin !== undefined && { o: origin }),
        ...(userCode !== undefined && { u: userCode }),
        ...(connectTo !== undefined && { c: connectTo }),
      })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setJti(id)
        .setSubject(provider)
        .setExpirationTime(`${STATE_SECONDS}s`)
        .encrypt(keys[0]),

    /** @returns undefined for an invalid state. */
    async open(text: string): Promise<{ state: OAuthState; expired: boolean } | undefined> {
      for (const key of keys) {
        const opened = await open(text, key)
        if (opened) return opened
      }
      return undefined
    },
  }
}

const readState = ({ jti = '', sub = '', v, b, o, u, c }: JWTPayload): OAuthState => ({
  id: jti,
  provider: sub,
  verifier: isText(v) ? v : '',
  browserHash: isText(b) ? b : '',
  ...(isText(o) && { origin: o }),
  ...(isText(u) && { userCode: u }),
  ...(isText(c) && { connectTo: c }),
})

const isText = (claim: unknown): claim is string => typeof claim === 'string'

const BROWSER_COOKIE = 'oauth_browser'
const BROWSER_COOKIE_PATH = '/api/auth/oauth'

const browserCookie = (cookie: CookieAt) =>
  cookie(BROWSER_COOKIE, BROWSER_COOKIE_PATH, STATE_SECONDS)

/**
 * Sets the cookie that ties a callback to the browser that began the sign-in, against login CSRF. An
 * existing value stays, because another tab may use it.
 */
export const setBrowserId = (cookie: CookieAt): string => {
  const browser = browserCookie(cookie)
  const existing = /^[\w-]{43}$/.test(browser.value ?? '') ? browser.value : undefined
  const value = existing ?? createSecret()
  browser.set(value)
  return value
}

export const readBrowserId = (cookie: CookieAt): string | undefined => browserCookie(cookie).value
