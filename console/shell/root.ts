import { createRootRoute } from '@tanstack/react-router'
import { Shell } from './shell.tsx'

export const shellRoute = createRootRoute({ component: Shell })
