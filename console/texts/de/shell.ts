import type { shell as source } from '../shell.ts'
import { count } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'

export const shell: Translation<typeof source> = {
  unreachable: 'Keine Verbindung zum Server. Sobald er erreichbar ist, geht es hier weiter.',
  unreachableSince: (time) =>
    `Keine Verbindung zum Server. Du siehst den Stand vom ${time}. Sobald er erreichbar ist, geht es hier weiter.`,
  tryAgain: 'Jetzt versuchen',
  impersonation: 'Zugriff eines Admins auf das Konto',
  impersonating: (name, until) =>
    `Bis ${until} siehst du dieses Konto so wie ${name}. Der Zugriff wurde per E-Mail mitgeteilt.`,
  endImpersonation: 'Beenden',
  notifications: {
    message: (sender) => `Nachricht von ${sender}`,
    confirmation: (name) => `„${name}“ wartet auf deine Bestätigung`,
    signIn: 'Jemand hat sich mit deinem Konto angemeldet',
  },
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptnavigation',
  openNavigation: 'Navigation öffnen',
  account: 'Konto',
  signOut: 'Abmelden',
  unread: (number) =>
    count(number, { one: 'ungelesene Nachricht', other: 'ungelesene Nachrichten' }),
  decisions: (number) =>
    count(number, { one: 'offene Entscheidung', other: 'offene Entscheidungen' }),
  settings: 'Einstellungen',
  reference: 'API-Referenz',
  theme: 'Design',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  workspace: 'Arbeitsbereich',
  personal: 'Persönlich',
  workspaceNamed: (name) => `Arbeitsbereich: ${name}`,
  workspaceNow: (name) => `Du arbeitest jetzt in „${name}“`,
  workspaceDefaultEnded: (name) =>
    `Du arbeitest jetzt in „Persönlich“. „${name}“ ist nicht mehr der Standard deiner Tabs und Apps.`,
  workspaceLost:
    'Du bist kein Mitglied dieser Organisation mehr. Du arbeitest jetzt in „Persönlich“.',
  organizations: 'Organisationen',
  areas: {
    home: 'Startseite',
    activity: 'Aktivität',
    memories: 'Erinnerungen',
    graph: 'Graph',
    chat: 'Chat',
    connect: 'Verbinden',
    people: 'Personen',
    automation: 'Automatisierung',
    billing: 'Nutzung',
    settings: 'Einstellungen',
    admin: 'Admin',
  },
}
