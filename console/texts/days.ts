import { number } from './tools/numbers.ts'

/** Numbers by day. */
export const days = {
  title: 'By day',
  range: 'Days',
  ranges: { 7: '7 days', 30: '30 days', 90: '90 days' },
  asTable: 'Show as table',
  day: 'Day',
  total: (total: number) => `${number(total)} in total`,
  chart: (label: string, total: number, count: number) =>
    `${label} by day: ${number(total)} in ${count} days`,
  activity: {
    intro:
      'The questions, reads and writes of you and your assistants, and how fast memories were found.',
    series: {
      recalls: 'Questions',
      contexts: 'Prompts with context',
      read: 'Memories read',
      written: 'Memories written',
      changed: 'Memories changed',
      deleted: 'Memories deleted',
    },
    memories: 'Memories',
    memoriesNow: (total: number) => `${number(total)} now`,
    growth: (from: number, to: number, count: number) =>
      `Number of memories: from ${number(from)} to ${number(to)} in ${count} days`,
    times: 'Time of a search',
    median: 'Median',
    p95: '95 of 100',
    ms: (ms: number) => `${number(ms, { maximumFractionDigits: 1 })} ms`,
    timesNote: (median: string) => `Median of the last day with searches: ${median}`,
    timesChart: (count: number) =>
      `Milliseconds that a search took on each of ${count} days: the median, and what 95 of 100 searches stayed within`,
    noTimes: 'No search was measured on these days.',
    kept: (count: number) => `This server keeps activity for ${number(count)} days.`,
    unrecorded: 'This server records no activity. Only the number of memories is known.',
  },
} as const
