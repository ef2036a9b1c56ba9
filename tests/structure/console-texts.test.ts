import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readTranslation, translationProblems } from '../../console/translation.ts'
import { ROOT } from '../../scripts/structure/sources.ts'
import { LANGUAGES } from '../../shared/languages.ts'

const [, ...translations] = LANGUAGES
const TEXTS = join(ROOT, 'console/texts')

/** The build makes these two. */
const GENERATED = ['api-texts', 'language']

const names = readdirSync(TEXTS)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => basename(name, '.ts'))
  .filter((name) => !GENERATED.includes(name))

const english = Object.fromEntries(
  await Promise.all(
    names.map(async (name) => [name, { ...(await import(join(TEXTS, `${name}.ts`))) }]),
  ),
)

test.each(translations)(
  '%s has each text of the console, with its values and no others',
  (language) => {
    expect(names.length).toBeGreaterThan(20)
    expect(translationProblems(english, readTranslation(language), language)).toEqual([])
  },
)

test('a text that is missing, unknown, of another form or without a value is a problem', () => {
  const source = {
    title: 'Title',
    list: ['a', 'b'],
    left: (amount: number, total: number) => `${amount} of ${total}`,
  }
  const complete = { title: 'Titel', list: ['a', 'b'], left: '{0, number} von {1}' }
  expect(translationProblems(source, complete, 'de')).toEqual([])
  const problems = translationProblems(
    source,
    { list: ['a'], left: 'noch {0, plural, one {# Tag} other {{2} Tage}}', more: '' },
    'de',
  )
  expect(problems).toEqual([
    'de.title is missing',
    'de.list has another form',
    'de.left must have the values {0}, {1}',
    'de.more is unknown',
  ])
})

test.each([
  '{0',
  '}',
  '{name}',
  '{0, date}',
  '{0, number, ::compact}',
  '{0, plural, one {# day}}',
  '{0, select}',
])('the message %s is refused', (message) => {
  expect(() => translationProblems((_: unknown) => '', message, 'de')).toThrow('is not a message')
})
