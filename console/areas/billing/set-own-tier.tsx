import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { setUserTier } from '../../../shared/contract/admin.ts'
import type { Me } from '../../../shared/contract/sessions.ts'
import { TIER_NAMES, type TierName } from '../../../shared/tiers.ts'
import { useAction } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = billing.tiers
/** Removes the tier that an admin set. */
const NONE = 'none'
const OPTIONS = [
  ...TIER_NAMES.map((id) => ({ id, label: id })),
  { id: NONE, label: texts.noGrant },
] as const

/** An admin sets the own tier; that of others is set in the admin area. */
export const SetOwnTier = ({ user }: { user: Me }) => {
  const [chosen, setChosen] = useState<TierName | typeof NONE>(user.tier)
  const change = useAction(setUserTier, {
    onSuccess: ({ tier }) => notify(texts.wasSet(tier)),
  })
  return (
    <section className="card stack-small" aria-label={texts.ownTier}>
      <p>{texts.adminNote}</p>
      <div className="row billing-own-tier">
        <Select
          label={texts.ownTier}
          isLabelHidden
          options={OPTIONS}
          value={chosen}
          onChange={setChosen}
        />
        <Button
          isPending={change.isPending}
          onPress={() =>
            change.mutate({
              params: { user_id: user.id },
              body: { tier: chosen === NONE ? null : chosen },
            })
          }
        >
          {texts.set}
        </Button>
        <Link className="button quiet" to={'/admin/users' as string}>
          {texts.users}
        </Link>
      </div>
      {change.error && <ErrorNotice error={change.error} />}
    </section>
  )
}
