import type { Me } from '../../../shared/schemas/account.ts'

/** Who a request comes from, as the account domain found out. */
export interface Caller {
  userId: string
  /** The session of an access token. */
  sessionId: string | null
  /** The id of the API key that was sent. */
  keyId: string | null
  /** What `GET /api/me` answers. */
  me: Me
}

/** Finds who a credential belongs to. Throws ApiError 401 for one that is not good. */
export interface Authenticate {
  apiKey(key: string): Promise<Caller>
  accessToken(token: string): Promise<Caller>
  /** The refresh cookie, without rotating it. */
  cookie(value: string | undefined): Promise<Caller>
}
