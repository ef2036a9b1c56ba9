import { expect, test } from 'bun:test'
import { isMarkdown, plainExcerpt } from '../../console/areas/memories/plain-text.ts'

test.each([
  ['# Title\ntext', 'Title\ntext'],
  ['- one\n- two', 'one\ntwo'],
  ['a **bold** word', 'a bold word'],
  ['see [the page](https://example.com/a)', 'see the page'],
  ['```ts\nconst a = 1\n```', 'const a = 1'],
])('%j is Markdown, and %j without its marks', (text, plain) => {
  expect(isMarkdown(text)).toBe(true)
  expect(plainExcerpt(text, 400)).toBe(plain)
})

test.each([
  'We deploy to Hetzner.',
  '- one item',
  '5 * 3 * 2 = 30',
  'a # is no title',
  'C# and F#',
  'array[0](1)',
  '',
])('%j is no Markdown, and stays as it is', (text) => {
  expect(isMarkdown(text)).toBe(false)
  expect(plainExcerpt(text, 400)).toBe(text)
})

test('an excerpt ends within no character', () => {
  expect(plainExcerpt('🪿'.repeat(10), 3)).toBe('🪿\ufffd')
})
