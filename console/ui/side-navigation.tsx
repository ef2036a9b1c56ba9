import { Link, Outlet } from '@tanstack/react-router'

interface SideNavigationProps {
  /** The name of the area. */
  label: string
  links: readonly { to: string; label: string }[]
}

/** An area with more screens than fit in a row: links beside the screen, or above it on narrow screens. */
export const SideNavigation = ({ label, links }: SideNavigationProps) => (
  <div className="side-layout">
    <nav className="side-nav" aria-label={label}>
      {links.map(({ to, label: text }) => (
        <Link key={to} to={to} className="side-link" activeOptions={{ includeSearch: false }}>
          {text}
        </Link>
      ))}
    </nav>
    <div className="side-content">
      <Outlet />
    </div>
  </div>
)
