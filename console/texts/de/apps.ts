import type { allowedApps as allowedSource, apps as source } from '../apps.ts'
import type { Translation } from '../tools/translation.ts'

export const apps: Translation<typeof source> = {
  title: 'Apps',
  intro: 'Apps, bei denen man sich mit einem Konto dieses Servers anmeldet.',
  empty: 'Noch keine Apps',
  emptyNote:
    'Registriere eine eigene App. Benutzer melden sich dann mit svc an und geben ihr Erinnerungen, soweit sie zustimmen.',
  create: 'App registrieren',
  list: 'Apps',
  name: 'Name',
  nameNote: 'Er wird bei der Anmeldung gezeigt.',
  scopes: 'Darf anfragen',
  scopeNames: {
    openid: 'wer die Person ist',
    profile: 'das Profil',
    email: 'die E-Mail-Adresse',
    offline_access: 'Zugriff, auch wenn die Person abgemeldet ist',
    'memory:read': 'Erinnerungen lesen',
    'memory:write': 'Erinnerungen schreiben',
  },
  lastUsed: 'Letzte Anmeldung',
  isPublic: 'Ohne Geheimnis',
  skips: 'Ohne Frage',
  redirects: 'Redirect-URIs',
  redirectsNote: 'Dorthin kehrt der Browser nach der Anmeldung zurück. Eine je Zeile.',
  logoutRedirects: 'Redirect-URIs nach der Abmeldung',
  logoutRedirectsNote: 'Eine je Zeile. Darf leer sein.',
  backchannel: 'URI für Back-Channel-Logout',
  backchannelNote: 'Erhält ein Logout-Token, wenn eine Sitzung endet. Darf leer sein.',
  confidential: 'Die App kann ein Geheimnis bewahren',
  skipsConsent: 'Ohne Frage anmelden, weil die App eine eigene ist',
  id: 'Client-ID',
  secret: 'Client-Geheimnis',
  secretNote: 'Kopiere das Geheimnis jetzt. Es wird nur einmal gezeigt.',
  publicNote: 'Die App hat kein Geheimnis. Sie braucht nur ihre Client-ID.',
  copyId: 'Client-ID kopieren',
  copySecret: 'Client-Geheimnis kopieren',
  done: 'Fertig',
  created: (name) => `${name} ist registriert`,
  menu: (name) => `Aktionen: ${name}`,
  edit: 'Bearbeiten',
  editTitle: (name) => `${name} bearbeiten`,
  changed: (name) => `${name} geändert`,
  rotate: 'Geheimnis ersetzen',
  rotateTitle: (name) => `Geheimnis von ${name} ersetzen?`,
  rotateNote:
    'Das bisherige Geheimnis endet sofort. Die App meldet wieder an, wenn sie das neue hat.',
  rotated: (name) => `Das neue Geheimnis von ${name}`,
  delete: 'Löschen',
  deleteTitle: (name) => `${name} löschen?`,
  deleteNote:
    'Ihr Zugriff auf die Erinnerungen aller Benutzer endet sofort. Das lässt sich nicht rückgängig machen.',
  deleted: (name) => `${name} gelöscht`,
}

export const allowedApps: Translation<typeof allowedSource> = {
  title: 'Apps',
  intro:
    'Apps, bei denen sich Mitglieder für die Organisation anmelden. Andere verlieren ihren Zugriff sofort.',
  all: 'Alle Apps, auch spätere',
  some: 'Nur ausgewählte Apps',
  which: 'Erlaubte Apps',
  inUse: 'wird genutzt',
  none: 'Noch keine App: weder auf dem Server registriert noch von einem Mitglied genutzt.',
  saved: 'Erlaubte Apps gespeichert',
  ownersOnly: 'Nur Inhaber ändern das.',
}
