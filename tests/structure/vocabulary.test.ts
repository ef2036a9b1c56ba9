import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SOURCES = '{server,cli,mcp,shared,console,bench,scripts,tests,docs}/**/*.{ts,tsx,md}'

/** Words that the glossary replaces, in identifiers as well as in text. Their standard term is the value. */
const REPLACED: Record<string, string> = {
  surroundings: 'deps, AppDeps',
  tidings: 'notice',
  whoever: 'the user, the caller, the client',
  whomever: 'the user, the caller, the client',
  somebody: 'a user, another user',
  nobody: 'no user, no other client',
  anybody: 'any user, any client',
  giveBack: 'refund, release',
  takeTurn: 'lockExclusive',
  holdUser: 'lockUserShared',
  worthOf: 'creditValue',
  paidBack: 'refunded',
}

/** Phrases of the old comments. */
const PHRASES = [
  /\b(?:has|have|who) left\b/i,
  /\b(?:let|lets|letting) others have\b/i,
  /\b(?:is|are|was|were) told\b/i,
  /\bwhat is known of\b/i,
  /\bthat what\b/i,
]

/** A statement does not begin like this; a question may. */
const INVERTED_START = /^(?:What|Whoever|Whatever|That what|Of what|Of those)\b/

/** This file, the glossary with its column of words to avoid, and texts that people write to an assistant. */
const EXEMPT = [
  /^tests\/structure\/vocabulary\.test\.ts$/,
  /^docs\/reference\/glossary\.md$/,
  // The user account `nobody`, and the pronouns that the fact rules read.
  /^docs\/how-to\/database\.md$/,
  /^server\/platform\/db\/embedded\//,
  /^server\/memory\/facts\/rules\/words\.ts$/,
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

/** The prose of a file: comments and test titles of code, everything but code blocks of a document. */
const proseOf = ({ path, text }: { path: string; text: string }): string[] => {
  if (path.endsWith('.md')) return text.replace(/```[\s\S]*?```/g, '').split(/\n\s*\n|\n[-|#] ?/)
  const comments = [...text.matchAll(COMMENT)].map((match) =>
    (match[1] ?? match[2] ?? '').replace(/^\s*\*\s?/gm, ' '),
  )
  const titles = [...text.matchAll(TITLE)].map(([, , title = '']) => title)
  return [...comments, ...titles.map((title) => title.charAt(0).toUpperCase() + title.slice(1))]
}

const sentencesOf = (prose: string): string[] =>
  prose
    .replace(/\s+/g, ' ')
    .match(/[^.!?]+[.!?]?/g)
    ?.map((sentence) => sentence.trim()) ?? []

test('no word that the glossary replaces is used', () => {
  const word = new RegExp(`\\b(?:${Object.keys(REPLACED).join('|')})\\b`, 'gi')
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(word)].map(([each]) => `${path}: ${each}`),
  )
  expect(found).toEqual([])
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
