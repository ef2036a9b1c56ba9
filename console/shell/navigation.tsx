import { Link } from '@tanstack/react-router'
import { useMe } from '../session/me.ts'
import { shell } from '../texts/shell.ts'
import { Icon, type IconName, Mark } from '../ui/icon.tsx'
import { AccountMenu } from './account-menu.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

interface Area {
  to: string
  label: string
  icon: IconName
}

const { areas } = shell

const AREAS: readonly Area[] = [
  { to: '/', label: areas.home, icon: 'home' },
  { to: '/activity', label: areas.activity, icon: 'activity' },
  { to: '/memories', label: areas.memories, icon: 'memory' },
  { to: '/graph', label: areas.graph, icon: 'graph' },
  { to: '/chat', label: areas.chat, icon: 'chat' },
  { to: '/connect', label: areas.connect, icon: 'connect' },
  { to: '/people', label: areas.people, icon: 'people' },
  { to: '/automation', label: areas.automation, icon: 'automation' },
  { to: '/usage', label: areas.billing, icon: 'billing' },
  { to: '/settings', label: areas.settings, icon: 'settings' },
]

const ADMIN: Area = { to: '/admin', label: areas.admin, icon: 'admin' }

/** @param onNavigate closes the drawer on narrow screens. */
export const Navigation = ({ onNavigate }: { onNavigate?: () => void }) => {
  const user = useMe()
  return (
    <nav className="shell-nav" aria-label={shell.navigation}>
      <Link to="/" className="shell-brand" {...(onNavigate && { onClick: onNavigate })}>
        <Mark />
        svc
      </Link>
      <WorkspaceMenu onNavigate={onNavigate} />
      <ul className="shell-links">
        {[...AREAS, ...(user?.is_admin ? [ADMIN] : [])].map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              to={to}
              className="shell-link"
              activeOptions={{ exact: to === '/' }}
              {...(onNavigate && { onClick: onNavigate })}
            >
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <AccountMenu />
    </nav>
  )
}
