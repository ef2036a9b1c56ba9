import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { limitLookahead } from '../../server/memory/text/lookahead.ts'
import { toSearchText } from '../../server/memory/text/segmentation.ts'
import { budgets } from '../../server/platform/budgets.ts'

/** The alphabet of the parser of PostgreSQL's text search, with the beginning and end of a comment. */
const character = fc.constantFrom(
  ...`_-./:@<>!&;=?#%+~'"\\0aeETZ, \n\u2028é我`,
  ...['<!--', '-->', 'https://', 'a@1', ' '.repeat(9)],
)
const repeated = fc
  .tuple(fc.array(character, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 3_000 }))
  .map(([unit, times]) => unit.join('').repeat(times))
const texts = fc.array(repeated, { maxLength: 3 }).map((parts) => parts.join(''))

const count = (text: string, part: string) => text.split(part).length - 1
const MARKS = ['-', '@', '.', '_', '/', ':', '~', '?']

test('PostgreSQL looks past a bounded number of marks, and of comments to the end of a text', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const parsed = await toSearchText(text)
      for (const run of parsed.split(/[ \t\n\v\f\r]/)) {
        const marks = MARKS.reduce((sum, mark) => sum + count(run, mark), 0)
        expect(marks).toBeLessThanOrEqual(budgets.searchTextRun.count)
      }
      const last = parsed.lastIndexOf('<!--')
      if (last >= 0) expect(parsed.indexOf('-->', last + 4)).toBeGreaterThan(last)
    }),
  )
})

test('a text is only separated, and its separated form is not separated again', async () => {
  const withoutSpaces = (text: string) => text.replace(/ /g, '')
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const parsed = await toSearchText(text)
      expect(withoutSpaces(parsed)).toBe(withoutSpaces(text.normalize('NFKC').slice(0, 64_000)))
      expect(limitLookahead(parsed)).toBe(parsed)
    }),
  )
})

const USUAL: [name: string, text: string][] = [
  [
    'a long URL',
    'https://www.example.com/2026/01/15/travel/how-to-see-the-north-of-norway.html?utm_source=a&utm_medium=b',
  ],
  ['a list of addresses', 'ana@example.org,ben@example.org,carl.f@example.org,dora@example.org'],
  ['HTML', '<p class="intro">Hello <!-- hidden --> <b>world</b></p>'],
  ['a long word', 'many'.repeat(500)],
]

test.each(USUAL)('%s is not separated', async (_, text) => {
  expect(await toSearchText(text)).toBe(text)
})
