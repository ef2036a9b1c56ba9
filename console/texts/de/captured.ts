import type { captured as source } from '../captured.ts'
import { number } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'
import { memoriesOf } from './counts.ts'

export const captured: Translation<typeof source> = {
  title: 'Aufgezeichnete Gespräche',
  intro:
    'Gespräche mit deinen Assistenten, die svc sich ohne Tool-Aufruf gemerkt hat. Gelöschte lassen sich 30 Tage lang wiederherstellen.',
  list: 'Aufgezeichnete Gespräche',
  assistant: 'Assistent',
  anyAssistant: 'Alle Assistenten',
  noProject: 'Kein Projekt',
  isDeleted: 'Gelöscht',
  partlyDeleted: (amount) => `${number(amount)} gelöscht`,
  deleteNamed: (name) => `Löschen: ${name}`,
  restore: 'Wiederherstellen',
  restoreNamed: (name) => `Wiederherstellen: ${name}`,
  named: (assistant, project, time) =>
    `Gespräch mit ${assistant}${project ? ` in ${project}` : ''}, ${time}`,
  deleted: (amount) => `${memoriesOf(amount)} des Gesprächs gelöscht`,
  restored: (amount) => `${memoriesOf(amount)} des Gesprächs wiederhergestellt`,
  empty: 'Noch nichts aufgezeichnet',
  emptyNote:
    'Verbinde einen Assistenten mit seinen Hooks, dann merkt sich svc deine Gespräche mit ihm. Führe das dort aus, wo der Assistent läuft:',
  command: (client) => `svc connect ${client}`,
  copyCommand: 'Befehl kopieren',
  connect: 'Andere Wege zum Verbinden',
  none: (assistant) => `Nichts von ${assistant} aufgezeichnet`,
  noneNote: 'Wenn du ihn nutzt, verbinde ihn mit seinen Hooks. Führe das dort aus, wo er läuft:',
  noneOther: 'Er hat nichts aufgezeichnet, oder seine Gespräche wurden endgültig gelöscht.',
  all: 'Alle Assistenten anzeigen',
}
