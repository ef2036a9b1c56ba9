import { useNavigate } from '@tanstack/react-router'
import type { Screen } from '../feature.ts'
import { features } from '../features.ts'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/token.ts'
import { palette as texts } from '../texts/palette.ts'
import { shell } from '../texts/shell.ts'
import type { IconName } from '../ui/icon.tsx'
import { notifyError } from '../ui/toast.tsx'
import { ADMIN, AREAS } from './areas.ts'
import { openSheet } from './open-palette.ts'
import { setTheme, THEMES } from './theme.ts'

/** A place, an action or a find. */
export interface Entry {
  id: string
  label: string
  icon: IconName
  /** Keys that do the same. */
  keys?: string
  run: () => void
}

export interface EntryGroup {
  title: string
  entries: readonly Entry[]
}

/** Screens within areas. */
const SCREENS: readonly Screen[] = [
  { to: '/memories/captured', label: texts.captured, icon: 'chat' },
  { to: '/memories/projects', label: texts.projects, icon: 'branch' },
  { to: '/connect/apps', label: texts.apps, icon: 'connect' },
  { to: '/connect/keys', label: texts.apiKeys, icon: 'key' },
  { to: '/connect/sessions', label: texts.sessions, icon: 'connect' },
  { to: '/people/organizations', label: texts.organizations, icon: 'people' },
  { to: '/people/email', label: texts.email, icon: 'mail' },
  ...features.flatMap(({ screens = [] }) => screens),
  { to: '/chat/agents', label: texts.groups.agents, icon: 'user' },
  { to: '/settings/profile', label: texts.profile, icon: 'user' },
  { to: '/settings/preferences', label: texts.preferences, icon: 'settings' },
  { to: '/settings/instructions', label: texts.instructions, icon: 'edit' },
  { to: '/settings/passkeys', label: texts.passkeys, icon: 'key' },
  { to: '/settings/second-factor', label: texts.secondFactor, icon: 'key' },
  { to: '/settings/activity', label: texts.securityLog, icon: 'clock' },
  { to: '/settings/files', label: texts.files, icon: 'file' },
  { to: '/settings/data', label: texts.data, icon: 'download' },
]

/** Whether an entry has all words of a query, in any order. */
const hasWords = (label: string, words: readonly string[]): boolean => {
  const text = label.toLocaleLowerCase()
  return words.every((word) => text.includes(word))
}

export const wordsOf = (query: string): string[] =>
  query.toLocaleLowerCase().split(/\s+/).filter(Boolean)

/** The screens and actions with these words; without words, the areas and the main actions. */
export const useFixedEntries = (words: readonly string[]): EntryGroup[] => {
  const navigate = useNavigate()
  const isAdmin = useMe()?.is_admin ?? false
  const go = (to: string) => () => void navigate({ to })
  const areas = [...AREAS, ...(isAdmin ? [ADMIN] : [])].map(({ to, label, icon }) => ({
    id: `go ${to}`,
    label,
    icon,
    run: go(to),
  }))
  const screens = SCREENS.map(({ to, label, icon }) => ({
    id: `go ${to}`,
    label,
    icon,
    run: go(to),
  }))
  const trash: Entry = {
    id: 'trash',
    label: texts.trash,
    icon: 'trash',
    run: () => void navigate({ to: '/memories', search: { deleted: true } }),
  }
  const actions: Entry[] = [
    { id: 'chat', label: texts.newChat, icon: 'chat', keys: 'c', run: go('/chat') },
    { id: 'remember', label: texts.remember, icon: 'plus', keys: 'n', run: go('/memories/new') },
    { id: 'import', label: texts.import, icon: 'upload', run: go('/memories/import') },
    { id: 'keys', label: texts.keys.open, icon: 'info', keys: '?', run: openSheet },
  ]
  const rare: Entry[] = [
    ...THEMES.map((theme) => ({
      id: `theme ${theme}`,
      label: texts.themeNamed(shell.themes[theme]),
      icon: 'sun' as const,
      run: () => setTheme(theme),
    })),
    {
      id: 'sign out',
      label: shell.signOut,
      icon: 'sign_out',
      run: () => void signOut().catch(notifyError),
    },
  ]
  if (!words.length)
    return [
      { title: texts.groups.actions, entries: actions },
      { title: texts.groups.screens, entries: areas },
    ]
  const find = (entries: readonly Entry[]) => entries.filter(({ label }) => hasWords(label, words))
  return [
    { title: texts.groups.screens, entries: find([...areas, ...screens, trash]) },
    { title: texts.groups.actions, entries: find([...actions, ...rare]) },
  ]
}
