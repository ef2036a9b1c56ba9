import type { ComponentProps, ReactNode } from 'react'

interface ScrollRegionProps extends Pick<ComponentProps<'section'>, 'ref' | 'onScroll'> {
  /** The name of the region. */
  label: string
  /** Default: that of a table. */
  className?: string
  children: ReactNode
}

/**
 * A part of the page that scrolls by itself, such as a wide table. A region that scrolls must be reachable by keyboard (axe-core:
 * scrollable-region-focusable).
 */
export const ScrollRegion = ({
  label,
  className = 'table-scroll',
  children,
  ...props
}: ScrollRegionProps) => (
  <section {...props} className={className} aria-label={label} tabIndex={0}>
    {children}
  </section>
)
