import { ACCOUNT_ERRORS_DE } from './error-texts/account-de.ts'
import { FEATURE_ERRORS_DE } from './error-texts/features-de.ts'
import type { Texts } from './error-texts.ts'

/** German error messages by the English ones of the API and of the client, for the pages and the console. */
export const ERROR_TEXTS_DE: Texts = {
  ...ACCOUNT_ERRORS_DE,
  ...FEATURE_ERRORS_DE,

  // The server and its database
  'Internal server error': 'Interner Serverfehler',
  'Not Found': 'Nicht gefunden',
  'The server is stopping; try again': 'Der Server wird gerade beendet; versuche es noch einmal',
  'The database is not available; try again':
    'Die Datenbank ist nicht erreichbar; versuche es noch einmal',
  'Another request is changing the same data; try again':
    'Eine andere Anfrage ändert gerade dieselben Daten; versuche es noch einmal',
  'The database took too long; try again':
    'Die Datenbank hat zu lange gebraucht; versuche es noch einmal',
  'Writes fail: {0}': 'Schreiben schlägt fehl: {0}',
  'Not ready: {0}': 'Nicht bereit: {0}',
  'The bearer token is not SVC_METRICS_TOKEN': 'Das Bearer-Token ist nicht SVC_METRICS_TOKEN',

  // The connection
  'No answer from {0}': 'Keine Antwort von {0}',
  'The service at {0} is not svc': 'Der Dienst unter {0} ist nicht svc',
  'The response of {0} was cut off': 'Die Antwort von {0} wurde abgebrochen',
  'Moved to {0}': 'Verschoben nach {0}',
  'Client disconnected': 'Die Verbindung wurde vom Client getrennt',
  'The request body ended early': 'Der Inhalt der Anfrage endete vorzeitig',
  'The request body arrived too slowly': 'Der Inhalt der Anfrage kam zu langsam an',
  'Body is larger than {0} KiB': 'Der Inhalt ist größer als {0} KiB',
  'Origin not allowed': 'Diese Herkunft ist nicht erlaubt',
  'Invalid Host header': 'Ungültiger Host-Header',
  'Host is not allowed; set SVC_BASE_URL to the address that clients use':
    'Dieser Host ist nicht erlaubt; setze SVC_BASE_URL auf die Adresse, die Clients verwenden',

  // Credentials and rights
  'Could not validate credentials': 'Die Anmeldedaten konnten nicht geprüft werden',
  'Token expired': 'Das Token ist abgelaufen',
  'Your default organization changed, or you are no longer its member. Connect again.':
    'Deine Standardorganisation hat sich geändert, oder du bist nicht mehr ihr Mitglied. Verbinde dich neu.',
  'Invalid API key': 'Ungültiger API-Schlüssel',
  'Admin access required': 'Dafür brauchst du Administratorrechte',
  'User not found': 'Nutzer nicht gefunden',
  'This API key may not be used from this address':
    'Dieser API-Schlüssel darf von dieser Adresse aus nicht verwendet werden',
  'This credential is paused; its owner can resume it':
    'Dieser Zugang ist pausiert; wem er gehört, kann ihn fortsetzen',
  'This credential has no scope {0}; its owner can add it':
    'Diesem Zugang fehlt die Berechtigung {0}; wem er gehört, kann sie hinzufügen',
  'An API key cannot manage the account; sign in instead':
    'Ein API-Schlüssel kann das Konto nicht verwalten; melde dich stattdessen an',
  'Verify your email address first. To get a link, open /app/settings/email on this server, or run: svc verify --resend':
    'Bestätige zuerst deine E-Mail-Adresse. Einen Link bekommst du unter /app/settings/email auf diesem Server oder mit: svc verify --resend',

  // Limits
  'Too many requests. Please try again later.':
    'Zu viele Anfragen. Bitte versuche es später noch einmal.',
  'Too many requests: wait {0} seconds before the next one':
    'Zu viele Anfragen: warte {0} Sekunden bis zur nächsten',
  '{0}. Try again in {1} second.': '{0}. Versuche es in {1} Sekunde noch einmal.',
  '{0}. Try again in {1} seconds.': '{0}. Versuche es in {1} Sekunden noch einmal.',
  '{0}. Try again in {1} minute.': '{0}. Versuche es in {1} Minute noch einmal.',
  '{0}. Try again in {1} minutes.': '{0}. Versuche es in {1} Minuten noch einmal.',
  '{0}. Try again in {1} hour.': '{0}. Versuche es in {1} Stunde noch einmal.',
  '{0}. Try again in {1} hours.': '{0}. Versuche es in {1} Stunden noch einmal.',
  'Too many requests': 'Zu viele Anfragen',
  'Too many failed sign-ins': 'Zu viele fehlgeschlagene Anmeldungen',
  'Too many wrong passwords': 'Zu viele falsche Passwörter',
  'Too many clients registered': 'Zu viele Clients registriert',
  'Daily limit of authorized apps reached': 'Das Tageslimit für autorisierte Apps ist erreicht',
  'Too many client documents read': 'Zu viele Client-Dokumente gelesen',
  'Too many device logins started': 'Zu viele Geräteanmeldungen gestartet',
  'Too many wrong device codes': 'Zu viele falsche Gerätecodes',
  'Too many sign-ins with a passkey': 'Zu viele Anmeldungen mit einem Passkey',
  'Too many links mailed': 'Zu viele Links per E-Mail gesendet',
  'Too many invites sent': 'Zu viele Einladungen gesendet',
  'Too many checks of domains': 'Zu viele Prüfungen von Domains',
  'Too many titles asked for': 'Zu viele Titel angefragt',
  'Too many new threads': 'Zu viele neue Unterhaltungen',
  'Too many messages sent': 'Zu viele Nachrichten gesendet',
  'Too many pictures are waiting': 'Zu viele Bilder warten auf die Verarbeitung',
  'There can be {0} {1} at most': 'Höchstens {0} möglich: {1}',
  reflexes: 'Reflexe',
  devices: 'Geräte',
  'saved views': 'gespeicherte Ansichten',
  passkeys: 'Passkeys',
  organizations: 'Organisationen',
  agents: 'Agenten',
  files: 'Dateien',
  categories: 'Kategorien',
  shares: 'geteilte Unterhaltungen',
  'API keys': 'API-Schlüssel',
  'sessions without a message': 'Unterhaltungen ohne Nachricht',
  'branches of sessions': 'Zweige von Unterhaltungen',

  // Fields
  'The text holds only memories that svc gave, which are stored already':
    'Der Text enthält nur Erinnerungen von svc, die schon gespeichert sind',
  'Field required': 'Dieses Feld ist erforderlich',
  'Value is not valid': 'Der Wert ist ungültig',
  'Input should be a valid string': 'Gib einen gültigen Text ein',
  'Input should be a valid UUID': 'Gib eine gültige UUID ein',
  'Input should be a valid datetime': 'Gib einen gültigen Zeitpunkt ein',
  'Input should be a valid integer': 'Gib eine ganze Zahl ein',
  'Input should be a valid integer, unable to parse string as an integer':
    'Gib eine ganze Zahl ein',
  'Input should be a valid number': 'Gib eine Zahl ein',
  'Input should be a valid number, unable to parse string as a number': 'Gib eine Zahl ein',
  'Extra inputs are not permitted where something is deleted':
    'Unbekanntes Feld, wo etwas gelöscht wird',
  'Input should be a valid boolean': 'Gib true oder false ein',
  'Input should be a valid boolean, unable to interpret input': 'Gib true oder false ein',
  'Input should be a valid list': 'Gib eine gültige Liste ein',
  'Input should be a valid dictionary': 'Gib ein gültiges Objekt ein',
  'Input should be a valid URL': 'Gib eine gültige URL ein',
  'Input should be a valid email address': 'Gib eine gültige E-Mail-Adresse ein',
  'Input should be one email address, such as ada@example.com':
    'Gib eine einzelne E-Mail-Adresse ein, zum Beispiel ada@example.com',
  'Input should be in the future': 'Der Zeitpunkt muss in der Zukunft liegen',
  'Input should not be before 1970': 'Der Zeitpunkt darf nicht vor 1970 liegen',
  'Input should match a future time': 'Der Ausdruck muss auf einen Zeitpunkt in der Zukunft passen',
  'Input should be either at or cron, not both': 'Gib entweder at oder cron an, nicht beides',
  'Either at or cron is required': 'Entweder at oder cron ist erforderlich',
  'Input should be a time zone, such as Europe/Berlin':
    'Gib eine Zeitzone ein, zum Beispiel Europe/Berlin',
  'Input should name a day that one of its months has': 'Nenne einen Tag, den einer der Monate hat',
  'Input has the value {0}, which should be in the range {1}':
    'Der Wert {0} muss im Bereich {1} liegen',
  'Input should be a cron expression of five fields':
    'Gib einen Cron-Ausdruck mit fünf Feldern ein',
  'Input should be a number or a datetime': 'Gib eine Zahl oder einen Zeitpunkt ein',
  'Input should be names joined by dots, or a JSON pointer':
    'Gib Namen mit Punkten dazwischen oder einen JSON-Pointer ein',
  'Input should be an address or a range such as 10.0.0.0/8':
    'Gib eine Adresse oder einen Bereich wie 10.0.0.0/8 ein',
  'Input should be greater than or equal to {0}': 'Der Wert muss mindestens {0} sein',
  'Input should be less than or equal to {0}': 'Der Wert darf höchstens {0} sein',
  'Input should have at most six decimals': 'Höchstens sechs Nachkommastellen',
  'Input should have at most two decimals': 'Höchstens zwei Nachkommastellen',
  'String should have at least {0} character': 'Mindestens {0} Zeichen',
  'String should have at least {0} characters': 'Mindestens {0} Zeichen',
  'String should have at most {0} character': 'Höchstens {0} Zeichen',
  'String should have at most {0} characters': 'Höchstens {0} Zeichen',
  "String should match pattern '{0}'": 'Der Text muss dem Muster „{0}“ entsprechen',
  'String should be valid text without NUL':
    'Der Text muss gültig sein und darf kein NUL enthalten',
  'Key should be valid text without NUL': 'Der Schlüssel muss gültiger Text ohne NUL sein',
  'List should have at least {0} item': 'Mindestens {0} Eintrag',
  'List should have at least {0} items': 'Mindestens {0} Einträge',
  'List should have at most {0} item': 'Höchstens {0} Eintrag',
  'List should have at most {0} items': 'Höchstens {0} Einträge',
  'Dictionary should have at least {0} item': 'Mindestens {0} Eintrag',
  'Dictionary should have at least {0} items': 'Mindestens {0} Einträge',
  'Dictionary should have at most {0} item': 'Höchstens {0} Eintrag',
  'Dictionary should have at most {0} items': 'Höchstens {0} Einträge',
  'JSON should have at most {0} characters': 'Das JSON darf höchstens {0} Zeichen haben',
  'JSON is nested too deeply': 'Das JSON ist zu tief verschachtelt',
  'Body should be JSON, with content-type application/json':
    'Der Inhalt muss JSON sein, mit dem Content-Type application/json',
  'Body should be UTF-8': 'Der Inhalt muss UTF-8 sein',
  'Content-Type should be one of {0}': 'Der Content-Type muss einer von diesen sein: {0}',
  'Body should be multipart/form-data with a valid boundary and a closing delimiter':
    'Der Inhalt muss multipart/form-data mit gültiger Grenze und schließendem Trenner sein',
  'Invalid cursor': 'Ungültiger Cursor',
  'A filter is required, or all: true': 'Ein Filter oder all: true ist erforderlich',
  "URL scheme should be 'http' or 'https'": 'Die URL muss mit http oder https beginnen',
  'URL should carry no user name and password':
    'Die URL darf keinen Benutzernamen und kein Passwort enthalten',
}
