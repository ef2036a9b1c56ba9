import { createRoute, redirect } from '@tanstack/react-router'
import { SIGNAL_TYPES, type SignalType } from '../../../shared/contract/senses.ts'
import { lazyScreen } from '../../shell/lazy-screen.ts'
import { shellRoute } from '../../shell/root.ts'

const layout = createRoute({
  getParentRoute: () => shellRoute,
  path: '/automation',
  component: lazyScreen(() => import('./layout.tsx'), 'AutomationLayout'),
})

const index = createRoute({
  getParentRoute: () => layout,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/automation/reflexes', replace: true })
  },
})

const reflexes = createRoute({
  getParentRoute: () => layout,
  path: '/reflexes',
  component: lazyScreen(() => import('./reflexes.tsx'), 'ReflexesPage'),
})

const newReflex = createRoute({
  getParentRoute: () => layout,
  path: '/reflexes/new',
  component: lazyScreen(() => import('./edit-reflex.tsx'), 'NewReflexPage'),
})

const reflex = createRoute({
  getParentRoute: () => layout,
  path: '/reflexes/$reflexId',
  component: lazyScreen(() => import('./reflex.tsx'), 'ReflexPage'),
})

const editReflex = createRoute({
  getParentRoute: () => layout,
  path: '/reflexes/$reflexId/edit',
  component: lazyScreen(() => import('./edit-reflex.tsx'), 'EditReflexPage'),
})

const devices = createRoute({
  getParentRoute: () => layout,
  path: '/devices',
  validateSearch: ({ dialog }: Record<string, unknown>): { dialog?: 'create' } =>
    dialog === 'create' ? { dialog } : {},
  component: lazyScreen(() => import('./devices.tsx'), 'DevicesPage'),
})

const device = createRoute({
  getParentRoute: () => layout,
  path: '/devices/$deviceId',
  /** Shows signals of one type only. */
  validateSearch: ({ type }: Record<string, unknown>): { type?: SignalType } => {
    const known = SIGNAL_TYPES.find((each) => each === type)
    return known ? { type: known } : {}
  },
  component: lazyScreen(() => import('./device.tsx'), 'DevicePage'),
})

const confirmations = createRoute({
  getParentRoute: () => layout,
  path: '/confirmations',
  component: lazyScreen(() => import('./confirmations.tsx'), 'ConfirmationsPage'),
})

const inbox = createRoute({
  getParentRoute: () => layout,
  path: '/inbox',
  component: lazyScreen(() => import('./inbox.tsx'), 'InboxPage'),
})

const identity = createRoute({
  getParentRoute: () => layout,
  path: '/identity',
  component: lazyScreen(() => import('./identity.tsx'), 'IdentityPage'),
})

export const automationRoutes = [
  layout.addChildren([
    index,
    reflexes,
    newReflex,
    reflex,
    editReflex,
    devices,
    device,
    confirmations,
    inbox,
    identity,
  ]),
] as const
