import { expect, test } from 'bun:test'
import { withFormulas } from '../../console/ui/formulas.ts'

test.each([
  ['The area is $\\pi r^2$.', 'The area is $$\\pi r^2$$.'],
  ['Both \\(a\\) and \\( b \\).', 'Both $$a$$ and $$b$$.'],
  ['So\\[ x = 1 \\]', 'So\n\n$$\nx = 1\n$$\n\n'],
  ['$$\nx\n$$', '$$\nx\n$$'],
])('the formulas of %j are written in one form', (text, expected) => {
  expect(withFormulas(text)).toBe(expected)
})

test.each([
  'It costs $5 and not $10.',
  'From $5-$10 a month.',
  'Set $HOME and $PATH.',
  'In code: `echo $a$` and\n```sh\necho "$x$y$"\n```\n',
  'An open block:\n```sh\necho $a$',
  'Escaped \\$a\\$, and \\(a\\].',
  'A list [x](y) \\[not closed',
  '',
])('%j has no formula', (text) => {
  expect(withFormulas(text)).toBe(text)
})

test('a long text of signs is read in no time', () => {
  for (const sign of ['$', '`', '\\(', '$a ', '\\[ '])
    expect(withFormulas(sign.repeat(50_000)).length).toBeGreaterThan(0)
})
