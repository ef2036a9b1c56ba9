import type { Trust } from '../../../shared/contract/memories.ts'
import type { OrgPolicyRefusal } from '../../../shared/contract/organization-policies.ts'
import type { Scope } from '../../../shared/contract/scopes.ts'
import type { Me } from '../../../shared/contract/sessions.ts'

/** A passkey replaces a code, and not the reverse. */
export type SecondFactor = 'code' | 'passkey'

/** How a credential came about, which the policies of organizations compare. */
export interface Proof {
  kind: 'session' | 'key' | 'app'
  /** How the user signed in; null for an API key, and for a session from before that was recorded. */
  method: string | null
  /** The second factor that the user proved in the session. */
  secondFactor: SecondFactor | null
  signedInAt: Date
  /** Null: all. */
  scopes: Scope[] | null
  /** Whether it is an API key of the user, which no organization has approved. */
  isPersonalKey?: boolean
}

/** The user (and organization) that a request acts for. */
export interface Caller {
  userId: string
  /** The owner of the memories that the request reads and writes: the user or the organization. */
  ownerId: string
  /** The session of an access token. */
  sessionId: string | null
  /** The id of the request's API key. */
  keyId: string | null
  /** Whether an admin uses the session. */
  isImpersonated?: boolean
  /** The name of the API key or of the authorized app, or of an admin; none for a session of the user. */
  client?: string
  /**
   * Whether the credential belongs to an organization: an API key or a grant of it. It has no access to
   * the personal memories of the user.
   */
  isForOrg?: boolean
  /** Everything that the credential may do. Default: all. */
  scopes?: Scope[]
  /** Absent for an admin who uses the account. */
  proof?: Proof
  /** The refusal of requests that use the organization, if the credential falls short of its policies. */
  refusal?: OrgPolicyRefusal
  /** Whether an app of another party acts, which may use only endpoints of its scopes. */
  isApp?: boolean
  /** Whom the texts of the request come from at best. Default: the user. */
  trust?: Trust
  /** The trust of the memories that the request may read. Default: all of them. */
  minTrust?: Trust
  /** IANA name of the user's time zone, for dates and times of day. Default: UTC. */
  timezone: string
  /** The response of `GET /api/me`. */
  me: Me
}

/**
 * Finds the caller of a credential. `org` is the value of `X-Org-ID`.
 * Throws ApiError 401 for an invalid credential, 403 if the user is not a member of the organization, or for a
 * key that is not allowed from the `address` of the client.
 */
export interface Authenticate {
  apiKey(key: string, org: string | null, address: () => string): Promise<Caller>
  accessToken(token: string, org: string | null): Promise<Caller>
  /** The refresh cookie, without rotating it. */
  cookie(value: string | undefined): Promise<Caller>
  /**
   * Compares the credential with the policies of an organization that the request names.
   * @throws ApiError 403 `org_policy`.
   */
  checkPolicies(caller: Caller, orgId: string): Promise<void>
  /** Stores the time zone of `X-Timezone` and returns the caller with it. Ignores unknown names. */
  inTimezone(caller: Caller, timezone: string): Promise<Caller>
}

/**
 * The callers of requests that the server sends to itself after it has authenticated them. The request
 * object is the proof, so no client can forge such a request.
 */
const callers = new WeakMap<Request, Caller>()

/** Sets the caller of an internal request, for endpoints with the credential `bearer`. */
export const internalRequest = (request: Request, caller: Caller): Request => {
  callers.set(request, caller)
  return request
}

export const internalCaller = (request: Request): Caller | undefined => callers.get(request)
