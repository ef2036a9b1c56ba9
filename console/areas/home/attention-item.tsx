import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'

interface AttentionItemProps {
  icon: IconName
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  error?: Error | null
}

export const AttentionItem = ({ icon, title, children, actions, error }: AttentionItemProps) => (
  <li className="home-item">
    <Icon name={icon} />
    <div className="home-item-text">
      <p className="home-item-title">{title}</p>
      {children}
      {error && <ErrorNotice error={error} />}
    </div>
    {actions && <div className="row">{actions}</div>}
  </li>
)
