import type { TestedAssistant } from './assistants.ts'

type ProjectName = 'shop' | 'praxis'

/** A prompt of the week, each in a session of its own. */
export interface WeekTurn {
  /** From 1 to 7. */
  day: number
  client: TestedAssistant['client']
  project: ProjectName
  prompt: string
  answer: string
  /** In the memory that the prompt needs; undefined for a prompt that needs none. */
  needs?: RegExp
  /** Whether the prompt is sent in another worktree of the project. */
  isInWorktree?: boolean
}

/** Statements of another person and of an organization, with words that nothing else has. */
export const PLANTED = {
  person: [
    'The shop deploys to Reykjavik, and its database is Oracle.',
    'Die Termine der Praxis dauern 45 Minuten, und Herr Zorn entscheidet über neue Funktionen.',
    'The prices of the checkout are stored as roubles.',
  ],
  organization: [
    'The shop deploys to Singapore, and its database is Informix.',
    'Die Praxis ist sonntags geschlossen, und Erinnerungen gehen per Brieftaube raus.',
    'The prices of the checkout are stored as floats.',
  ],
}

export const PLANTED_WORDS =
  /Reykjavik|Oracle|45 Minuten|Zorn|roubles|Singapore|Informix|sonntags|Brieftaube|floats/

/** A personal fact, and the question about it that is asked in the organization. */
export const SECRET = 'My salary at the bakery is 71,000 euros.'
export const SECRET_WORDS = /71,000/
export const SECRET_QUESTION = 'What is my salary at the bakery?'

const codex = 'codex'
const opencode = 'opencode'
const shop = 'shop'
const praxis = 'praxis'

export const WEEK: WeekTurn[] = [
  {
    day: 1,
    client: codex,
    project: shop,
    prompt: 'Set up the deployment. We deploy the shop to Hetzner in Helsinki, never to AWS.',
    answer: 'The deployment is set up.',
  },
  {
    day: 1,
    client: opencode,
    project: praxis,
    prompt:
      'Lege den Kalender an. Die Termine der Praxis dauern 20 Minuten, montags ist geschlossen.',
    answer: 'Der Kalender ist angelegt.',
  },
  {
    day: 2,
    client: codex,
    project: shop,
    prompt: 'The database of the shop is PostgreSQL 15, and its backups run at 3 in the morning.',
    answer: 'I have added the backups.',
  },
  {
    day: 2,
    client: codex,
    project: praxis,
    prompt: 'Die Erinnerungen an Termine gehen per SMS über den Anbieter Seven raus.',
    answer: 'Die Erinnerungen sind eingerichtet.',
  },
  {
    day: 3,
    client: opencode,
    project: shop,
    prompt: 'Write the checkout. Its prices are stored in cents, as integers.',
    answer: 'The checkout is written.',
  },
  {
    day: 3,
    client: codex,
    project: praxis,
    prompt: 'Frau Lehmann entscheidet in der Praxis über neue Funktionen. Notiere das im README.',
    answer: 'Das steht jetzt im README.',
  },
  {
    day: 4,
    client: opencode,
    project: shop,
    needs: /Helsinki/,
    prompt: 'Add a second server. Where do we deploy the shop to?',
    answer: 'I have added a second server.',
  },
  {
    day: 4,
    client: codex,
    project: praxis,
    needs: /20 Minuten/,
    prompt: 'Wie lange dauern die Termine der Praxis?',
    answer: 'So lange, wie es im Kalender steht.',
  },
  {
    day: 5,
    client: codex,
    project: shop,
    needs: /cents/,
    isInWorktree: true,
    prompt: 'How are the prices of the checkout stored?',
    answer: 'As the notes say.',
  },
  {
    day: 5,
    client: opencode,
    project: praxis,
    needs: /Seven/,
    prompt: 'Über welchen Anbieter gehen die Erinnerungen an Termine raus?',
    answer: 'Über den vereinbarten.',
  },
  {
    day: 5,
    client: codex,
    project: shop,
    prompt: 'Rename the variable a to total in this line: const a = 1 + 2',
    answer: 'const total = 1 + 2',
  },
  {
    day: 6,
    client: codex,
    project: shop,
    needs: /PostgreSQL 15/,
    prompt: 'Which version of PostgreSQL does the database of the shop have?',
    answer: 'The one in the notes.',
  },
  {
    day: 6,
    client: codex,
    project: praxis,
    prompt: 'Schreibe eine Funktion, die zwei Zahlen addiert.',
    answer: 'const add = (a, b) => a + b',
  },
  {
    day: 7,
    client: codex,
    project: shop,
    needs: /3 in the morning/,
    prompt: 'At what time do the backups of the database run?',
    answer: 'At the agreed time.',
  },
  {
    day: 7,
    client: codex,
    project: praxis,
    needs: /Lehmann/,
    prompt: 'Wer entscheidet in der Praxis über neue Funktionen?',
    answer: 'Die Person im README.',
  },
  {
    day: 7,
    client: codex,
    project: praxis,
    needs: /montags/,
    prompt: 'An welchem Tag ist die Praxis geschlossen?',
    answer: 'Am Ruhetag.',
  },
]
