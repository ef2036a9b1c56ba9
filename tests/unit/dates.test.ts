import { expect, test } from 'bun:test'
import { parseDateMentions } from '../../server/memory/recall/dates.ts'

/** A Wednesday. */
const now = new Date('2024-03-13T12:00:00Z')
const spans = (question: string, languages: string[] = []) =>
  parseDateMentions(question, now, 'UTC', languages).map((date) =>
    'from' in date ? `${date.from?.slice(0, 10) ?? ''}/${date.to?.slice(0, 10) ?? ''}` : date,
  )

test('a day, a week and a month are read as the whole period', () => {
  expect(spans('What did I eat on 5 January 2023?')).toEqual(['2023-01-05/2023-01-06'])
  expect(spans('Whom did I meet yesterday?')).toEqual(['2024-03-12/2024-03-13'])
  expect(spans('What happened last week?')).toEqual(['2024-03-04/2024-03-11'])
  expect(spans('Which books did I read in June 2023?')).toEqual(['2023-06-01/2023-07-01'])
})

test('a day of the week is the most recent one', () => {
  expect(spans('Whom did I see on Friday?')).toEqual(['2024-03-08/2024-03-09'])
})

test('a day or month without a year matches every year', () => {
  expect(spans('Who came on 4 May?')).toEqual([{ month: 5, day: 4 }])
  expect(spans('Where were we in July?')).toEqual([{ month: 7, day: null }])
})

test.each([
  'What did we plan for next year?',
  'Which phone is the Pixel 2022?',
  'Is it raining now?',
  'Who rented the boat for two weeks?',
  'Who sat in the sun?',
])('what names no time in the past is no date: %s', (question) => {
  expect(spans(question)).toEqual([])
})

test('a week of a month is seven days of it', () => {
  expect(spans('Where was he in the last week of August 2023?')).toEqual(['2023-08-25/2023-09-01'])
})

test('a range is read as the whole period, in the last year in which it began', () => {
  expect(spans('What did I do between May and July?')).toEqual(['2023-05-01/2023-08-01'])
  expect(spans('Who called between 3 May 2022 and 5 May 2022?')).toEqual(['2022-05-03/2022-05-06'])
  expect(spans('What did I cook in the first week of January?')).toEqual(['2024-01-01/2024-01-08'])
})

test('a time before or after a date is open on one side', () => {
  expect(spans('Where was I before May 2023?')).toEqual(['/2023-05-01'])
  expect(spans('Where did I go after 4 March?')).toEqual(['2024-03-05/'])
  expect(spans('What did I buy since June 2023?')).toEqual(['2023-06-01/'])
})

test('a day begins and ends at midnight of the time zone', () => {
  const early = new Date('2024-03-12T23:30:00Z')
  expect(parseDateMentions('What did I eat yesterday?', early, 'Europe/Berlin')).toEqual([
    { from: '2024-03-11T23:00:00.000Z', to: '2024-03-12T23:00:00.000Z' },
  ])
  expect(parseDateMentions('What did I eat yesterday?', early, 'America/New_York')).toEqual([
    { from: '2024-03-11T04:00:00.000Z', to: '2024-03-12T04:00:00.000Z' },
  ])
})

/** By language: a time as people say it, and the span until `now` that it means. */
const SAID: Record<string, [text: string, span: string][]> = {
  english: [
    ['What did I read in 2022?', '2022-01-01/2023-01-01'],
    ['Where did she live four years ago?', '2020-01-01/2021-01-01'],
    ['What changed last year?', '2023-01-01/2024-01-01'],
    ['What did I note in the last three days?', '2024-03-10/2024-03-14'],
    ['Whom did I meet over the past 2 weeks?', '2024-02-28/2024-03-14'],
    ['What happened in the past three months?', '2023-12-13/2024-03-14'],
    ['What did I plan before Christmas?', '/2023-12-24'],
    ['What broke since Easter?', '2023-04-07/'],
    ['Where was I at Thanksgiving?', '2023-11-23/2023-11-24'],
    ['What did I buy last May?', '2023-05-01/2023-06-01'],
    ['What did I buy in March last year?', '2023-03-01/2023-04-01'],
    ['What did we do last weekend?', '2024-03-09/2024-03-11'],
  ],
  german: [
    ['Was habe ich gestern gegessen?', '2024-03-12/2024-03-13'],
    ['Was war vorgestern?', '2024-03-11/2024-03-12'],
    ['Wen traf ich in der letzten Woche?', '2024-03-04/2024-03-11'],
    ['Was war vorigen Monat?', '2024-02-01/2024-03-01'],
    ['Was kaufte ich letztes Jahr?', '2023-01-01/2024-01-01'],
    ['Was geschah in den letzten drei Tagen?', '2024-03-10/2024-03-14'],
    ['Wen traf ich am Freitag?', '2024-03-08/2024-03-09'],
    ['Wo war ich im Mai 2023?', '2023-05-01/2023-06-01'],
    ['Was habe ich 2022 gelesen?', ''],
    ['Was las ich im Jahr 2022?', '2022-01-01/2023-01-01'],
    ['Was geschah vor drei Wochen?', '2024-02-19/2024-02-26'],
    ['Was plante ich vor Weihnachten?', '/2023-12-24'],
    ['Was geschah seit dem 4. Januar?', '2024-01-04/'],
  ],
  french: [
    ['Qui ai-je vu avant-hier ?', '2024-03-11/2024-03-12'],
    ['Où étais-je la semaine dernière ?', '2024-03-04/2024-03-11'],
    ['Qu’ai-je noté ces trois derniers jours ?', '2024-03-10/2024-03-14'],
    ['Qui est venu vendredi ?', '2024-03-08/2024-03-09'],
    ['Qu’ai-je lu en mai 2023 ?', '2023-05-01/2023-06-01'],
    ['Qu’ai-je lu en 2022 ?', '2022-01-01/2023-01-01'],
    ['Que faisais-je il y a trois semaines ?', '2024-02-19/2024-02-26'],
    ['Qu’ai-je acheté avant Noël ?', '/2023-12-24'],
  ],
  spanish: [
    ['¿Qué comí ayer?', '2024-03-12/2024-03-13'],
    ['¿A quién vi la semana pasada?', '2024-03-04/2024-03-11'],
    ['¿Qué anoté en los últimos tres días?', '2024-03-10/2024-03-14'],
    ['¿Dónde estuve el 4 de mayo de 2023?', '2023-05-04/2023-05-05'],
    ['¿Qué compré hace tres semanas?', '2024-02-19/2024-02-26'],
    ['¿Qué planeé antes de Navidad?', '/2023-12-24'],
  ],
  italian: [
    ["Chi ho visto l'altro ieri?", '2024-03-11/2024-03-12'],
    ['Dove ero il mese scorso?', '2024-02-01/2024-03-01'],
    ['Che cosa ho scritto negli ultimi tre giorni?', '2024-03-10/2024-03-14'],
    ['Che cosa ho letto nel 2022?', '2022-01-01/2023-01-01'],
    ['Che cosa ho comprato tre settimane fa?', '2024-02-19/2024-02-26'],
    ['Che cosa ho comprato prima di Natale?', '/2023-12-24'],
  ],
  portuguese: [
    ['O que fiz anteontem?', '2024-03-11/2024-03-12'],
    ['Quem vi na semana passada?', '2024-03-04/2024-03-11'],
    ['O que anotei nos últimos três dias?', '2024-03-10/2024-03-14'],
    ['Quem veio na sexta-feira?', '2024-03-08/2024-03-09'],
    ['O que li em maio de 2023?', '2023-05-01/2023-06-01'],
    ['O que comprei há três semanas?', '2024-02-19/2024-02-26'],
  ],
  dutch: [
    ['Wat at ik eergisteren?', '2024-03-11/2024-03-12'],
    ['Wie zag ik vorige week?', '2024-03-04/2024-03-11'],
    ['Wat gebeurde er de laatste drie dagen?', '2024-03-10/2024-03-14'],
    ['Wat kocht ik drie weken geleden?', '2024-02-19/2024-02-26'],
    ['Wat plande ik voor Kerstmis?', '/2023-12-24'],
  ],
  swedish: [
    ['Vad åt jag igår?', '2024-03-12/2024-03-13'],
    ['Vad hände de senaste tre dagarna?', '2024-03-10/2024-03-14'],
    ['Vad köpte jag för tre veckor sedan?', '2024-02-19/2024-02-26'],
  ],
  russian: [
    ['Что было позавчера?', '2024-03-11/2024-03-12'],
    ['Кого я видел на прошлой неделе?', '2024-03-04/2024-03-11'],
    ['Что случилось за последние три дня?', '2024-03-10/2024-03-14'],
    ['Кто пришёл в пятницу?', '2024-03-08/2024-03-09'],
    ['Где я был в мае 2023?', '2023-05-01/2023-06-01'],
    ['Что было три недели назад?', '2024-02-19/2024-02-26'],
  ],
  finnish: [
    ['Mitä söin eilen?', '2024-03-12/2024-03-13'],
    ['Missä olin viime viikolla?', '2024-03-04/2024-03-11'],
    ['Missä olin toukokuussa 2023?', '2023-05-01/2023-06-01'],
  ],
  // Chinese, Japanese and Korean have no stemmer.
  simple: [
    ['我前天吃了什么？', '2024-03-11/2024-03-12'],
    ['过去三天发生了什么？', '2024-03-10/2024-03-14'],
    ['我去年五月买了什么？', '2023-05-01/2023-06-01'],
    ['圣诞节前我计划了什么？', '/2023-12-24'],
    ['先週は誰に会いましたか？', '2024-03-04/2024-03-11'],
    ['三週間前に何を買いましたか？', '2024-02-19/2024-02-26'],
    ['2023年5月4日に何をしましたか？', '2023-05-04/2023-05-05'],
    ['지난주에 누구를 만났나요?', '2024-03-04/2024-03-11'],
    ['3일 전에 무엇을 샀나요?', '2024-03-10/2024-03-11'],
  ],
}
const said = Object.entries(SAID).flatMap(([language, rows]) =>
  rows.map(([text, span]) => ({ language, text, span })),
)

test.each(said)(
  'times are read as people say them, in $language: $text',
  ({ language, text, span }) => {
    expect(spans(text, [language]).join()).toBe(span)
  },
)

test.each([
  ['german', 'Wo war ich im Mai?'],
  ['spanish', '¿Dónde estuve en mayo?'],
  ['russian', 'Где я был в мае?'],
  ['simple', '5月に何をしましたか？'],
])('a month without a year matches every year, in %s: %s', (language, question) => {
  expect(spans(question, [language])).toEqual([{ month: 5, day: null }])
})

test('a question that may be English or another language is read once', () => {
  expect(spans('What did I do in May 2023?', ['english', 'danish', 'norwegian'])).toEqual([
    '2023-05-01/2023-06-01',
  ])
})

/** By language. */
const HABITS: Record<string, string[]> = {
  english: [
    'What do we cook every Friday?',
    'Who comes each Monday?',
    'What is closed on Fridays?',
    'Where do we go every Christmas?',
    'Who calls every second Tuesday?',
  ],
  german: [
    'montags ist geschlossen',
    'Wir treffen uns freitags.',
    'Was kochen wir jeden Freitag?',
    'Wer kommt jeden zweiten Montag?',
    'Wohin fahren wir jedes Weihnachten?',
    'Was passiert jeden Mai?',
  ],
  french: ['Que mange-t-on chaque vendredi ?', 'Qui vient tous les lundis ?'],
  spanish: ['¿Qué comemos cada viernes?', '¿Quién viene todos los lunes?'],
  italian: ['Che cosa si mangia ogni venerdì?', 'Chi viene tutti i lunedì?'],
  portuguese: ['O que comemos cada sexta-feira?', 'Quem vem todas as segundas-feiras?'],
  dutch: ['Wat eten we elke vrijdag?', 'Wie komt er vrijdags?'],
  swedish: ['Vad äter vi varje fredag?'],
  danish: ['Hvad spiser vi hver fredag?'],
  norwegian: ['Hva spiser vi hver fredag?'],
  russian: ['Что мы едим каждую пятницу?', 'Кто приходит по пятницам?'],
  finnish: ['Mitä syömme joka perjantai?', 'Kuka tulee perjantaisin?'],
  hungarian: ['Mit eszünk minden pénteken?', 'Ki jön péntekenként?'],
  turkish: ['Her cuma ne yiyoruz?', 'Pazartesileri kim geliyor?'],
  romanian: ['Ce mâncăm în fiecare vineri?'],
  catalan: ['Què mengem cada divendres?', 'Qui ve tots els dilluns?'],
  greek: ['Τι τρώμε κάθε Παρασκευή;'],
  lithuanian: ['Ką valgome kiekvieną penktadienį?'],
  indonesian: ['Apa yang kita makan setiap Jumat?'],
  arabic: ['ماذا نأكل كل يوم جمعة؟'],
  hindi: ['हम हर शुक्रवार क्या खाते हैं?'],
  simple: [
    '毎週金曜日は何を食べますか？',
    '每周五我们吃什么？',
    '매주 금요일에 뭐 먹어요?',
    '금요일마다 뭐 먹어요?',
  ],
}
test.each(
  Object.entries(HABITS).flatMap(([language, questions]) =>
    questions.map((question) => ({ language, question })),
  ),
)('a habit is no time, in $language: $question', ({ language, question }) => {
  expect(spans(question, [language])).toEqual([])
})

test('a Scandinavian weekday with an s is the last one', () => {
  expect(spans('Vem kom i fredags?', ['swedish'])).toEqual(['2024-03-08/2024-03-09'])
})
