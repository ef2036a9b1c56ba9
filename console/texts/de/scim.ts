import type { scim as scimSource } from '../scim.ts'
import { count } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'

export const scim: Translation<typeof scimSource> = {
  title: 'Bereitstellung',
  intro:
    'Ein Identitätsanbieter wie Okta oder Entra ID legt die Mitglieder über SCIM an und entfernt sie. Er braucht diese Adresse und ein Token.',
  copyAddress: 'SCIM-Adresse kopieren',
  provisioned: (users, groups) =>
    `Bereitgestellt: ${count(users, { other: 'Benutzer' })}, ${count(groups, { one: 'Gruppe', other: 'Gruppen' })}`,
  list: 'SCIM-Tokens',
  none: 'Keine SCIM-Tokens.',
  ownersOnly: 'Inhaber erstellen Tokens.',
  name: 'Name',
  nameNote: 'Zum Beispiel der Name des Identitätsanbieters.',
  lastUsed: 'Zuletzt benutzt',
  create: 'SCIM-Token erstellen',
  created: 'SCIM-Token erstellt',
  createdNote: 'Kopiere das Token jetzt. Es wird nicht noch einmal angezeigt.',
  copy: 'Token kopieren',
  done: 'Fertig',
  revoke: 'Widerrufen',
  revokeNamed: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `„${name}“ widerrufen?`,
  revokeNote: 'Der Identitätsanbieter verliert sofort den Zugriff. Benutzer und Gruppen bleiben.',
  revoked: (name) => `${name} widerrufen`,
}
