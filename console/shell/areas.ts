import { shell } from '../texts/shell.ts'
import type { IconName } from '../ui/icon.tsx'

export interface Area {
  to: string
  label: string
  icon: IconName
  /** Whether a group of areas begins with it. */
  isFirst?: boolean
}

const { areas } = shell

/** The areas of the console, in the order of the navigation. */
export const AREAS: readonly Area[] = [
  { to: '/', label: areas.home, icon: 'home' },
  { to: '/activity', label: areas.activity, icon: 'activity' },
  { to: '/memories', label: areas.memories, icon: 'memory' },
  { to: '/graph', label: areas.graph, icon: 'graph' },
  { to: '/chat', label: areas.chat, icon: 'chat' },
  { to: '/connect', label: areas.connect, icon: 'connect', isFirst: true },
  { to: '/people', label: areas.people, icon: 'people' },
  { to: '/automation', label: areas.automation, icon: 'automation' },
  { to: '/usage', label: areas.billing, icon: 'billing', isFirst: true },
  { to: '/settings', label: areas.settings, icon: 'settings' },
]

export const ADMIN: Area = { to: '/admin', label: areas.admin, icon: 'admin' }
