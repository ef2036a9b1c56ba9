import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './router.tsx'
import { signedInUser } from './session/client.ts'
import { restoreDrafts } from './session/drafts.ts'
import { queryClient } from './session/query.ts'
import { applyStoredWorkspace } from './session/workspace.ts'
import { applyStoredTheme } from './shell/theme.ts'

const render = (): void => {
  applyStoredWorkspace()
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    )
}

/** Only on HTTPS and on this device; after the page, so that its first load has the connection alone. */
const keepForOffline = (): void => {
  if ('serviceWorker' in navigator)
    addEventListener('load', () => {
      navigator.serviceWorker.register('/app/service-worker.js', { scope: '/app' }).catch(() => {})
    })
}

applyStoredTheme()
keepForOffline()
restoreDrafts(signedInUser)
  // Without the server, the screens say so.
  .catch(() => {})
  .finally(render)
