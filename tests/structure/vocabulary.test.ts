import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = '{server,cli,mcp,shared,console,clients,bench,scripts,tests,docs}/**/*.{ts,tsx,md}'

/** A word of the glossary's column "not", with the term that replaces it. */
interface Replaced {
  word: string
  term: string
}

/** The rows of the glossary. Parentheses and quotation marks explain when the word does not fit. */
const readGlossary = (page: string): Replaced[] =>
  [...page.matchAll(/^\| (?!term \| meaning)(.+?) \| .+ \| (.+?) \|$/gm)].flatMap(
    ([, term = '', column = '']) =>
      column
        .replace(/ \([^)]*\)|, without "[^"]*"/g, '')
        .split(', ')
        .map((word) => ({ word, term })),
  )

const rows = readGlossary(await Bun.file(join(ROOT, 'docs/reference/glossary.md')).text())
const replaced = [...new Map(rows.map((row) => [row.word, row])).values()]

interface Exception {
  /** The replaced sense. Without it, the word is replaced in every sense. */
  sense?: RegExp
  /** Files that use the word in another sense. */
  files?: RegExp
  reason: string
}

/** Words that are standard in another sense. Only the replaced sense of these is checked. */
const EXCEPTIONS: Record<string, Exception> = {
  person: {
    sense: /\bpersons (?:account|password)\b/,
    reason: 'a human being, in facts and identity',
  },
  nobody: {
    files: /^docs\/how-to\/database\.md$|^server\/platform\/db\/embedded\/|facts|^tests\/harness\//,
    reason: 'the operating system user, and a pronoun that the fact rules read',
  },
  somebody: { files: /facts/, reason: 'a pronoun that the fact rules read' },
  anybody: { files: /facts/, reason: 'a pronoun that the fact rules read' },
  session: {
    sense: /\bsession of (?:the )?chat\b/,
    reason: 'a sign-in, and a session of PostgreSQL or MCP',
  },
  program: {
    sense: /\bprograms? that signs? in\b/,
    reason: 'the command line, and the processes of a system',
  },
  letter: {
    sense: /\b(?:sends?|sent|queues?|queued) (?:a|the) letters?\b/,
    reason: 'a letter of the alphabet',
  },
  mail: {
    sense: /\b(?:a|one|two|each|every) mail\b(?! (?:server|provider|client|queue|job|address))/,
    reason: 'emails together, and the verb',
  },
  take: { sense: /\btakes? (?:a|the) (?:quota|credit)s?\b/, reason: 'an ordinary verb' },
  evidence: {
    files:
      /^bench\/|^tests\/unit\/quality-data\.test\.ts$|^docs\/(?:explanation\/recall|reference\/benchmarks)\.md$/,
    reason: 'the term of the published questions',
  },
  word: { sense: /\bwords? of (?:a|the) posting\b/, reason: 'a word of a text' },
  succeed: { sense: /\bsucceeds? (?:a|the) memory\b/, reason: 'to be successful' },
  repeat: { sense: /\brepeat of (?:a|the) reminder\b/, reason: 'to do again' },
  drain: {
    sense: /\bdrains? (?:the )?(?:engine|task|owner|queue)s?\b/,
    reason: 'what a stopping server does',
  },
  round: {
    sense: /\bround of (?:a|the) (?:chat|conversation)\b/,
    reason: 'a repetition of a benchmark or test',
  },
  given: { sense: /\bgiven (?:text|completion) of\b/, reason: 'a participle' },
  answer: {
    files: /^(?!server\/prompt\/)/,
    sense: /\banswers? of (?:a|the) model\b/,
    reason: 'the part of a turn that answers its question',
  },
  asker: { files: /^server\/people\/dm\//, reason: 'is being renamed' },
  asking: {
    sense: /\b(?:client|oauth) asking\b/,
    reason: 'a memory that asks a question',
  },
  saying: { sense: /\b(?:a|each|the) sayings?\b/, reason: 'the participle of to say' },
  hands: {
    files: /^server\/memory\/facts\/|^tests\/browser\/|handoff/,
    reason: 'the verb, and the hands of a person',
  },
  doing: { files: /^server\/memory\/facts\//, reason: 'a participle that the fact rules read' },
  forgetting: {
    sense: /\bforgetting rules?\b/,
    reason: 'the participle of to forget',
  },
  hold: { sense: /\bholds? (?:a|the|its) (?:user|row|person)\b/, reason: 'an ordinary verb' },
  turn: {
    sense: /\b(?:takes? (?:a|its|their) turns?|in (?:its|their) turn)\b/,
    reason: 'a question with its answer',
  },
  mode: {
    sense: /\bmode of (?:a|the) (?:server|process)\b/,
    reason: 'light, dark, test and transaction mode',
  },
  'has left': {
    sense: /\b(?:client|caller|connection) has left\b/,
    reason: 'a member leaves an organization',
  },
  'is gone': { sense: /\b(?:client|caller|connection) is gone\b/, reason: 'the status 410 Gone' },
}

/** The text in lower case on one line, with the words of names apart. */
const wordsOf = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*|_/g, ' ')
    .toLowerCase()

/** The uses of replaced words in a file. */
const usesIn = ({ path, text }: { path: string; text: string }): string[] => {
  const words = wordsOf(text)
  return replaced.flatMap(({ word, term }) => {
    const { sense, files } = EXCEPTIONS[word] ?? {}
    if (files?.test(path)) return []
    const found = words.match(sense ?? new RegExp(`\\b${word}\\b`))
    return found ? [`${path}: ${found[0]} (${term})`] : []
  })
}

/** Phrases of the old comments. */
const PHRASES = [
  /\b(?:has|have|who) left\b/i,
  /\b(?:let|lets|letting) others have\b/i,
  /\b(?:is|are|was|were) told\b/i,
  /\bwhat is known of\b/i,
  /\bthat what\b/i,
]

/** A title begins with its subject. A title that begins like this reads only with that of its group. */
const FRAGMENT =
  /^(?:is|are|was|has|have|can|cannot|may|does|never|or|and|then|it|of|when|rejects|returns|accepts|sends|keeps|gets|ends|loses|shows|serves)\b/

/** A statement does not begin like this; a question may. */
const INVERTED_START = /^(?:What|Whoever|Whatever|That what|Of what|Of those)\b/

/** This file, the glossary with its column of words to avoid, and tests with texts that people write to an assistant. */
const EXEMPT = [
  // Lists of words of a language.
  /^server\/memory\/facts\/rules\/words\.ts$/,
  /^tests\/structure\/vocabulary\.test\.ts$/,
  /^docs\/reference\/glossary\.md$/,
  /^tests\/(?:unit|memory|conversation|automation|fuzz)\/.*(?:facts|words|texts|corpus|reminders|identity|recall|repeats|rest|dates)/,
]

const files = (
  await Promise.all(
    [...new Glob(SOURCES).scanSync(ROOT), 'README.md', 'CONTRIBUTING.md'].map(async (path) => ({
      path,
      text: await Bun.file(join(ROOT, path)).text(),
    })),
  )
).filter(({ path }) => !EXEMPT.some((exempt) => exempt.test(path)))

const COMMENT = /\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ (.*)/g
const TITLE = /\b(?:test|describe|browserTest)(?:\.\w+)?\(\s*(['"`])((?:(?!\1).)*)\1/g

const titlesOf = (text: string): string[] =>
  [...text.matchAll(TITLE)].map(([, , title = '']) => title)

/** The prose of a file: comments, test titles and the texts of the console, and everything but code blocks of a document. */
const proseOf = ({ path, text }: { path: string; text: string }): string[] => {
  if (path.endsWith('.md')) return text.replace(/```[\s\S]*?```/g, '').split(/\n\s*\n|\n[-|#] ?/)
  const comments = [...text.matchAll(COMMENT)].map((match) =>
    (match[1] ?? match[2] ?? '').replace(/^\s*\*\s?/gm, ' '),
  )
  const shown = /^console\/texts\//.test(path) ? [...text.matchAll(/'([^'\n]+)'/g)] : []
  return [
    ...comments,
    ...shown.map(([, each = '']) => each),
    ...titlesOf(text).map((title) => title.charAt(0).toUpperCase() + title.slice(1)),
  ]
}

const sentencesOf = (prose: string): string[] =>
  prose
    .replace(/\s+/g, ' ')
    .match(/[^.!?]+[.!?]?/g)
    ?.map((sentence) => sentence.trim()) ?? []

test('no word that the glossary replaces is used', () => {
  expect(files.flatMap(usesIn)).toEqual([])
})

test('a replaced word is found in names, comments and texts', () => {
  const path = 'server/a.ts'
  for (const text of ['const appSurroundings = 1', '/** Uses the\n * tidings. */', "'give_back'"])
    expect(usesIn({ path, text })).toHaveLength(1)
  expect(usesIn({ path, text: 'const handsome = answers.take(2)' })).toEqual([])
})

test('every exception is for a word of the glossary', () => {
  const words = replaced.map(({ word }) => word)
  expect(words).toContain('tidings')
  expect(Object.keys(EXCEPTIONS).filter((word) => !words.includes(word))).toEqual([])
})

test('no phrase of the old comments is used', () => {
  const found = files.flatMap((file) =>
    proseOf(file).flatMap((prose) =>
      PHRASES.flatMap((phrase) => phrase.exec(prose)?.map((each) => `${file.path}: ${each}`) ?? []),
    ),
  )
  expect(found).toEqual([])
})

test('no statement begins with What, Whoever or Of those', () => {
  const found = files.flatMap((file) =>
    proseOf(file)
      .flatMap(sentencesOf)
      .filter((sentence) => INVERTED_START.test(sentence) && !sentence.endsWith('?'))
      .map((sentence) => `${file.path}: ${sentence.slice(0, 80)}`),
  )
  expect(found).toEqual([])
})

test('a test title does not begin with a fragment of a sentence', () => {
  const found = files.flatMap(({ path, text }) =>
    /\.test\.tsx?$/.test(path)
      ? titlesOf(text)
          .filter((title) => FRAGMENT.test(title))
          .map((title) => `${path}: ${title}`)
      : [],
  )
  expect(found).toEqual([])
  expect('or declined').toMatch(FRAGMENT)
})
