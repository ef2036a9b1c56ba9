import { count, number } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'
import type { exporting as exportSource, importing as importSource } from '../transfer.ts'
import { memoriesOf } from './counts.ts'

export const importing: Translation<typeof importSource> = {
  title: 'Erinnerungen importieren',
  intro:
    'Übernimm die Erinnerungen von svc oder einem anderen Assistenten. Nichts wird doppelt gespeichert, du kannst eine Datei also noch einmal importieren.',
  drop: 'Datei hier ablegen',
  dropNote: 'JSON, NDJSON oder Text, auch mit gzip komprimiert, beliebig groß.',
  choose: 'Datei auswählen',
  format: 'Format',
  formats: {
    auto: 'Format erkennen',
    svc: 'Export von svc',
    mcp: 'MCP-Memory-Server (memory.jsonl)',
    mem0: 'mem0',
    chatgpt: 'ChatGPT (conversations.json)',
    claude: 'Claude (conversations.json, memories.json)',
  },
  help: 'Formate, die sich importieren lassen',
  helps: [
    ['svc', 'Eine Datei aus „Alle exportieren“, von hier oder von einem anderen Server.'],
    ['ChatGPT', 'conversations.json aus dem Datenexport. Entpacke vorher das ZIP-Archiv.'],
    [
      'Claude',
      'conversations.json oder memories.json aus dem Datenexport. Entpacke vorher das ZIP-Archiv.',
    ],
    ['mem0', 'Die Liste der Erinnerungen, die seine API zurückgibt.'],
    ['MCP-Memory-Server', 'Seine Datei memory.jsonl.'],
  ],
  files: 'Importe',
  uploading: (percent) => `Wird hochgeladen, ${percent} %`,
  processing: 'Hochgeladen. Der Rest wird gespeichert…',
  waiting: 'Wartet',
  progress: (name) => `Fortschritt von ${name}`,
  cancel: 'Abbrechen',
  cancelled: 'Abgebrochen. Was bis dahin gespeichert wurde, bleibt erhalten.',
  again: 'Erneut versuchen',
  done: (imported, known) =>
    `${count(imported, { one: 'neue Erinnerung', other: 'neue Erinnerungen' })}, ${number(known)} schon vorhanden`,
  lowered: (amount, reason) =>
    `${count(amount, { one: 'Erinnerung gilt', other: 'Erinnerungen gelten' })} als weniger vertrauenswürdig als in der Datei: ${reason}`,
  losses: {
    unsigned: 'Die Zeilen haben keine Signatur.',
    changed: 'Die Zeilen wurden nach dem Export geändert.',
    unknown_server: 'Sie stammen von einem Server, den dieser nicht kennt.',
    other_account: 'Sie stammen aus einem anderen Konto oder einer anderen Organisation.',
    credential: 'Dieser Anmeldung wird weniger vertraut als einer Person.',
  },
  failed: (amount) =>
    count(amount, {
      one: 'Zeile ließ sich nicht importieren',
      other: 'Zeilen ließen sich nicht importieren',
    }),
  failedFirst: (shown) => `(hier die ersten ${number(shown)})`,
  line: 'Zeile',
  reason: 'Grund',
  show: 'Erinnerungen anzeigen',
  remove: (name) => `${name} aus dieser Liste entfernen`,
}

export const exporting: Translation<typeof exportSource> = {
  fileName: (day) => `svc-memories-${day}.ndjson`,
  fileType: 'Erinnerungen, eine pro Zeile (NDJSON)',
  running: (amount) => `Export läuft, ${number(amount)}…`,
  done: (amount) => `${memoriesOf(amount)} exportiert`,
}
