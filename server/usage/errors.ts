import type {
  CreditsDepleted,
  FeatureGateDenied,
  QuotaExceeded,
  SpendCapReached,
  TierInsufficient,
} from '../../shared/errors.ts'
import { defineErrors } from '../platform/http/error.ts'

export const usageError = defineErrors({
  tier_insufficient: (detail: TierInsufficient) => ({ status: 403, detail: { ...detail } }),
  feature_gate_denied: (detail: FeatureGateDenied) => ({ status: 403, detail: { ...detail } }),
  quota_exceeded: (detail: QuotaExceeded) => ({ status: 429, detail: { ...detail } }),
  credits_depleted: (detail: CreditsDepleted) => ({ status: 429, detail: { ...detail } }),
  spend_cap_reached: (detail: SpendCapReached) => ({ status: 429, detail: { ...detail } }),
  billed_user_not_found: { status: 404, detail: 'User not found' },
})
