import type {
  domains as domainsSource,
  policies as policiesSource,
  shortfalls as shortfallsSource,
} from '../policies.ts'
import type { Translation } from '../tools/translation.ts'

export const shortfalls: Translation<typeof shortfallsSource> = {
  title: (name) => `„${name}“ verlangt mehr von deiner Anmeldung`,
  intro: 'Die Richtlinien der Organisation verlangen mehr von deiner Anmeldung:',
  add_second_factor: 'Füge einen Passkey hinzu oder schalte Codes einer Authenticator-App ein.',
  add_passkey: 'Füge einen Passkey hinzu.',
  use_second_factor: 'Melde dich mit deinem zweiten Faktor neu an.',
  use_passkey: 'Melde dich mit deinem Passkey neu an.',
  methods: { password: 'Passwort', passkey: 'Passkey', email_code: 'Code per E-Mail' },
  use_provider: (methods) => `Melde dich auf eine dieser Arten neu an: ${methods}.`,
  sign_in_again: 'Melde dich neu an: Deine letzte Anmeldung ist zu lange her.',
  use_org_key: 'Verwende einen API-Schlüssel, der für diese Organisation erstellt wurde.',
  narrow_scopes: (scopes) => `Beschränke die Berechtigungen auf: ${scopes}.`,
  passkeys: 'Passkeys',
  secondFactor: 'Zweiter Faktor',
  signInAgain: 'Neu anmelden',
}

export const policies: Translation<typeof policiesSource> = {
  title: 'Richtlinien',
  intro:
    'Sie begrenzen, wer diese Organisation nutzen darf, auch für Inhaber. Die Konten der Mitglieder bleiben deren eigene.',
  secondFactor: 'Zweiter Faktor',
  secondFactors: {
    none: 'Nicht verlangt',
    any: 'Ein Code oder ein Passkey',
    passkey: 'Nur ein Passkey',
  },
  providers: 'Anmeldearten',
  providersNote: 'Mitglieder, die sich anders angemeldet haben, melden sich neu an.',
  hours: 'Stunden nach der Anmeldung',
  hoursNote: 'Danach melden sich Mitglieder neu an. Leer: unbegrenzt. Höchstens 8760, ein Jahr.',
  scopes: 'Berechtigungen von API-Schlüsseln und Apps',
  scopesNote:
    'Schlüssel und Apps mit anderen werden hier abgelehnt, bis ihr Besitzer sie beschränkt.',
  scopeNames: {
    'memory:read': 'Erinnerungen lesen',
    'memory:write': 'Erinnerungen schreiben',
    chat: 'Chat',
    'account:read': 'Das Konto sehen',
    account: 'Das Konto ändern',
    admin: 'Der Server, für Admins',
  },
  managed: 'Anbieter, die Benutzer von SCIM anmelden',
  managedNote:
    'Sie öffnen Konten, die SCIM bei deinen bestätigten Domains angelegt hat, ohne einen Schritt des Benutzers. Wähle nur einen Anbieter, der jeder Person ihre eigene Adresse gibt. Nur Inhaber ändern es.',
  none: 'Keine',
  saved: 'Richtlinien gespeichert',
  needsOne: 'Wähle mindestens eine Anmeldeart und eine Berechtigung.',
  all: 'Alle',
  noLimit: 'Unbegrenzt',
}

export const domains: Translation<typeof domainsSource> = {
  title: 'E-Mail-Domains',
  intro:
    'Bestätige eine Domain durch einen DNS-Eintrag. Wer dort eine bestätigte Adresse hat, kann dann ohne Einladung als Mitglied beitreten.',
  domain: 'Domain',
  domainNote: 'Der Teil der Adressen nach dem @.',
  add: 'Domain hinzufügen',
  added: (domain) =>
    `${domain} hinzugefügt. Lege den DNS-Eintrag an und bestätige die Domain dann.`,
  none: 'Keine Domains',
  list: 'E-Mail-Domains',
  record: 'TXT-Eintrag',
  copyRecord: (domain) => `Eintrag von ${domain} kopieren`,
  state: 'Status',
  verified: 'Bestätigt',
  unverified: 'Nicht bestätigt',
  missing: 'Eintrag fehlt; die Bestätigung endet nach sieben Tagen',
  joins: 'Beitritt ohne Einladung',
  joinsNamed: (domain) => `Beitritt ohne Einladung für ${domain}`,
  verify: 'Bestätigen',
  verifyNamed: (domain) => `${domain} bestätigen`,
  verifiedNow: (domain) => `${domain} bestätigt`,
  remove: 'Entfernen',
  removeNamed: (domain) => `${domain} entfernen`,
  removeTitle: (domain) => `${domain} entfernen?`,
  removeNote: 'Niemand tritt mehr durch sie bei. Mitglieder bleiben.',
  removed: (domain) => `${domain} entfernt`,
}
