import { expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import { chat, remember } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

/** The answer of chat without a model to a question about one memory. */
const answerTo = async (
  message: string,
  content: string,
  { at = '2023-07-17T14:31:00Z', timezone = 'UTC' } = {},
): Promise<string> => {
  const { key } = await newVerifiedUser(server.current)
  const client = createClient({ baseUrl: server.current.url, credential: key, timezone })
  await client.call(remember, { body: { content, author: 'Ada', occurred_at: at } })
  return (await client.call(chat, { body: { message } })).message.content
}

for (const [said, means] of [
  ['I visited the museum yesterday.', '16 July 2023'],
  ['I visited the museum two days ago.', '15 July 2023'],
  ['I visited the museum last Friday.', 'the Friday before 17 July 2023, 14 July 2023'],
  ['I visited the museum last week.', 'the week before 17 July 2023, 10–16 July 2023'],
  ['I visited the museum last weekend.', 'the weekend before 17 July 2023'],
  ['I visited the museum two weekends ago.', 'two weekends before 17 July 2023'],
  ['I visited the museum a few years ago.', 'a few years before 2023'],
  ['I visited the museum last month.', 'June 2023'],
  ['I visited the museum last year.', '2022'],
  ['I visited the museum last spring.', 'spring 2023'],
  ['We will visit the museum next month.', 'August 2023'],
  ['We will visit the museum tomorrow.', '18 July 2023'],
  ['In March I visited the museum.', 'March 2023'],
] as const)
  test(`“${said}” is answered with the date that it means`, async () => {
    const answer = await answerTo('When was the visit to the museum?', said)
    expect(answer).toMatch(/^The first says “.+” on 17 July 2023: /m)
    expect(answer).toContain(`: ${means}.`)
    expect(answer).toMatch(/^> — Ada, 2023-07-17 \(.+: .+\)$/m)
  })

for (const [language, question, said, means] of [
  [
    'German',
    'Wann war Anna im Museum?',
    'Anna war letzten Freitag mit uns im Museum und es war schön.',
    '14. Juli 2023',
  ],
  [
    'French',
    'Quand Anna est-elle allée au musée ?',
    'Anna est allée au musée avec nous hier, c’était très beau.',
    '16 juillet 2023',
  ],
  [
    'Spanish',
    '¿Cuándo fue Ana al museo?',
    'Ana fue ayer con nosotros al museo y fue muy bonito.',
    '16 de julio de 2023',
  ],
  ['Chinese', '安娜什么时候去了博物馆？', '安娜昨天去了博物馆。', '2023年7月16日'],
  [
    'Japanese',
    'アンナはいつ博物館に行きましたか？',
    'アンナは昨日博物館に行きました。',
    '2023年7月16日',
  ],
] as const)
  test(`a relative time in ${language} is answered with its date`, async () => {
    expect(await answerTo(question, said)).toContain(means)
  })

test('a memory without a relative time is answered with the day it was said', async () => {
  const answer = await answerTo('When did we get the cat?', 'This is Max, the new cat!')
  expect(answer).toContain('The first is of 17 July 2023.')
  expect(answer).toMatch(/^> — Ada, 2023-07-17$/m)
})

for (const said of [
  'The museum may open at 5 pm.',
  'On May 5, 2019 I visited the museum.',
  'I stayed in the museum for two hours now.',
])
  test(`“${said}” has no time that depends on the day it was said`, async () => {
    expect(await answerTo('What about the museum?', said)).toMatch(/^> — Ada, 2023-07-17$/m)
  })

test('a question that asks for no time gets no sentence about it', async () => {
  const answer = await answerTo('Who visited the museum?', 'Ada visited the museum yesterday.')
  expect(answer).not.toContain('The first')
  expect(answer).toContain('(yesterday: 16 July 2023)')
})

test('yesterday is the day before in the time zone of the user', async () => {
  const at = '2023-07-17T23:30:00Z'
  const ask = (timezone: string) =>
    answerTo('When was the museum?', 'I visited the museum yesterday.', { at, timezone })
  expect(await ask('Asia/Tokyo')).toContain('on 18 July 2023: 17 July 2023')
  expect(await ask('America/New_York')).toContain('on 17 July 2023: 16 July 2023')
})
