import { readFileSync } from 'node:fs'
import { random } from '../../../bench/lib/text.ts'

/** A memory without a thread, with a question in its words and one that has few or none of them. */
export interface Note {
  content: string
  direct: string
  indirect: string
}

const list = (text: string): string[] => text.split(', ')

/** Ten values of each kind, so that no two notes share a name and a value. */
const VALUES: Record<string, string[]> = {
  name: list('Priya, Oskar, Leila, Tomas, Wendy, Kofi, Ingrid, Mateo, Yuki, Farid'),
  code: list(
    'KX-4471, BT-9082, ZR-3316, QM-7750, LV-2094, HD-6128, WN-5573, PC-8839, GJ-1207, TS-6645',
  ),
  food: list(
    'grapes, walnuts, shrimp, onions, celery, strawberries, mustard, raisins, garlic, lobster',
  ),
  city: list('Bergen, Valencia, Osaka, Montreal, Krakow, Lyon, Dublin, Quito, Athens, Seoul'),
  hobby: list(
    'badminton, chess, the cello, volleyball, poker, rugby, the flute, squash, hockey, the harp',
  ),
  subject: list(
    'medicine, geology, law, philosophy, economics, botany, history, physics, Spanish, music',
  ),
  gift: list(
    'camera, telescope, drill, tent, violin, kayak, projector, ladder, suitcase, flowerpot',
  ),
  fear: list(
    'spiders, heights, thunder, snakes, needles, elevators, wasps, darkness, sharks, clowns',
  ),
}

/** The things that turns are about, by topic. */
const THINGS: Record<string, string[]> = {
  food: list(
    'lasagna, ramen, curry, dumplings, pancakes, risotto, tacos, salmon, pumpkin, spinach, chicken, bread, steak, tomatoes',
  ),
  travel: list(
    'Rome, Lisbon, Prague, Kyoto, Oslo, Vienna, Naples, the harbour, the castle, the museum, the cathedral, the beach',
  ),
  work: list(
    'report, budget, presentation, contract, hiring plan, newsletter, survey, spreadsheet, invoice, roadmap, office move',
  ),
  sport: list(
    'football, running, tennis, swimming, climbing, yoga, cycling, rowing, legs, shoulders, crowd',
  ),
  home: list(
    'dishwasher, sofa, lamp, carpet, shelf, fridge, curtain, bookcase, heater, balcony, window, table',
  ),
  health: list('throat, back, ankle, heart, stomach, shoulder, coffee, sugar, running, screens'),
  media: list(
    'moon landing, deep sea, civil war, silent era, jazz age, food industry, gold rush, chess champion, opera house, polar bears',
  ),
  code: list(
    'config file, date field, user table, login form, price list, message queue, search index, parser, cache, session token',
  ),
}
const MOODS = list(
  'wonderful, slow, boring, better than expected, too loud, strange, exhausting, great',
)
const SPEAKERS = [
  ['user', 'assistant'],
  ['Nadia', 'Viktor'],
  ['user', 'Rosa'],
] as const
const THREAD_LENGTH = 20

interface ChatTurn {
  content: string
  thread: string
  author: string
}

/** Chats of {@link THREAD_LENGTH} turns, each about two topics. */
export const chatTurns = (size: number): ChatTurn[] => {
  const next = random(7)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T
  const templates = Map.groupBy(linesOf('turns.txt'), (line) => line.split('|')[0] ?? '')
  const topics = [...templates.keys()]
  const sentenceOn = (topic: string): string =>
    (pick(templates.get(topic) ?? []).split('|')[1] ?? '')
      .replace('{a}', () => pick(THINGS[topic] ?? []))
      .replace('{b}', () => pick(THINGS[topic] ?? []))
      .replace('{m}', () => pick(MOODS))
  return Array.from({ length: size / THREAD_LENGTH }, (_, thread) => {
    const speakers = pick(SPEAKERS)
    const about = [pick(topics), pick(topics)]
    return Array.from({ length: THREAD_LENGTH }, (_, i) => ({
      content: `${sentenceOn(pick(about))} ${sentenceOn(pick(about))}`,
      thread: `chat ${thread + 1}`,
      author: speakers[i % 2] ?? '',
    }))
  }).flat()
}

const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

const noteOf = (line: string): Note => {
  const [content = '', direct = '', indirect = ''] = line.split('|')
  return { content, direct, indirect }
}

/** Each line with each name, and with a value of the other kind. */
const noteLines = (): string[] =>
  linesOf('notes.txt').flatMap((line, i) =>
    (VALUES.name ?? []).map((name, j) =>
      line.replaceAll(/\{(\w+)\}/g, (_, kind) =>
        kind === 'name' ? name : (VALUES[kind]?.[(i * 3 + j) % 10] ?? ''),
      ),
    ),
  )

/** 60 preferences and instructions of the user. */
export const preferences = (): Note[] => linesOf('preferences.txt').map(noteOf)

/** 140 notes about ten people. */
export const notesOnPeople = (): Note[] => noteLines().map(noteOf)
