import type { Area } from '../feature.ts'
import { features } from '../features.ts'
import { shell } from '../texts/shell.ts'

const { areas } = shell

/** The areas of the console, in the order of the navigation. */
export const AREAS: readonly Area[] = [
  { to: '/', label: areas.home, icon: 'home', key: 'h' },
  { to: '/activity', label: areas.activity, icon: 'activity', key: 'a' },
  { to: '/memories', label: areas.memories, icon: 'memory', key: 'm' },
  { to: '/graph', label: areas.graph, icon: 'graph', key: 'g' },
  { to: '/chat', label: areas.chat, icon: 'chat', key: 'c' },
  { to: '/connect', label: areas.connect, icon: 'connect', key: 'o', isFirst: true },
  { to: '/people', label: areas.people, icon: 'people', key: 'p' },
  ...features.flatMap((feature) => feature.areas ?? []),
  { to: '/usage', label: areas.billing, icon: 'billing', key: 'u', isFirst: true },
  { to: '/settings', label: areas.settings, icon: 'settings', key: 's' },
]

/** For admins. No letter opens it. */
export const ADMIN: Area = { to: '/admin', label: areas.admin, icon: 'admin', key: '' }
