import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'

interface AttentionItemProps {
  icon: IconName
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
}

export const AttentionItem = ({ icon, title, children, actions }: AttentionItemProps) => (
  <li className="home-item">
    <Icon name={icon} />
    <div className="home-item-text">
      <p className="home-item-title">{title}</p>
      {children}
    </div>
    {actions && <div className="row">{actions}</div>}
  </li>
)
