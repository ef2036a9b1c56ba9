import { describe, expect, test } from 'bun:test'
import { shareTokens, truncateToTokens } from '../../server/prompt/assemble.ts'
import { findUrls } from '../../server/prompt/message-content.ts'
import { addsInformation, containsStatement } from '../../server/prompt/statements.ts'

describe('a message', () => {
  for (const message of [
    'I moved to Lisbon.',
    'My name is Bo',
    "I'm vegan",
    'I moved to Lisbon. What should I see?',
    'Ich wohne jetzt in Wien',
    '私はパリに住んでいます',
    'What a day! I won the race.',
    'How I met your mother is my favourite show.',
    'Please remember that I am allergic to nuts.',
    'Please call me Bo.',
    'Could you remind me to call Ada on Friday.',
    'Please use metric units.',
    'Please plan a trip, my wife is allergic to nuts.',
    'Please summarise the meeting. I was ill on Monday.',
    'Explain it slowly, because I am new to chess.',
    'List prices rose in June.',
    'Bitte merk dir, dass ich in Wien wohne.',
    'Please note: the spare key is in the shed.',
    'Remember that I moved to Porto.',
    'Please write to me in British English, because I live in Leeds.',
    'The summary explains the plan.',
    'Outline of the plan: the release is on Friday.',
    'Bitte erkläre es langsam, ich lerne erst Deutsch.',
    'Liste der Einkäufe: Milch und Brot.',
    'Por favor, recuerda que soy alérgico a las nueces.',
    'Resumen de la reunión: el lanzamiento es el viernes.',
    'Explica el plan despacio, soy nuevo.',
    "S'il te plaît, souviens-toi que j'habite à Lyon.",
    'Liste des courses : du lait et du pain.',
    '请记住我对坚果过敏。',
    '私がパリに住んでいることを覚えておいてください。',
  ])
    test(`a message contains a statement: ${message}`, () =>
      expect(containsStatement(message)).toBe(true))

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
    'Please summarise what I told you about the trip to Lisbon.',
    'Please summarize everything that you know about Ada, Bo and the house that they bought in May.',
    'Summarise my week.',
    'Could you please explain how the boiler works.',
    'Please plan a trip to Lisbon.',
    'Hello! Please list my open tasks. Thanks!',
    'Bitte fasse zusammen, was du weißt.',
    'Write a short poem about the sea.',
    'Draft an email to Bo about the release.',
    'Help me find a good title for the report.',
    'Could you translate the last message to French.',
    'Fasse meine Woche zusammen.',
    'Erkläre mir, wie die Heizung funktioniert.',
    'Können Sie mir bitte alle offenen Aufgaben nennen.',
    'Resume lo que sabes de mi viaje a Lisboa.',
    'Explícame cómo funciona la caldera.',
    'Por favor, tradúceme el último mensaje.',
    'dónde vivo',
    'Résume ce que tu sais de mon voyage à Lisbonne.',
    'Pouvez-vous expliquer comment marche la chaudière.',
    "S'il vous plaît, donnez-moi la liste des tâches.",
    '请总结一下我的旅行。',
    '帮我翻译上一条消息。',
    '旅行について要約してください。',
    'ボイラーの仕組みを教えて。',
  ])
    test(`a message contains no statement: ${message || '(nothing)'}`, () =>
      expect(containsStatement(message)).toBe(false))
})

describe('an answer', () => {
  const source = 'The spare key is under the blue flower pot beside the kitchen door at home.'

  test('an answer that repeats its sources adds no information', () => {
    expect(
      addsInformation('Your spare key is under the blue flower pot, beside the door.', [source]),
    ).toBe(false)
    expect(addsInformation('Yes.', [])).toBe(false)
  })

  test('an answer with more than its sources adds information, in any script', () => {
    const plan =
      'Climb towards castle ruins, taste custard, wander alleys, hear singing, watch sunset.'
    expect(addsInformation(plan, [source])).toBe(true)
    expect(
      addsInformation('土曜日は城に登り、夕方は海辺を散歩して夕日を眺めます。', [source]),
    ).toBe(true)
  })

  test('a long answer is compared quickly', () => {
    const long = 'word after word '.repeat(100_000)
    expect(addsInformation(long, [long, long])).toBe(false)
  })
})

describe('a text that exceeds its token budget', () => {
  test('a text above its token budget is truncated with a mark, never within a character', () => {
    expect(truncateToTokens('short', 10)).toBe('short')
    const cut = truncateToTokens('é'.repeat(1_000), 100)
    expect(cut).toMatch(/^é+\n\[… cut …\]$/)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(300)
  })

  test('a long text is truncated before short ones, which stay whole', () => {
    const [long, short] = shareTokens([{ text: 'x'.repeat(9_000) }, { text: 'y'.repeat(90) }], 330)
    expect(short?.text).toBe('y'.repeat(90))
    expect(long?.text.length).toBeWithin(800, 901)
  })
})

test('findUrls finds each URL once, without the punctuation of its sentence', () => {
  expect(
    findUrls(
      'See https://a.example/x?y=1, (http://b.example/c_(d)). https://a.example/x?y=1! <https://e.example>',
    ),
  ).toEqual(['https://a.example/x?y=1', 'http://b.example/c_(d)', 'https://e.example'])
  expect(findUrls('No address: http:// or example.com')).toEqual([])
})
