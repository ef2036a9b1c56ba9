import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

interface SubNavigationProps {
  /** The name of the area. */
  label: string
  /** `isExact` for a screen whose address is the start of the others. */
  links: readonly { to: string; label: string; badge?: ReactNode; isExact?: boolean }[]
}

/** The screens of an area, above each of them. On narrow screens the current one scrolls into view. */
export const SubNavigation = ({ label, links }: SubNavigationProps) => {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current="page"]')
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [pathname])
  return (
    <nav className="tabs-list sub-navigation" aria-label={label} ref={nav}>
      {links.map(({ to, label: text, badge, isExact = false }) => (
        <Link key={to} to={to} activeOptions={{ exact: isExact, includeSearch: false }}>
          {text}
          {badge}
        </Link>
      ))}
    </nav>
  )
}
