import type { Me } from '../../../shared/schemas/account.ts'

/** Who a request comes from, as the account domain found out. */
export interface Caller {
  userId: string
  /** Whose memories the request is about: the person's own, or those of the organization it acts in. */
  ownerId: string
  /** The session of an access token. */
  sessionId: string | null
  /** The id of the API key that was sent. */
  keyId: string | null
  /**
   * Whether the credential is for an organization alone: a key of it, or a program that was let in for
   * it. Whoever has it is told nothing that the person alone remembers.
   */
  isForOrg?: boolean
  /** The time zone they are in: their days and hours are those of its clocks. UTC until one is named. */
  timezone: string
  /** What `GET /api/me` answers. */
  me: Me
}

/**
 * Finds who a credential belongs to, and which organization they act in: `org` is what `X-Org-ID`
 * names. Throws ApiError 401 for one that is not good, 403 for an organization they are not in.
 */
export interface Authenticate {
  apiKey(key: string, org: string | null): Promise<Caller>
  accessToken(token: string, org: string | null): Promise<Caller>
  /** The refresh cookie, without rotating it. */
  cookie(value: string | undefined): Promise<Caller>
  /** Takes note of the time zone that `X-Timezone` names; what is none is passed over. @returns them, there. */
  inTimezone(caller: Caller, named: string): Promise<Caller>
}
