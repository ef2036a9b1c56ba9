import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { FEATURES, Tier } from './schemas/billing.ts'
import { OneOf } from './schemas/common.ts'

/** The strings a client may compare with (contract, section 7). */
export const errorText = {
  invalidKey: 'Invalid API key',
  badCredentials: 'Could not validate credentials',
  tokenExpired: 'Token expired',
  tooManyRequests: 'Too many requests. Please try again later.',
  notFound: 'Not Found',
  internal: 'Internal server error',
  adminOnly: 'Admin access required',
  notOrgMember: 'Not a member of this organization',
} as const

/** One failing field of a 422 (contract 7.3); `type` is one of pydantic's words. */
export const FieldError = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  type: Type.String({ examples: ['missing', 'string_type', 'uuid_parsing'] }),
})
export type FieldError = Static<typeof FieldError>

/** The detail of a 403 for a caller whose email address is not verified (contract 7.4). */
export const EmailNotVerified = Type.Object({
  error: Type.Literal('email_not_verified'),
  message: Type.String(),
})

const upgrade_url = Type.String({ description: 'A page that tells what each tier opens.' })

/** The detail of a 403 for a tier that is too low (contract 7.4). */
export const TierInsufficient = Type.Object({
  error: Type.Literal('tier_insufficient'),
  current_tier: Tier,
  required_tier: Tier,
  upgrade_url,
})
export type TierInsufficient = Static<typeof TierInsufficient>

/** The detail of a 403 for a feature that the tier does not have (contract 7.4). */
export const FeatureGateDenied = Type.Object({
  error: Type.Literal('feature_gate_denied'),
  feature: OneOf(FEATURES),
  current_tier: Tier,
  recommended_tier: Tier,
  upgrade_url,
})
export type FeatureGateDenied = Static<typeof FeatureGateDenied>

/** The detail of a 429 for a month's quota that is used up (contract 7.5). */
export const QuotaExceeded = Type.Object({
  error: Type.Literal('quota_exceeded'),
  message: Type.String(),
  quota: Type.Object({
    used: Type.Integer(),
    limit: Type.Integer(),
    remaining: Type.Integer(),
  }),
  current_tier: Tier,
  recommended_tier: Tier,
  upgrade_url,
})
export type QuotaExceeded = Static<typeof QuotaExceeded>

const unpaid = {
  message: Type.String(),
  balance_credits: Type.Number(),
  balance_usd: Type.Number(),
  required_credits: Type.Number({ description: 'What the request would have taken.' }),
  current_tier: Tier,
  recommended_tier: Tier,
  upgrade_url,
}

/** The detail of a 429 for pay as you go without enough credits (contract 7.5). */
export const CreditsDepleted = Type.Object({ error: Type.Literal('credits_depleted'), ...unpaid })
export type CreditsDepleted = Static<typeof CreditsDepleted>

/** The detail of a 429 for pay as you go at the cap that the person has set (contract 7.5). */
export const SpendCapReached = Type.Object({
  error: Type.Literal('spend_cap_reached'),
  cap_usd: Type.Number(),
  spent_usd: Type.Number({ description: 'This month.' }),
  ...unpaid,
})
export type SpendCapReached = Static<typeof SpendCapReached>

const overQuota = [QuotaExceeded, CreditsDepleted, SpendCapReached] as const

/** The body of a 429 of what is counted each month. */
export const OverQuota = Type.Object({ detail: Type.Union([...overQuota]) })

/** The whole body of a 429 of `/api/url`: it has no `detail` (contract 7.5). */
export const RateLimitedBody = Type.Object({
  error: Type.Literal('rate_limited'),
  retry_after: Type.Integer({ description: 'Seconds; the same as the header Retry-After.' }),
  method: Type.String({ examples: ['POST'] }),
})

/** What a request is answered that no model answered: it failed, cannot be asked now, or took too long. */
export const MODEL_ERRORS = [502, 503, 504] as const

const Plain = Type.Object({ detail: Type.String() })

/** The body of each error status, for the API description. */
export const errorBodies: Record<number, { description: string; schema: TSchema }> = {
  400: { description: 'Input explicitly rejected', schema: Plain },
  401: { description: 'Missing, invalid or expired credentials', schema: Plain },
  402: { description: 'No seat is left in the organization', schema: Plain },
  403: {
    description: 'Authenticated but not allowed',
    schema: Type.Object({
      detail: Type.Union([Type.String(), EmailNotVerified, TierInsufficient, FeatureGateDenied]),
    }),
  },
  404: { description: 'Absent, or not the caller’s', schema: Plain },
  409: { description: 'Conflict with what is there', schema: Plain },
  410: { description: 'Expired or already consumed', schema: Plain },
  413: { description: 'Body too large', schema: Plain },
  422: {
    description: 'Validation failed; every failing field is listed',
    schema: Type.Object({ detail: Type.Array(FieldError) }),
  },
  429: {
    description: 'Too many requests, or more than the tier or the credits allow',
    schema: Type.Object({ detail: Type.Union([Type.String(), ...overQuota]) }),
  },
  500: {
    description: 'Uncaught error',
    schema: Type.Object({ detail: Type.Literal(errorText.internal), path: Type.String() }),
  },
  502: { description: 'Another server did not give what was asked of it', schema: Plain },
  503: {
    description: 'A dependency is not ready; the health report says which',
    schema: Type.Object({ detail: Type.Union([Type.String(), Type.Object({})]) }),
  },
  504: { description: 'Another server took too long', schema: Plain },
}
