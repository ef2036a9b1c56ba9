import type { home as source } from '../home.ts'
import type { Translation } from '../tools/translation.ts'

export const home: Translation<typeof source> = {
  title: 'Startseite',
  steps: {
    title: 'Erste Schritte',
    progress: (done, all) => `${done} von ${all} erledigt`,
    done: 'erledigt',
    dismiss: 'Ausblenden',
    finish: 'Fertig',
    finished:
      'Alles bereit. Was du und deine Assistenten speichern, liegt in einem gemeinsamen Gedächtnis.',
    remember: 'Etwas merken',
    ask: 'Danach fragen',
    askFirst: 'Speichere zuerst etwas.',
    connect: 'Assistenten verbinden',
    connectNote:
      'Claude, ChatGPT, Cursor und andere lesen und schreiben dann dieselben Erinnerungen.',
    connectAction: 'Assistenten wählen',
  },
  remember: {
    label: 'Etwas merken',
    placeholder: 'Der Ersatzschlüssel liegt unter dem blauen Topf.',
    action: 'Merken',
    done: 'Gemerkt',
    duplicate: 'Das war schon gespeichert',
  },
  ask: {
    label: 'Etwas fragen',
    placeholder: 'Wo liegt der Ersatzschlüssel?',
    action: 'Fragen',
    results: 'Antworten',
    empty: 'Keine Erinnerung beantwortet das. Versuch es mit Wörtern aus der Erinnerung.',
    all: 'Alle Erinnerungen durchsuchen',
  },
  recent: {
    title: 'Zuletzt gemerkt',
    all: 'Alle Erinnerungen',
    empty: 'Noch nichts gemerkt',
    emptyNote:
      'Fakten, Ereignisse, Vorlieben: alles, was du oder deine Assistenten später wissen sollen.',
    add: 'Etwas merken',
  },
  month: {
    title: 'Diesen Monat',
    link: 'Nutzung und Tarif',
  },
  assistants: {
    title: 'Assistenten',
    none: 'Noch kein Assistent verbunden. Verbinde einen, dann liest und schreibt er dieselben Erinnerungen.',
    connect: 'Assistenten verbinden',
    manage: 'Verwalten',
    app: 'App',
    key: 'API-Schlüssel',
  },
  attention: {
    title: 'Offene Punkte',
    verify:
      'Bestätige deine E-Mail-Adresse, um Hinweise, Automatisierung und Einladungen zu nutzen.',
    conflict: (key) => `Deine Erinnerungen widersprechen sich: ${key}`,
    keep: (value) => `„${value}“ behalten`,
    due: 'Fällig',
    done: 'Erledigt',
    later: 'Später',
    doneNamed: (title) => `Erledigt: ${title}`,
    laterNamed: (title) => `Später: ${title}`,
    confirmation: (name) => `„${name}“ wartet auf deine Bestätigung`,
    run: 'Ausführen',
    skip: 'Überspringen',
    engineOff: (name) => `Die Engine „${name}“ ist ausgeschaltet`,
    noReason: 'Es wurde kein Grund angegeben.',
    engines: 'Engines',
    part: (name) => `„${name}“ funktioniert nicht`,
    warming: (name) => `„${name}“ startet gerade`,
    partNote: 'Die Administration dieses Servers findet die Ursache in dessen Log.',
  },
}
