import { Link, Outlet } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useLiveUpdates } from '../session/live.ts'
import { useWorkspaceSwitches } from '../session/workspace.ts'
import { shell } from '../texts/shell.ts'
import { IconButton } from '../ui/button.tsx'
import { Mark } from '../ui/icon.tsx'
import { Toasts } from '../ui/toast.tsx'
import { useDesktopNotifications } from './desktop-notifications.ts'
import { ImpersonationNotice } from './impersonation-notice.tsx'
import { Navigation } from './navigation.tsx'
import { PaletteButton, Palettes } from './palette-button.tsx'
import { UnreachableNotice } from './unreachable-notice.tsx'

/** The frame of every screen: navigation beside it, or in a drawer on narrow screens. */
export const Shell = () => {
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const switches = useWorkspaceSwitches()
  useLiveUpdates()
  useDesktopNotifications()
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {shell.skip}
      </a>
      <Navigation />
      <header className="shell-topbar">
        <Link to="/" className="shell-brand">
          <Mark />
          svc
        </Link>
        <div className="row">
          <PaletteButton isSmall />
          <IconButton
            icon="menu"
            label={shell.openNavigation}
            onPress={() => setDrawerOpen(true)}
          />
        </div>
      </header>
      <ModalOverlay
        className="drawer-overlay"
        isOpen={isDrawerOpen}
        onOpenChange={setDrawerOpen}
        isDismissable
      >
        <Modal className="drawer">
          <Dialog aria-label={shell.navigation}>
            <Navigation onNavigate={() => setDrawerOpen(false)} />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <main className="shell-main" id="content">
        <ImpersonationNotice />
        <UnreachableNotice />
        <Outlet key={switches} />
      </main>
      <Toasts />
      <Palettes />
    </div>
  )
}
