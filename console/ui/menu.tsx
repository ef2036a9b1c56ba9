import type { ReactElement } from 'react'
import {
  Menu as AriaMenu,
  Header,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from 'react-aria-components'
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

/** Values of which one is chosen and marked. */
export interface MenuChoice<T extends string = string> {
  label: string
  icon: IconName
  value: T
  options: readonly { id: T; label: string }[]
  onChange: (value: T) => void
}

interface MenuProps<T extends string> {
  /** The name of the menu. */
  label: string
  /** The button that opens the menu. */
  trigger: ReactElement
  actions: readonly MenuAction[]
  /** Shown above the actions. */
  choice?: MenuChoice<T>
}

export const Menu = <T extends string = string>({
  label,
  trigger,
  actions,
  choice,
}: MenuProps<T>) => (
  <MenuTrigger>
    {trigger}
    <Popover className="popover">
      <AriaMenu className="menu" aria-label={label}>
        {choice && (
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[choice.value]}
            onSelectionChange={(keys) => {
              const chosen = choice.options.find(({ id }) => keys !== 'all' && keys.has(id))
              if (chosen) choice.onChange(chosen.id)
            }}
          >
            <Header className="menu-heading">{choice.label}</Header>
            {choice.options.map((option) => (
              <MenuItem key={option.id} id={option.id} className="menu-item">
                <Icon name={option.id === choice.value ? 'check' : choice.icon} />
                <bdi className="menu-label">{option.label}</bdi>
              </MenuItem>
            ))}
          </MenuSection>
        )}
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
