import { Link, Outlet } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useMutationOnce } from '../session/action.ts'
import { useLiveUpdates } from '../session/live.ts'
import { useMe } from '../session/me.ts'
import { queryClient } from '../session/query-client.ts'
import { useReachability } from '../session/reachability.ts'
import { endImpersonating } from '../session/token.ts'
import { useWorkspaceSwitches } from '../session/workspace.ts'
import { shell } from '../texts/shell.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Mark } from '../ui/icon.tsx'
import { formatDateTime } from '../ui/time.tsx'
import { notifyError, Toasts } from '../ui/toast.tsx'
import { useDesktopNotifications } from './desktop-notifications.ts'
import { Navigation } from './navigation.tsx'
import { PaletteButton, Palettes } from './palette-button.tsx'

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

/** Above each screen while an admin uses the account of a user. */
const ImpersonationNotice = () => {
  const me = useMe()
  const end = useMutationOnce({ mutationFn: endImpersonating, onError: notifyError })
  if (!me?.impersonation) return null
  const until = formatDateTime(me.impersonation.expires_at)
  return (
    <aside className="notice warn impersonation" aria-label={shell.impersonation}>
      <p>{shell.impersonating(me.display_name ?? me.email, until)}</p>
      <Button isSmall isPending={end.isPending} onPress={() => end.mutate()}>
        {shell.endImpersonation}
      </Button>
    </aside>
  )
}

const reload = (): void => void queryClient.refetchQueries({ type: 'active' })

/** Above each screen while the server does not answer: what is shown may be old. */
const UnreachableNotice = () => {
  const { isReachable, answeredAt } = useReachability()
  const wasReachable = useRef(true)
  useEffect(() => {
    if (isReachable && !wasReachable.current) reload()
    wasReachable.current = isReachable
  }, [isReachable])
  return (
    <div role="status">
      {!isReachable && (
        <div className="notice warn unreachable">
          <p>
            {answeredAt
              ? shell.unreachableSince(formatDateTime(answeredAt.toISOString()))
              : shell.unreachable}
          </p>
          <Button isSmall onPress={reload}>
            {shell.tryAgain}
          </Button>
        </div>
      )}
    </div>
  )
}
