import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { BASE_PATH } from '../base.ts'
import type { Waiting } from '../feature.ts'
import { features } from '../features.ts'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/token.ts'
import { common } from '../texts/common.ts'
import { shell } from '../texts/shell.ts'
import { Icon, Mark } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { setWaiting } from '../ui/title.ts'
import { notifyError } from '../ui/toast.tsx'
import { ADMIN, AREAS } from './areas.ts'
import { PaletteButton } from './palette-button.tsx'
import { setTheme, THEMES, useTheme } from './theme.ts'
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

/** Who is signed in, with settings, theme and sign-out. */
const AccountMenu = () => {
  const navigate = useNavigate()
  const user = useMe()
  return (
    <div className="shell-account">
      <Menu
        label={shell.account}
        trigger={
          <AriaButton className="button quiet grow" aria-label={user?.email ?? common.loading}>
            <Icon name="user" />
            <span className="truncate">{user?.email ?? common.loading}</span>
          </AriaButton>
        }
        choice={{
          label: shell.theme,
          icon: 'sun',
          value: useTheme(),
          options: THEMES.map((id) => ({ id, label: shell.themes[id] })),
          onChange: setTheme,
        }}
        actions={[
          {
            label: shell.settings,
            icon: 'settings',
            onAction: () => void navigate({ to: '/settings' }),
          },
          {
            label: shell.reference,
            icon: 'external',
            onAction: () => location.assign(`${BASE_PATH}/api/docs`),
          },
          {
            label: shell.signOut,
            icon: 'sign_out',
            onAction: () => void signOut().catch(notifyError),
          },
        ]}
      />
    </div>
  )
}
