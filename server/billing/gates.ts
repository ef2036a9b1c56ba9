import type { FeatureGateDenied, TierInsufficient } from '../../shared/errors.ts'
import type { Feature, TierName } from '../../shared/schemas/billing.ts'
import type { Caller } from '../platform/http/caller.ts'
import { ApiError } from '../platform/http/error.ts'
import type { Tiers } from './tiers.ts'

type Tiered = { me: Pick<Caller['me'], 'tier'> }

export type Gates = ReturnType<typeof createGates>

/** What only some tiers open (contract 7.4). Whoever pays as they go passes as the highest tier does. */
export const createGates = (tiers: Tiers, upgradeUrl: string) => {
  /** @throws ApiError 403 `tier_insufficient` for a lower tier. */
  const requireTier = ({ me }: Tiered, required: TierName): void => {
    if (tiers.reaches(me.tier, required)) return
    const detail: TierInsufficient = {
      error: 'tier_insufficient',
      current_tier: me.tier,
      required_tier: required,
      upgrade_url: upgradeUrl,
    }
    throw new ApiError(403, { ...detail })
  }

  return {
    requireTier,

    /** @throws ApiError 403 `feature_gate_denied` for a tier without the feature. */
    requireFeature({ me }: Tiered, feature: Feature): void {
      if (tiers.of(me.tier).features.includes(feature)) return
      const detail: FeatureGateDenied = {
        error: 'feature_gate_denied',
        feature,
        current_tier: me.tier,
        recommended_tier: tiers.lowestWith(feature),
        upgrade_url: upgradeUrl,
      }
      throw new ApiError(403, { ...detail })
    },

    /** How deep a conversation may recall: by tier, as the contract tells it. @throws as `requireTier`. */
    requireDepth(caller: Tiered, depth: 'quick' | 'deep' | 'sage'): void {
      if (depth === 'quick' || tiers.of(caller.me.tier).features.includes(depth)) return
      requireTier(caller, tiers.lowestWith(depth))
    },
  }
}
