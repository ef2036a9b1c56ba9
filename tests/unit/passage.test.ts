import { expect, test } from 'bun:test'
import { passageOf } from '../../cli/commands/passage.ts'

const filler = (text: string, count: number) => text.repeat(count)

test('the passage of a long memory is the sentence with the most words of the question, in its context', () => {
  const text = `${filler('The garden has a shed. ', 60)}Ben repaired the roof in 2024. ${filler('It rains. ', 90)}`
  const { before, match, after, isCut } = passageOf(text, 'Who repaired the roof?')
  expect([match, isCut]).toEqual(['Ben repaired the roof in 2024.', true])
  expect(before).toMatch(/^…The garden has a shed\. .*\. $/)
  expect(after).toMatch(/^ It rains\. .*It rains\.…$/)
  expect((before + match + after).length).toBeLessThan(650)
})

test('a short memory is shown whole, and a text without spaces is cut', () => {
  expect(passageOf('It is blue. The roof leaks.', 'roof')).toEqual({
    before: 'It is blue. ',
    match: 'The roof leaks.',
    after: '',
    isCut: false,
  })
  const long = passageOf(`${filler('x', 5_000)} roof ${filler('y', 5_000)}`, 'roof')
  expect(long.match).toContain('roof')
  expect((long.before + long.match + long.after).length).toBeLessThan(1_000)
})

test('a memory without a word of the question has no passage', () => {
  expect(passageOf('Nothing here.', 'roof')).toMatchObject({ match: '', after: 'Nothing here.' })
})
