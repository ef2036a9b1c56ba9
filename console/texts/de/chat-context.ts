import type { chatContext as source } from '../chat-context.ts'
import { count, number } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'

export const chatContext: Translation<typeof source> = {
  find: {
    label: 'In diesem Chat suchen',
    results: 'Gefundene Nachrichten',
    close: 'Suche schließen',
    found: (amount) =>
      amount ? count(amount, { one: 'Nachricht', other: 'Nachrichten' }) : 'Keine Nachricht',
  },
  models: {
    title: 'Modell',
    choose: (name) => `Modell: ${name}`,
    first: (name) => `${name} (Standard)`,
    local: 'Nur Erinnerungen, ohne Modell',
    unavailable: 'zurzeit nicht verfügbar',
  },
  context: {
    title: 'Kontext der Antwort',
    close: 'Schließen',
    unknown: 'Für diese Antwort wurde der Kontext nicht aufgezeichnet.',
    budget: (used, window) => `${number(used)} von ${number(window)} Tokens`,
    parts: {
      instructions: 'Anweisungen',
      tools: 'Tools',
      message: 'Deine Nachricht',
      images: 'Bilder',
      memories: 'Erinnerungen',
      attachments: 'Dateien und Seiten',
      history: 'Frühere Nachrichten',
    },
    messages: (given, left) =>
      `${count(given, { one: 'frühere Nachricht', other: 'frühere Nachrichten' })} im Kontext${left ? `, für ${number(left)} weitere war kein Platz` : ''}.`,
    tools: (names) => `Das Modell konnte aufrufen: ${names}.`,
    memoriesOfFound: (given, found) =>
      `${number(given)} von ${number(found)} gefundenen Erinnerungen`,
    instructions: 'Deine Anweisungen',
    noInstructions: 'Keine: Einstellungen → Anweisungen.',
  },
}
