import { describe, expect, test } from 'bun:test'
import { cutTo, share } from '../../server/conversation/prompt/fit.ts'
import { urlsIn } from '../../server/conversation/prompt/pages.ts'
import { hasNews, saysSomething } from '../../server/conversation/prompt/words.ts'

describe('what somebody says', () => {
  for (const message of [
    'I moved to Lisbon.',
    'My name is Bo',
    "I'm vegan",
    'I moved to Lisbon. What should I see?',
    'Ich wohne jetzt in Wien',
    '私はパリに住んでいます',
    'What a day! I won the race.',
    'How I met your mother is my favourite show.',
  ])
    test(`is something: ${message}`, () => expect(saysSomething(message)).toBe(true))

  for (const message of [
    '',
    '?',
    'Hello',
    'Thanks!',
    'Where do I live?',
    'where do i live',
    'Wo wohne ich?',
    '私はどこに住んでいますか？',
    'Who am I? And where do I live?',
    'Tell me about Ada',
    'Can you plan a trip',
  ])
    test(`only asks or greets: ${message || '(nothing)'}`, () =>
      expect(saysSomething(message)).toBe(false))
})

describe('an answer', () => {
  const source = 'The spare key is under the blue flower pot beside the kitchen door at home.'

  test('that repeats what it was made from has no news', () => {
    expect(hasNews('Your spare key is under the blue flower pot, beside the door.', [source])).toBe(
      false,
    )
    expect(hasNews('Yes.', [])).toBe(false)
  })

  test('that says more has, in any script', () => {
    const plan =
      'Climb towards castle ruins, taste custard, wander alleys, hear singing, watch sunset.'
    expect(hasNews(plan, [source])).toBe(true)
    expect(hasNews('土曜日は城に登り、夕方は海辺を散歩して夕日を眺めます。', [source])).toBe(true)
  })

  test('of any length is compared without much ado', () => {
    const long = 'word after word '.repeat(100_000)
    expect(hasNews(long, [long, long])).toBe(false)
  })
})

describe('a text that is too long', () => {
  test('is cut where it says so, never within a character', () => {
    expect(cutTo('short', 10)).toBe('short')
    const cut = cutTo('é'.repeat(1_000), 100)
    expect(cut).toMatch(/^é+\n\[… cut …\]$/)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(300)
  })

  test('leaves room for short ones, which stay whole', () => {
    const [long, short] = share([{ text: 'x'.repeat(9_000) }, { text: 'y'.repeat(90) }], 330)
    expect(short?.text).toBe('y'.repeat(90))
    expect(long?.text.length).toBeWithin(800, 901)
  })
})

test('addresses are found without what ends the sentence around them, each once', () => {
  expect(
    urlsIn(
      'See https://a.example/x?y=1, (http://b.example/c_(d)). https://a.example/x?y=1! <https://e.example>',
    ),
  ).toEqual(['https://a.example/x?y=1', 'http://b.example/c_(d)', 'https://e.example'])
  expect(urlsIn('No address: http:// or example.com')).toEqual([])
})
