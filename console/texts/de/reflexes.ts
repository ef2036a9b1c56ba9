import type {
  editor as editorSource,
  firings as firingsSource,
  reflexes as reflexesSource,
  trial as trialSource,
} from '../reflexes.ts'
import type { Labels } from '../tools/labels.ts'
import { count } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'

/** Texts of the reflexes of the area automation. */
export const reflexes: Translation<typeof reflexesSource> = {
  title: 'Reflexe',
  intro:
    'Ein Reflex reagiert auf ein Ereignis: ein Signal, einen Zeitpunkt, eine neue Erinnerung oder eine Nachricht.',
  list: 'Reflexe',
  create: 'Neuer Reflex',
  name: 'Name',
  rule: 'Regel',
  enabled: 'An',
  enabledOf: (name) => `An: ${name}`,
  turnedOn: (name) => `„${name}“ ist an`,
  turnedOff: (name) => `„${name}“ ist aus`,
  lastFired: 'Zuletzt ausgelöst',
  next: 'Nächstes Mal',
  nextAt: 'Nächstes Mal',
  empty: 'Keine Reflexe',
  emptyNote: 'Zum Beispiel: Benachrichtige mich, wenn es im Gewächshaus wärmer als 30 Grad ist.',
  asksFirst: 'Fragt vorher',
  disabled: 'Von svc ausgeschaltet',
  alwaysSkipped: 'Immer übersprungen',
  skippedNote: 'Du hast entschieden, diesen Reflex immer zu überspringen. Er läuft nicht.',
  runAgain: 'Wieder laufen lassen',
  runsAgain: 'Der Reflex läuft wieder',
  back: 'Alle Reflexe',
  edit: 'Bearbeiten',
  more: (name) => `Weitere Aktionen für „${name}“`,
  delete: 'Reflex löschen',
  deleteTitle: (name) => `„${name}“ löschen?`,
  deleteNote:
    'Auch seine Auslösungen und offenen Bestätigungen werden gelöscht. Das lässt sich nicht rückgängig machen.',
  deleted: (name) => `„${name}“ gelöscht`,
  renewSecret: 'Neues Webhook-Geheimnis',
  renewTitle: 'Webhook-Geheimnis ersetzen?',
  renewNote: 'Das aktuelle Geheimnis gilt ab sofort nicht mehr. Dein Server braucht das neue.',
  renew: 'Geheimnis ersetzen',
  secret: 'Webhook-Geheimnis',
  secretNote:
    'Damit prüft dein Server, dass eine Anfrage von svc kommt. Kopiere es jetzt: Es wird nur einmal angezeigt.',
  copySecret: 'Geheimnis kopieren',
  done: 'Fertig',
  when: 'Wenn',
  conditions: 'Nur falls',
  effect: 'Dann',
}

export const trial: Translation<typeof trialSource> = {
  title: 'Mit einem Ereignis ausprobieren',
  note: 'JSON. Es wird nichts gesendet oder gespeichert.',
  event: 'Ereignis',
  action: 'Ausprobieren',
  invalid: 'Gib ein JSON-Objekt ein.',
  fires: 'Dieses Ereignis löst den Reflex aus:',
  doesNotFire: 'Dieses Ereignis löst den Reflex nicht aus:',
  notTriggered: 'Es passt nicht zum Auslöser.',
  unmet: (condition) => `Nicht erfüllt: ${condition}`,
}

export const firings: Translation<typeof firingsSource> = {
  title: 'Auslösungen',
  note: 'Ereignisse der letzten 30 Tage, die alle Bedingungen erfüllt haben, die neuesten zuerst.',
  empty: 'Der Reflex wurde noch nicht ausgelöst.',
  attempts: (attempts) =>
    count(attempts, { one: 'fehlgeschlagener Versuch', other: 'fehlgeschlagene Versuche' }),
  states: {
    pending: 'Läuft',
    waiting: 'Wartet auf dich',
    done: 'Erledigt',
    failed: 'Fehlgeschlagen',
    skipped: 'Übersprungen',
    limited: 'Über dem Limit',
  },
  decide: 'Entscheiden',
}

export const editor: Translation<typeof editorSource> = {
  create: 'Neuer Reflex',
  createAction: 'Reflex erstellen',
  created: (name) => `„${name}“ erstellt`,
  edit: (name) => `„${name}“ bearbeiten`,
  saved: (name) => `„${name}“ gespeichert`,
  name: 'Name',
  when: 'Wenn',
  conditions: 'Nur falls',
  conditionsNote:
    'Alle Bedingungen müssen erfüllt sein. Ohne Bedingung zählt jedes solche Ereignis.',
  effect: 'Dann',
  trigger: 'Auslöser',
  triggers: {
    signal: 'Ein Gerät sendet ein Signal',
    schedule: 'Ein Zeitpunkt ist erreicht',
    memory: 'Eine Erinnerung wird gespeichert',
    message: 'Eine Nachricht wird gesendet',
  },
  device: 'Gerät',
  anyDevice: 'Jedes Gerät',
  signalType: 'Typ des Signals',
  anyType: 'Jeder Typ',
  schedule: 'Zeitplan',
  schedules: { cron: 'Wiederkehrend', at: 'Einmalig' },
  cron: 'Cron-Ausdruck',
  cronNote:
    'Minute, Stunde, Tag, Monat, Wochentag: 30 7 * * 1-5 ist werktags um 7:30 Uhr. Oder @daily.',
  at: 'Zeitpunkt',
  timezone: 'Zeitzone',
  timezoneNote: 'Etwa Europe/Berlin. Leer: deine eigene.',
  memoryType: 'Typ der Erinnerung',
  tags: 'Tags',
  tagsNote: 'Durch Kommas getrennt. Die Erinnerung muss alle haben.',
  contains: 'Enthält die Wörter',
  source: 'Wo',
  anySource: 'Überall',
  sources: {
    chat: 'Chat: deine Nachrichten',
    talk: 'Talk: Nachrichten deiner Agenten',
    dm: 'Nachrichten anderer Benutzer',
  },
  addCondition: 'Bedingung hinzufügen',
  removeCondition: (position) => `Bedingung ${position} entfernen`,
  conditionLabel: (position) => `Bedingung ${position}`,
  path: 'Feld des Ereignisses',
  pathNotes: {
    signal: 'Etwa value, value.temperature oder device_name.',
    schedule: 'Etwa due_at.',
    memory: 'Etwa content_text, importance oder tags.',
    message: 'Etwa content, source oder author_username.',
  },
  op: 'Vergleich',
  ops: {
    eq: 'ist',
    ne: 'ist nicht',
    gt: 'ist größer als',
    gte: 'ist mindestens',
    lt: 'ist kleiner als',
    lte: 'ist höchstens',
    contains: 'enthält',
    in: 'ist eins von',
    exists: 'ist vorhanden',
  },
  value: 'Wert',
  valueNote: 'Eine Zahl oder ein Text. Eine Zahl als Text schreibst du als "30".',
  listNote: 'Durch Kommas getrennt.',
  exists: { true: 'Ja', false: 'Nein' },
  action: 'Aktion',
  actions: {
    notify: 'Mich benachrichtigen',
    remember: 'Erinnerung speichern',
    webhook: 'Webhook aufrufen',
  },
  channel: 'Kanal',
  channels: { inbox: 'Eingang', chat: 'Chat', email: 'E-Mail' },
  subject: 'Betreff',
  subjectNote: 'Leer: der Name des Reflexes.',
  text: 'Text',
  templateNote: '{{value.temperature}} wird durch dieses Feld des Ereignisses ersetzt.',
  url: 'URL',
  urlNote: 'Eine öffentliche Adresse mit Port 80, 443, 8080 oder 8443.',
  confirm: 'Erst nachfragen',
  confirmNote: 'Jede Auslösung wartet dann unter „Bestätigungen“.',
}

const operators: Labels = editor.ops
const operator = (op: string): string => operators[op] ?? op

/** A condition in words, such as “value.temperature ist größer als 30”. */
export const describeCondition = (op: string, path: string, value: unknown): string => {
  if (op === 'exists') return value === false ? `${path} fehlt` : `${path} ist vorhanden`
  return `${path} ${operator(op)} ${typeof value === 'string' ? `„${value}“` : JSON.stringify(value)}`
}
