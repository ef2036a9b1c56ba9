/** The screens of each area, without those of one memory, chat or organization. */
const AREAS: Record<string, readonly string[]> = {
  '': [''],
  activity: [''],
  memories: ['', 'new', 'import', 'captured'],
  graph: [''],
  chat: ['', 'agents'],
  connect: ['', 'keys', 'apps', 'sessions'],
  people: ['organizations', 'messages', 'shares', 'email'],
  automation: ['reflexes', 'reflexes/new', 'devices', 'confirmations', 'inbox', 'identity'],
  usage: ['', 'days', 'credits', 'tiers'],
  settings: [
    ...['profile', 'preferences', 'instructions', 'email', 'password', 'passkeys'],
    ...['second-factor', 'connections', 'activity', 'files', 'data'],
  ],
}
const ADMIN = [
  ...['overview', 'users', 'tiers', 'engines', 'handlers', 'queues', 'health', 'configuration'],
  ...['settings', 'backups', 'logs', 'audit'],
]

const pathsOf = (area: string, screens: readonly string[]): string[] =>
  screens.map((screen) => ['/app', area, screen].filter(Boolean).join('/'))

export const screens: readonly string[] = Object.entries(AREAS).flatMap(([area, names]) =>
  pathsOf(area, names),
)
export const adminScreens: readonly string[] = pathsOf('admin', ADMIN)

/** Pages of the server for a visitor who is not signed in. */
export const pages: readonly string[] = [
  ...['/signin', '/signup', '/reset', '/device', '/pricing', '/no-such-page'],
]

export const looks = [
  { name: 'light', width: 1280, height: 860, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 860, colorScheme: 'dark' },
  { name: 'narrow-light', width: 390, height: 860, colorScheme: 'light' },
  { name: 'narrow-dark', width: 390, height: 860, colorScheme: 'dark' },
  { name: 'large-light', width: 1920, height: 1080, colorScheme: 'light' },
] as const

/** The part of a file name that stands for a place: ids and queries do not occur in it. */
export const placeOf = (path: string): string =>
  path
    .replace(/[?].*/, '-search')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'one')
    .replace(/^[/]s[/].*/, '/shared')
    .replace(/\W+/g, '-')

/** The pictures of a contact sheet, without the look, in reading order. */
export const sheetPlaces: readonly string[] = [
  ...['visitor-signin', 'visitor-shared', 'full-app', 'full-app-activity'],
  ...['full-app-memories', 'full-app-memories-search', 'full-app-memories-one', 'full-app-graph'],
  ...['full-app-chat-one', 'full-app-connect', 'full-app-people-messages-one'],
  ...['full-app-automation-reflexes', 'full-app-usage', 'full-app-settings-preferences'],
  ...['full-app-admin-overview', 'empty-app'],
]
