import type { TierFeature, TierName } from '../../shared/tiers.ts'
import type { Caller } from '../platform/http/caller.ts'
import { usageError } from './errors.ts'
import type { TierCatalog } from './tiers.ts'

type Tiered = { me: Pick<Caller['me'], 'tier'> }

export type Gates = ReturnType<typeof createGates>

/** Rejects callers whose tier does not include what they request. payg passes as the highest tier does. */
export const createGates = (tiers: TierCatalog, upgradeUrl: string) => {
  /** @throws ApiError 403 `tier_insufficient` for a lower tier. */
  const requireTier = ({ me }: Tiered, required: TierName): void => {
    if (tiers.reaches(me.tier, required)) return
    throw usageError('tier_insufficient', {
      error: 'tier_insufficient',
      current_tier: me.tier,
      required_tier: required,
      upgrade_url: upgradeUrl,
    })
  }

  return {
    requireTier,

    /** The lowest tier with a feature. */
    lowestWith: tiers.lowestWith,

    /** @throws ApiError 403 `feature_gate_denied` for a tier without the feature. */
    requireFeature({ me }: Tiered, feature: TierFeature): void {
      if (tiers.of(me.tier).features.includes(feature)) return
      throw usageError('feature_gate_denied', {
        error: 'feature_gate_denied',
        feature,
        current_tier: me.tier,
        recommended_tier: tiers.lowestWith(feature),
        upgrade_url: upgradeUrl,
      })
    },

    /** The contract rejects a recall depth by tier, not by feature. @throws as `requireTier`. */
    requireDepth(caller: Tiered, depth: 'quick' | 'deep' | 'sage'): void {
      if (depth === 'quick' || tiers.of(caller.me.tier).features.includes(depth)) return
      requireTier(caller, tiers.lowestWith(depth))
    },
  }
}
