import { Link, Outlet } from '@tanstack/react-router'

interface SideNavigationProps {
  /** The name of the area. */
  label: string
  /** The address of the area. */
  path: string
  /** The labels of the screens by their addresses below that of the area. */
  screens: Readonly<Record<string, string>>
}

/** An area with more screens than fit in a row: links beside the screen, or above it on narrow screens. */
export const SideNavigation = ({ label, path, screens }: SideNavigationProps) => (
  <div className="side-layout">
    <nav className="side-nav" aria-label={label}>
      {Object.entries(screens).map(([screen, text]) => (
        <Link
          key={screen}
          to={`${path}/${screen}` as string}
          className="side-link"
          activeOptions={{ includeSearch: false }}
        >
          {text}
        </Link>
      ))}
    </nav>
    <div className="side-content">
      <Outlet />
    </div>
  </div>
)
