import type { days as source } from '../days.ts'
import { number } from '../tools/numbers.ts'
import type { Translation } from '../tools/translation.ts'

export const days: Translation<typeof source> = {
  title: 'Nach Tagen',
  range: 'Tage',
  ranges: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage' },
  asTable: 'Als Tabelle anzeigen',
  day: 'Tag',
  total: (total) => `${number(total)} insgesamt`,
  chart: (label, total, count) => `${label} pro Tag: ${number(total)} in ${count} Tagen`,
  activity: {
    intro:
      'Was du und deine Assistenten gefragt, gelesen und geschrieben haben, und wie schnell Erinnerungen gefunden wurden.',
    series: {
      recalls: 'Fragen',
      contexts: 'Prompts mit Kontext',
      read: 'Gelesene Erinnerungen',
      written: 'Geschriebene Erinnerungen',
      changed: 'Geänderte Erinnerungen',
      deleted: 'Gelöschte Erinnerungen',
    },
    memories: 'Erinnerungen',
    memoriesNow: (total) => `jetzt ${number(total)}`,
    growth: (from, to, count) =>
      `Anzahl der Erinnerungen: von ${number(from)} auf ${number(to)} in ${count} Tagen`,
    times: 'Dauer einer Suche',
    median: 'Median',
    p95: '95 von 100',
    ms: (ms) => `${number(ms, { maximumFractionDigits: 1 })} ms`,
    timesNote: (median) => `Median am letzten Tag mit Suchen: ${median}`,
    timesChart: (count) =>
      `Millisekunden, die eine Suche an jedem von ${count} Tagen dauerte: der Median, und was 95 von 100 Suchen nicht überschritten`,
    noTimes: 'An diesen Tagen wurde keine Suche gemessen.',
    kept: (count) => `Dieser Server bewahrt die Aktivität ${number(count)} Tage auf.`,
    unrecorded:
      'Dieser Server zeichnet keine Aktivität auf. Bekannt ist nur die Anzahl der Erinnerungen.',
  },
}
