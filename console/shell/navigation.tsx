import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMe } from '../session/me.ts'
import { useWaiting } from '../session/waiting.ts'
import { shell } from '../texts/shell.ts'
import { Icon, Mark } from '../ui/icon.tsx'
import { setWaiting } from '../ui/title.ts'
import { AccountMenu } from './account-menu.tsx'
import { ADMIN, AREAS } from './areas.ts'
import { PaletteButton } from './palette-button.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

const MOST_SHOWN = 99

/** A number of matters that wait, with its meaning for assistive technology. */
const Badge = ({ of }: { of: [number: number, text: string] | undefined }) => {
  const [number, text] = of ?? [0, '']
  if (!number) return null
  return (
    <span className="badge accent">
      <span aria-hidden="true">{number > MOST_SHOWN ? `${MOST_SHOWN}+` : number}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  )
}

/** @param onNavigate closes the drawer on narrow screens. */
export const Navigation = ({ onNavigate }: { onNavigate?: () => void }) => {
  const user = useMe()
  const { messages, decisions } = useWaiting()
  useEffect(() => setWaiting(messages + decisions), [messages, decisions])
  const badges: Readonly<Record<string, [number: number, text: string]>> = {
    '/people': [messages, shell.unread(messages)],
    '/automation': [decisions, shell.decisions(decisions)],
  }
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
              <Badge of={badges[to]} />
            </Link>
          </li>
        ))}
      </ul>
      <AccountMenu />
    </nav>
  )
}
