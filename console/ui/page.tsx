import { type ReactNode, useEffect, useRef } from 'react'
import { useFocusRecovery } from './focus-recovery.ts'
import { setTitle } from './title.ts'

/** A field with `autoFocus` gets the focus within two frames (react-aria), and keeps it. */
const AUTOFOCUS_MS = 50

interface PageProps {
  title: string
  /** Names the tab of the browser, where many screens have the same title. Default: the title. */
  tabTitle?: string | undefined
  /** A sentence below the title. */
  intro?: ReactNode
  actions?: ReactNode
  isWide?: boolean
  children: ReactNode
}

/**
 * A screen: its title names the document, and receives the focus when the user arrives, so that screen
 * readers announce the new place.
 */
export const Page = ({ title, tabTitle = title, intro, actions, isWide, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    setTitle(tabTitle)
  }, [tabTitle])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (!document.activeElement?.closest('main, .modal')) heading.current?.focus()
    }, AUTOFOCUS_MS)
    return () => clearTimeout(timer)
  }, [])
  useFocusRecovery(heading)
  return (
    <div className={isWide ? 'page wide' : 'page'}>
      <div className="page-header">
        <div className="grow">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro && <p className="quiet">{intro}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </div>
      {children}
    </div>
  )
}
