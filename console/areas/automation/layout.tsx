import { Outlet } from '@tanstack/react-router'
import { listConfirmations } from '../../../shared/contract/confirmations.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { automation } from '../../texts/automation.ts'
import { AreaNavigation } from '../../ui/area-navigation.tsx'

/** How soon a new confirmation appears. */
const REFRESH_MS = 10_000

export const AutomationLayout = () => {
  const isVerified = useMe()?.email_verified === true
  const waiting = useApi(listConfirmations, {}, { enabled: isVerified, pollMs: REFRESH_MS }).data
  const links = [
    { to: '/automation/reflexes', label: automation.reflexes },
    { to: '/automation/devices', label: automation.devices },
    {
      to: '/automation/confirmations',
      label: automation.confirmations,
      badge: waiting?.length ? <span className="badge accent">{waiting.length}</span> : null,
    },
    { to: '/automation/inbox', label: automation.inbox },
    { to: '/automation/identity', label: automation.identity },
  ]
  return (
    <AreaNavigation label={automation.title} links={links}>
      <Outlet />
    </AreaNavigation>
  )
}
