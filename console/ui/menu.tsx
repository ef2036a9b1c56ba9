import type { ReactElement } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'

export interface MenuAction {
  /** Distinguishes actions with the same label. Default: the label. */
  key?: string
  label: string
  icon?: IconName
  onAction: () => void
  isDanger?: boolean
  isDisabled?: boolean
}

interface MenuProps {
  /** The name of the menu. */
  label: string
  /** The button that opens the menu. */
  trigger: ReactElement
  actions: readonly MenuAction[]
}

export const Menu = ({ label, trigger, actions }: MenuProps) => (
  <MenuTrigger>
    {trigger}
    <Popover className="popover">
      <AriaMenu className="menu" aria-label={label}>
        {actions.map((action) => (
          <MenuItem
            key={action.key ?? action.label}
            id={action.key ?? action.label}
            textValue={action.label}
            className={action.isDanger ? 'menu-item danger' : 'menu-item'}
            isDisabled={action.isDisabled ?? false}
            onAction={action.onAction}
          >
            {action.icon && <Icon name={action.icon} />}
            <bdi className="menu-label">{action.label}</bdi>
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)
