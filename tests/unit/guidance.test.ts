import { expect, test } from 'bun:test'
import { readGuidance } from '../../server/memory/recall/advice.ts'

/** Written apart from the rule, so that it has wordings that the rule was not made for. */
const ADVICE = [
  'Suggest a starter for the party on Saturday.',
  'What should I have for dinner tonight?',
  'I need a new jacket for autumn, any ideas?',
  'Plan a week of holidays in Greece for me.',
  'Find me a dermatologist nearby.',
  'Write an invitation to dinner for my friends.',
  'Which curry would suit me?',
  'Explain how vaccines work.',
  'How could I decorate my study?',
  'Put together a playlist for cooking.',
  'Wohin könnte ich im Juli fahren?',
  'Schreib mir eine Einladung zum Essen.',
  'Was soll ich morgen anziehen?',
  'Hast du Tipps gegen Kopfschmerzen?',
  '¿Qué podría regalarle a mi madre?',
  'Recomiéndame una película para esta noche.',
  'Ayúdame a planear mi fin de semana.',
  '¿Cómo puedo dormir mejor?',
  'Quel cadeau pourrais-je offrir à mon frère ?',
  'Peux-tu me conseiller un restaurant ?',
  'Comment puis-je apprendre le piano ?',
  '今晚我应该吃什么？',
  '请帮我计划一次旅行。',
  '有什么书可以推荐吗？',
  '週末は何をすればいいですか、おすすめは？',
  '旅行の計画を手伝ってください。',
]
const EVENTS = [
  'When did Anna move to Porto?',
  'How many marathons have I run?',
  'Who gave me the red scarf?',
  'What did the doctor say about my knee?',
  'How long was the flight to Oslo?',
  'What was the name of the hotel?',
  'Did I tell you about the new flat?',
  'Whose dog is Rex?',
  'Wann hat Paul Geburtstag?',
  'Wie oft war ich beim Zahnarzt?',
  'Wer hat das Fenster repariert?',
  '¿Cuándo fue la boda de Luis?',
  '¿Quién me prestó la bicicleta?',
  'Quand est-ce que Marie est partie ?',
  'Combien de livres ai-je lus ?',
  '我什么时候去了上海？',
  '谁给我打了电话？',
  'いつ引っ越しましたか？',
  '誰が来ましたか？',
]
const SELF = [
  'What food do I like?',
  'Which fabrics do I avoid?',
  'What are my hobbies?',
  'Where do I usually sit on planes?',
  'What am I allergic to?',
  'What is my favourite colour?',
  'Why do I not eat meat?',
]

const shareOf = (questions: string[], guidance: ReturnType<typeof readGuidance>): number =>
  questions.filter((question) => readGuidance(question) === guidance).length / questions.length

test('requests for advice, questions for events and those about the user are distinguished in most wordings', () => {
  expect(shareOf(ADVICE, 'advice')).toBeGreaterThanOrEqual(0.9)
  expect(shareOf(EVENTS, undefined)).toBeGreaterThanOrEqual(0.9)
  expect(shareOf(SELF, 'self')).toBeGreaterThanOrEqual(0.9)
})

test('preferences do not bear on words that are searched for, or on a question about a group', () => {
  for (const query of ['piano tuner', 'red scarf Porto', 'Where do we deploy?'])
    expect(readGuidance(query)).toBeUndefined()
})
