import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { OneOf } from './contract/common.ts'
import { OrgPolicyRefusal } from './contract/organization-policies.ts'
import { Tier } from './contract/usage.ts'
import { errorText } from './error-text.ts'
import { FEATURES } from './tiers.ts'

export { errorText }

/** One failing field of a 422. `type` is an error type of pydantic. */
export const FieldError = Type.Object({
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  type: Type.String({ examples: ['missing', 'string_type', 'uuid_parsing'] }),
})
export type FieldError = Static<typeof FieldError>

/** The detail of a 403 for a caller whose email address is not verified. */
export const EmailNotVerified = Type.Object({
  error: Type.Literal('email_not_verified'),
  message: Type.String(),
})

const upgrade_url = Type.String({ description: 'A page that compares the tiers.' })

/** The detail of a 403 for a tier that is too low. */
export const TierInsufficient = Type.Object({
  error: Type.Literal('tier_insufficient'),
  current_tier: Tier,
  required_tier: Tier,
  upgrade_url,
})
export type TierInsufficient = Static<typeof TierInsufficient>

/** The detail of a 403 for a feature that the tier does not include. */
export const FeatureGateDenied = Type.Object({
  error: Type.Literal('feature_gate_denied'),
  feature: OneOf(FEATURES),
  current_tier: Tier,
  recommended_tier: Tier,
  upgrade_url,
})
export type FeatureGateDenied = Static<typeof FeatureGateDenied>

/** The detail of a 429 for an exceeded monthly quota. */
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

const creditFields = {
  message: Type.String(),
  balance_credits: Type.Number(),
  balance_usd: Type.Number(),
  required_credits: Type.Number({ description: 'The credits that the request costs.' }),
  current_tier: Tier,
  recommended_tier: Tier,
  upgrade_url,
}

/** The detail of a 429 for pay as you go without enough credits. */
export const CreditsDepleted = Type.Object({
  error: Type.Literal('credits_depleted'),
  ...creditFields,
})
export type CreditsDepleted = Static<typeof CreditsDepleted>

/** The detail of a 429 for pay as you go at the spending cap of the user. */
export const SpendCapReached = Type.Object({
  error: Type.Literal('spend_cap_reached'),
  cap_usd: Type.Number(),
  spent_usd: Type.Number({ description: 'Spent in this calendar month.' }),
  ...creditFields,
})
export type SpendCapReached = Static<typeof SpendCapReached>

/** The reasons of a 429 for a monthly limit. */
export const OVER_QUOTA = ['quota_exceeded', 'credits_depleted', 'spend_cap_reached'] as const

const overQuota = [QuotaExceeded, CreditsDepleted, SpendCapReached] as const

/** The body of a 429 for a monthly limit. */
export const OverQuota = Type.Object(
  { detail: Type.Union([...overQuota]) },
  { $id: 'OverQuotaError' },
)

/** The body of a 429 of `/api/url`. It has no `detail`. */
export const RateLimitedBody = Type.Object({
  error: Type.Literal('rate_limited'),
  retry_after: Type.Integer({ description: 'Seconds, as in the header `Retry-After`.' }),
  method: Type.String({ examples: ['POST'] }),
})

/** A message that exceeds the monthly limit, or whose model failed, is unavailable or timed out. */
export const ANSWER_ERRORS = {
  429: OVER_QUOTA,
  502: ['model_failed'],
  503: ['model_unavailable'],
  504: ['model_timed_out'],
} as const

const TextDetail = Type.Object({ detail: Type.String() }, { $id: 'ApiError' })

/** The body of each error status, for the API description. */
export const errorBodies: Record<number, { description: string; schema: TSchema }> = {
  400: { description: 'The input was rejected', schema: TextDetail },
  401: { description: 'The credential is missing, invalid or expired', schema: TextDetail },
  402: { description: 'The organization has no free seat', schema: TextDetail },
  403: {
    description: 'The caller is not allowed to do this',
    schema: Type.Object(
      {
        detail: Type.Union([
          ...[Type.String(), EmailNotVerified, TierInsufficient, FeatureGateDenied],
          OrgPolicyRefusal,
        ]),
      },
      { $id: 'ForbiddenError' },
    ),
  },
  404: { description: 'The object does not exist or belongs to another user', schema: TextDetail },
  409: { description: 'The request conflicts with the current state', schema: TextDetail },
  410: { description: 'The token or code has expired or was already used', schema: TextDetail },
  413: { description: 'The body is too large', schema: TextDetail },
  415: { description: 'The body is compressed', schema: TextDetail },
  422: {
    description: 'Validation failed; the body lists every failing field',
    schema: Type.Object({ detail: Type.Array(FieldError) }, { $id: 'ValidationError' }),
  },
  429: {
    description: 'A rate limit, quota or credit limit was exceeded',
    schema: Type.Object(
      { detail: Type.Union([Type.String(), ...overQuota]) },
      { $id: 'TooManyRequestsError' },
    ),
  },
  500: {
    description: 'Unexpected error',
    schema: Type.Object(
      { detail: Type.Literal(errorText.internal), path: Type.String() },
      { $id: 'InternalError' },
    ),
  },
  502: { description: 'An upstream server failed', schema: TextDetail },
  503: {
    description: 'A dependency is not ready; see /api/health/detail',
    schema: Type.Object(
      { detail: Type.Union([Type.String(), Type.Object({})]) },
      { $id: 'UnavailableError' },
    ),
  },
  504: { description: 'An upstream server timed out', schema: TextDetail },
}
