// First, so that the request is sent before what follows is evaluated.
import './start.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { BASE_PATH } from './base.ts'
import { features } from './features.ts'
import { router } from './router.tsx'
import { signedInUser } from './session/client.ts'
import { restoreDrafts } from './session/drafts.ts'
import { follow } from './session/live-state.ts'
import { queryClient } from './session/query-client.ts'
import { applyStoredWorkspace } from './session/workspace.ts'
import { applyStoredDensity } from './shell/density.ts'
import { requestFirst } from './shell/first-requests.ts'
import { applyStoredTheme } from './shell/theme.ts'
import { locale } from './texts/tools/region.ts'

const render = (): void => {
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <I18nProvider locale={locale}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </I18nProvider>
      </StrictMode>,
    )
}

/** The first screen has the connection and the processor alone for this time. */
const FIRST_SCREEN_MS = 5_000

/** Only on HTTPS and on this device. */
const keepForOffline = (): void => {
  if (!('serviceWorker' in navigator)) return
  setTimeout(() => {
    navigator.serviceWorker
      .register(`${BASE_PATH}/app/service-worker.js`, { scope: `${BASE_PATH}/app` })
      .catch(() => {})
  }, FIRST_SCREEN_MS)
}

/** A frozen server takes half a minute to fail. The input then stays stored until the next load. */
const SIGN_IN_WAIT_MS = 5_000

const signedInSoon = (): Promise<string | undefined> => {
  const waited = Promise.withResolvers<never>()
  setTimeout(() => waited.reject(new Error('the server does not answer')), SIGN_IN_WAIT_MS)
  return Promise.race([signedInUser(), waited.promise])
}

/** On a slow device the token is there already, and drawing takes longer than the responses. */
const REQUESTED_FIRST_MS = 50

/** Sends the first requests, unless the token is late, and draws. */
const open = async (): Promise<void> => {
  applyStoredWorkspace()
  requestFirst(/^\/app\/?$/.test(location.pathname.slice(BASE_PATH.length)))
  const late = new Promise((resolve) => setTimeout(resolve, REQUESTED_FIRST_MS))
  await Promise.race([signedInUser(), late]).catch(() => {})
  render()
}

for (const { followed = [] } of features) follow(followed)
applyStoredTheme()
applyStoredDensity()
keepForOffline()
restoreDrafts(signedInSoon)
  // Without the server, the screens say so.
  .catch(() => {})
  .finally(open)
