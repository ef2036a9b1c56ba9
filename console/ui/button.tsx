import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  children: ReactNode
  icon?: IconName
  /** `primary` for the main action of a place, `danger` for one that deletes. */
  look?: 'primary' | 'danger' | 'quiet' | 'danger primary'
  isSmall?: boolean
}

export const Button = ({ children, icon, look, isSmall, ...props }: ButtonProps) => (
  <AriaButton {...props} className={['button', look, isSmall && 'small'].filter(Boolean).join(' ')}>
    {icon && <Icon name={icon} />}
    {children}
  </AriaButton>
)

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> {
  icon: IconName
  /** Its name for assistive technology, also shown as a tooltip. */
  label: string
}

export const IconButton = ({ icon, label, look = 'quiet', isSmall, ...props }: IconButtonProps) => (
  <TooltipTrigger delay={400}>
    <AriaButton
      {...props}
      aria-label={label}
      className={['button icon', look, isSmall && 'small'].filter(Boolean).join(' ')}
    >
      <Icon name={icon} />
    </AriaButton>
    <Tooltip className="tooltip" offset={6}>
      {label}
    </Tooltip>
  </TooltipTrigger>
)
