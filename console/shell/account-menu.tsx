import { useNavigate } from '@tanstack/react-router'
import { Button as AriaButton } from 'react-aria-components'
import { BASE_PATH } from '../base.ts'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/token.ts'
import { common } from '../texts/common.ts'
import { shell } from '../texts/shell.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { notifyError } from '../ui/toast.tsx'
import { setTheme, THEMES, useTheme } from './theme.ts'

/** Who is signed in, with settings, theme and sign-out. */
export const AccountMenu = () => {
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
