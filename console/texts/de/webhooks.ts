import { count, plural } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'
import type { webhooks as source } from '../webhooks.ts'

const EVENTS = { one: 'Ereignis', other: 'Ereignisse' }

export const webhooks: Translation<typeof source> = {
  title: 'Webhooks',
  one: 'Webhook',
  ofServer:
    'Sie melden deinen Programmen in signierten Anfragen, was mit Konten, Sitzungen, Schlüsseln und Organisationen passiert.',
  ofOrg: (name) =>
    `Sie melden deinen Programmen in signierten Anfragen, wer zu ${name} kommt und wer geht.`,
  orgNote: 'Melde deinen Programmen, wer dazukommt und wer geht.',
  manage: 'Webhooks verwalten',
  list: 'Webhooks',
  empty: 'Noch kein Webhook',
  emptyNote:
    'Füge die Adresse eines Programms hinzu: svc sendet ihm jedes Ereignis, bis das Programm es annimmt.',
  create: 'Webhook hinzufügen',
  edit: 'Webhook bearbeiten',
  url: 'Adresse',
  urlNote: 'Im öffentlichen Internet. Sie erhält für jedes Ereignis eine POST-Anfrage.',
  description: 'Beschreibung',
  events: 'Ereignisse',
  state: 'Status',
  created: 'Hinzugefügt',
  all: 'Alle Ereignisse, auch die späterer Versionen',
  some: 'Nur ausgewählte Ereignisse',
  typesOf: (types) => (types === null ? 'Alle Ereignisse' : count(types, EVENTS)),
  on: 'Aktiv',
  paused: 'Pausiert',
  turnedOff: 'Abgeschaltet',
  pausedNote: 'Solange er pausiert ist, erhält er keine Ereignisse, auch nicht später.',
  turnedOffBecause: (reason) => `svc hat ihn abgeschaltet: ${reason}.`,
  pause: 'Pausieren',
  turnOn: 'Einschalten',
  turnedOn: 'Webhook eingeschaltet',
  nowPaused: 'Webhook pausiert',
  test: 'Test senden',
  testSent: 'Ein Testereignis ist unterwegs',
  more: 'Weitere Aktionen des Webhooks',
  createdTitle: 'Webhook hinzugefügt',
  secretNote:
    'Kopiere das Geheimnis jetzt: Es wird nicht noch einmal angezeigt. Dein Programm prüft damit die Signaturen der Anfragen (Standard Webhooks).',
  copySecret: 'Geheimnis kopieren',
  done: 'Fertig',
  renew: 'Neues Geheimnis',
  renewed: 'Neues Geheimnis',
  renewNote:
    'Anfragen werden sofort mit dem neuen Geheimnis signiert. Das alte wird damit nutzlos.',
  deleteTitle: 'Webhook löschen?',
  deleteNote: 'Seine Zustellungen werden mitgelöscht. Das lässt sich nicht rückgängig machen.',
  deleted: 'Webhook gelöscht',
  missing: 'Diesen Webhook gibt es nicht',
  missingNote: 'Vielleicht wurde er gelöscht.',
  deliveries: 'Zustellungen',
  noDeliveries: 'In den letzten 30 Tagen wurde nichts gesendet.',
  filter: 'Anzeigen',
  filters: {
    all: 'Alle',
    waiting: 'Wartend',
    delivered: 'Zugestellt',
    failed: 'Fehlgeschlagen',
  },
  states: { waiting: 'wartet', delivered: 'zugestellt', failed: 'fehlgeschlagen' },
  status: (status) => `Status ${status}`,
  attempts: (attempts) => count(attempts, { one: 'Versuch', other: 'Versuche' }),
  next: 'nächster',
  details: 'Anfrage',
  copyBody: (type) => `Inhalt von ${type} kopieren`,
  replay: 'Erneut senden',
  replayNamed: (type) => `Erneut senden: ${type}`,
  replayFailed: 'Fehlgeschlagene erneut senden',
  replayed: (events) =>
    events === 0
      ? 'Keine Zustellung ist fehlgeschlagen'
      : `${count(events, EVENTS)} ${plural(events, { one: 'wird', other: 'werden' })} erneut gesendet`,
}
