import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface AreaLink {
  to: string
  label: string
  badge?: ReactNode
  /** For a screen whose address is the start of the others. */
  isExact?: boolean
}

interface AreaNavigationProps {
  /** The name of the area. */
  label: string
  links: readonly AreaLink[]
  /** The current screen. */
  children: ReactNode
}

/** The links of an area from its labels by the addresses of screens below that of the area. */
export const areaLinks = (path: string, screens: Readonly<Record<string, string>>): AreaLink[] =>
  Object.entries(screens).map(([screen, label]) => ({ to: `${path}/${screen}`, label }))

/** The screens of an area: links beside the screen, or above it where there is no room. */
export const AreaNavigation = ({ label, links, children }: AreaNavigationProps) => (
  <div className="area">
    <nav className="area-links" aria-label={label}>
      {links.map(({ to, label: text, badge, isExact = false }) => (
        <Link
          key={to}
          to={to}
          className="area-link"
          activeOptions={{ exact: isExact, includeSearch: false }}
        >
          {text}
          {badge}
        </Link>
      ))}
    </nav>
    <div className="area-screen">{children}</div>
  </div>
)
