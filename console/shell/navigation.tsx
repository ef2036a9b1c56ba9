import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Waiting } from '../feature.ts'
import { features } from '../features.ts'
import { useMe } from '../session/me.ts'
import { shell } from '../texts/shell.ts'
import { Icon, Mark } from '../ui/icon.tsx'
import { setWaiting } from '../ui/title.ts'
import { AccountMenu } from './account-menu.tsx'
import { ADMIN, AREAS } from './areas.ts'
import { PaletteButton } from './palette-button.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

const MOST_SHOWN = 99

/** A number of matters that wait, with its meaning for assistive technology. */
const Badge = ({ waiting: { to, useNumber, text } }: { waiting: Waiting }) => {
  const number = useNumber()
  useEffect(() => setWaiting(to, number), [to, number])
  if (!number) return null
  return (
    <span className="badge accent">
      <span aria-hidden="true">{number > MOST_SHOWN ? `${MOST_SHOWN}+` : number}</span>
      <span className="visually-hidden">{text(number)}</span>
    </span>
  )
}

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
      <PaletteButton onOpen={onNavigate} />
      <ul className="shell-links">
        {[...AREAS, ...(user?.is_admin ? [ADMIN] : [])].map(({ to, label, icon, isFirst }) => (
          <li key={to} className={isFirst ? 'begins' : undefined}>
            <Link
              to={to}
              className="shell-link"
              activeOptions={{ exact: to === '/' }}
              {...(onNavigate && { onClick: onNavigate })}
            >
              <Icon name={icon} />
              {label}
              {features.map(
                ({ name, waiting }) => waiting?.to === to && <Badge key={name} waiting={waiting} />,
              )}
            </Link>
          </li>
        ))}
      </ul>
      <AccountMenu />
    </nav>
  )
}
