import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { factsIn } from '../../server/memory/facts/rules/index.ts'
import { isCompatible } from '../../server/memory/identity/compatibility.ts'

/** A Friday. */
const NOW = new Date('2026-03-06T10:00:00.000Z')

const read = (text: string, author: string | null = null) =>
  factsIn(text, { author, occurredAt: NOW, now: new Date('2030-01-01') })

/** Facts as `subject: key = value`, with the polarity of preferences and the due time of reminders. */
const factsOf = (text: string, author: string | null = null) =>
  read(text, author).map(
    ({ kind, subject, key, value, polarity, dueAt }) =>
      `${subject === 'self' ? '' : `${subject}: `}${kind === 'reminder' ? 'reminder' : key} = ${value}` +
      `${polarity ? ` (${polarity})` : ''}` +
      `${dueAt ? ` @ ${dueAt.toISOString().slice(0, 16)}` : ''}`,
  )

const SENTENCES_WITH_FACTS: Record<string, Record<string, string[]>> = {
  'a name': {
    'My name is Ada.': ['name = Ada'],
    'Hi, my name is Ada Lovelace and I am new here.': ['name = Ada Lovelace'],
    "My name's Björn.": ['name = Björn'],
    'I got married, my name is Ada King now.': ['name = Ada King'],
    'my name is ada': ['name = ada'],
    'My full name is Augusta Ada King.': ['name = Augusta Ada King'],
    "Hi, I'm Ada.": ['name = Ada'],
    "I'm Ada Lovelace.": ['name = Ada Lovelace'],
    'My name is Ludwig van Beethoven.': ['name = Ludwig van Beethoven'],
    'Please call me Ace.': ['nickname = Ace'],
    'You can call me Jo.': ['nickname = Jo'],
    'Everyone calls me Tess for short.': ['nickname = Tess'],
    "My name is Ada, what's yours?": ['name = Ada'],
    "Hello! I'm Ben.": ['name = Ben'],
    "Hi all, I'm Dr. Ada King.": ['name = Ada King'],
    "The user's name is Ada.": ['name = Ada'],
    'My name is Ada. I live in Lisbon.': ['name = Ada', 'home = Lisbon'],
  },
  'a home': {
    'I live in Lisbon.': ['home = Lisbon'],
    'I live in Lisbon, Portugal.': ['home = Lisbon, Portugal'],
    'We live in Austin, TX now.': ['home = Austin, TX'],
    'I currently live in New York City with my cat.': ['home = New York City'],
    'I live in Rio de Janeiro.': ['home = Rio de Janeiro'],
    "I'm based in Berlin.": ['home = Berlin'],
    'I just moved to Porto!': ['home = Porto'],
    "I've recently moved from Lisbon to Porto.": ['home = Porto'],
    'Actually, I moved back to Stratford-upon-Avon last week.': ['home = Stratford-upon-Avon'],
    "I've lived in Oslo for ten years.": ['home = Oslo'],
    'I live in St. Ives.': ['home = St. Ives'],
    'i live in the Netherlands': ['home = the Netherlands'],
    'I live in Paris, Texas.': ['home = Paris, Texas'],
    'I moved to Boston in 2001 but now I live in Denver.': ['home = Denver'],
    'I live in The Hague.': ['home = The Hague'],
    "I don't live in Lisbon anymore, I live in Porto.": ['home = Porto'],
    'I no longer live in Lisbon but I live in Porto.': ['home = Porto'],
    'I just relocated to Madrid for work.': ['home = Madrid'],
    "I'm living in Lisbon for the last two years.": ['home = Lisbon'],
    'I live in the US.': ['home = the US'],
    "I live in Sydney's inner west.": ['home = Sydney'],
    'My hometown is Braga.': ['hometown = Braga'],
    'My address is 12 Main Street, Springfield.': ['address = 12 Main Street, Springfield'],
    'Ada lives in Lisbon.': ['Ada: home = Lisbon'],
    'Ana Maria moved to Porto in May.': ['Ana Maria: home = Porto'],
    'User lives in Lisbon.': ['home = Lisbon'],
    'It rained all day, but I love Tuesdays, and I live in Lisbon.': [
      'preference.tuesdays = Tuesdays (like)',
      'home = Lisbon',
    ],
    'Note: I live in Lisbon.': ['home = Lisbon'],
    '- I live in **Lisbon**': ['home = Lisbon'],
    'Project: a boat\nThe user lives in Lisbon.': ['home = Lisbon'],
    'Assistant: Where?\nUser: Well.\nI live in Lisbon.': ['home = Lisbon'],
  },
  work: {
    'I work at Siemens.': ['work.employer = Siemens'],
    'I work for the European Space Agency.': ['work.employer = European Space Agency'],
    "I'm working at OpenStreetMap as a cartographer.": [
      'work.employer = OpenStreetMap',
      'work.title = cartographer',
    ],
    'I work as a freelance translator.': ['work.title = freelance translator'],
    'I work as a nurse at St. Mary Hospital.': [
      'work.title = nurse',
      'work.employer = St. Mary Hospital',
    ],
    "I'm a nurse.": ['work.title = nurse'],
    "I'm a senior software engineer at Siemens": [
      'work.title = senior software engineer',
      'work.employer = Siemens',
    ],
    'I am a Senior Software Engineer at Google.': [
      'work.title = Senior Software Engineer',
      'work.employer = Google',
    ],
    "I'm a real estate agent.": ['work.title = real estate agent'],
    'User works at Acme (since 2020).': ['work.employer = Acme'],
    'I joined Siemens as an engineer.': ['work.employer = Siemens', 'work.title = engineer'],
    'I just started a new job at Bosch as a data analyst.': [
      'work.employer = Bosch',
      'work.title = data analyst',
    ],
    'My job is a teacher.': ['work.title = teacher'],
    'My job title is Head of People.': ['work.title = Head of People'],
    'My employer is Bank of America.': ['work.employer = Bank of America'],
    'Ana works at Siemens.': ['Ana: work.employer = Siemens'],
    'Ana is a dentist.': ['Ana: work.title = dentist'],
    'I am the CTO of the company, and I live in Graz.': ['work.title = CTO', 'home = Graz'],
    'The user works as a product designer.': ['work.title = product designer'],
  },
  'a preference': {
    'I love coffee.': ['preference.coffee = coffee (like)'],
    'I really like hiking in the mountains.': [
      'preference.hiking = hiking in the mountains (like)',
    ],
    'I hate coriander!': ['preference.coriander = coriander (dislike)'],
    "I don't like crowded trains.": ['preference.crowded_trains = crowded trains (dislike)'],
    "I can't stand loud music.": ['preference.loud_music = loud music (dislike)'],
    'I prefer tea to coffee.': ['preference.tea = tea (like)'],
    'Ada prefers tea to coffee.': ['Ada: preference.tea = tea (like)'],
    'I love tea and coffee.': ['preference.tea = tea (like)', 'preference.coffee = coffee (like)'],
    'I love fantasy and science fiction films.': [
      'preference.fantasy_and_science_fiction_films = fantasy and science fiction films (like)',
    ],
    "I've always loved turtles.": ['preference.turtles = turtles (like)'],
    "I'm not a fan of horror films.": ['preference.horror_films = horror films (dislike)'],
    "I'm a big fan of jazz.": ['preference.jazz = jazz (like)'],
    'I love the beach.': ['preference.beach = beach (like)'],
    "I'm allergic to peanuts.": ['allergy.peanuts = peanuts (dislike)'],
    "I'm severely allergic to peanuts, shellfish and cat hair.": [
      'allergy.peanuts = peanuts (dislike)',
      'allergy.shellfish = shellfish (dislike)',
      'allergy.cat_hair = cat hair (dislike)',
    ],
    'The user is allergic to shellfish and prefers window seats.': [
      'allergy.shellfish = shellfish (dislike)',
    ],
    'Ana loves tea and hates coffee.': ['Ana: preference.tea = tea (like)'],
    "I'm allergic to nuts, please remember.": ['allergy.nuts = nuts (dislike)'],
    "I'm really into bouldering these days.": ['preference.bouldering = bouldering (like)'],
    'I have a severe peanut allergy.': ['allergy.peanut = peanut (dislike)'],
    "I'm lactose intolerant.": ['allergy.lactose = lactose (dislike)'],
    "I'm a vegetarian.": ['diet = vegetarian (like)'],
    'My favourite colour is green.': ['favourite.color = green (like)'],
    'My favorite color is green!': ['favourite.color = green (like)'],
    'My favourite author is Ursula K. Le Guin.': ['favourite.author = Ursula K. Le Guin (like)'],
    'Blue is my favourite colour.': ['favourite.color = Blue (like)'],
    "Ada's favourite band is The Beatles.": ['Ada: favourite.band = The Beatles (like)'],
    'The user prefers dark mode.': ['preference.dark_mode = dark mode (like)'],
    'I like coffee because it wakes me up.': ['preference.coffee = coffee (like)'],
  },
  'a date': {
    'My birthday is on 4 March.': ['date.birthday = 03-04'],
    'My birthday is March 4th, 1990.': ['date.birthday = 1990-03-04'],
    'I was born on 4 March 1990.': ['date.birthday = 1990-03-04'],
    'My exam is on Monday and my interview is on Tuesday.': [
      'date.exam = 2026-03-09',
      'date.interview = 2026-03-10',
    ],
    'My birthday is tomorrow!': ['date.birthday = 03-07'],
    "Ana's birthday is on May 12th.": ['Ana: date.birthday = 05-12'],
    "My mom's birthday is on 9 November.": ['date.mother_birthday = 11-09'],
    "My sister's birthday is on 1 June.": ['date.sister_birthday = 06-01'],
    'Our wedding anniversary is 9 August.': ['date.anniversary = 08-09'],
    'My birthday party is on Saturday.': ['date.birthday_party = 2026-03-07'],
    "My birthday's on June 5th.": ['date.birthday = 06-05'],
    'I have a flight to Rome on Tuesday at 6pm.': ['date.flight = 2026-03-10T18:00Z'],
    "I have a doctor's appointment tomorrow at 10.": [
      'date.doctor_s_appointment = 2026-03-07T10:00Z',
    ],
    'My exam is on 14 March.': ['date.exam = 2026-03-14'],
    'My dentist appointment is on Tuesday at 3pm.': [
      'date.dentist_appointment = 2026-03-10T15:00Z',
    ],
    'I have an interview with Bosch on Thursday.': ['date.interview = 2026-03-12'],
  },
  'a relation': {
    'My sister Ana called.': ['relation.sister = Ana'],
    "My wife's name is Jo.": ['relation.wife = Jo'],
    'Ana is my sister.': ['relation.sister = Ana'],
    'I have a dog named Rex.': ['relation.dog = Rex'],
    'We got another cat called Bailey.': ['relation.cat = Bailey'],
    'My sister, Ana, lives in Porto.': ['relation.sister = Ana', 'Ana: home = Porto'],
    'My sister Ana is a nurse.': ['relation.sister = Ana', 'Ana: work.title = nurse'],
    'I went to the park with my best friend Tom yesterday.': ['relation.friend = Tom'],
    "Ada's brother Ben is nice.": ['Ada: relation.brother = Ben'],
    "Tell my wife Jo I'll be late.": ['relation.wife = Jo'],
    "I'm married to Jo.": ['relation.spouse = Jo'],
    'If my mom Rosa calls, pick up.': ['relation.mother = Rosa'],
    "Yesterday my dog Rex's collar broke.": ['relation.dog = Rex'],
  },
  'a reminder': {
    'Remind me on Friday to call the bank.': ['reminder = call the bank @ 2026-03-13T09:00'],
    'Remind me to call the bank on Monday.': ['reminder = call the bank @ 2026-03-09T09:00'],
    'Can you remind me tomorrow at 3pm to water the plants?': [
      'reminder = water the plants @ 2026-03-07T15:00',
    ],
    'Please remind me to buy milk.': ['reminder = buy milk'],
    'Remind me in 2 hours to turn off the oven.': [
      'reminder = turn off the oven @ 2026-03-06T12:00',
    ],
    'Remind me tonight to lock the door.': ['reminder = lock the door @ 2026-03-06T20:00'],
    'Remind me today to ring Ana.': ['reminder = ring Ana @ 2026-03-06T10:00'],
    "Don't let me forget to send the invoice tomorrow.": [
      'reminder = send the invoice @ 2026-03-07T09:00',
    ],
    'I need to renew my passport by Monday.': ['reminder = renew my passport @ 2026-03-09T09:00'],
    'I have to pay the rent before 1 April.': ['reminder = pay the rent @ 2026-04-01T09:00'],
    'Remind me about the meeting with Ana on 12 March at 14:00.': [
      'reminder = the meeting with Ana @ 2026-03-12T14:00',
    ],
    'TODO: file the taxes by 31 March': ['reminder = file the taxes @ 2026-03-31T09:00'],
    'Remind me every Monday to take out the bins.': [
      'reminder = take out the bins every Monday @ 2026-03-09T09:00',
    ],
    'Remind me on the 15th to pay the rent.': ['reminder = pay the rent @ 2026-03-15T09:00'],
    'Remind me on the 5th to pay the rent.': ['reminder = pay the rent @ 2026-04-05T09:00'],
    'Remind me next month to renew my licence.': ['reminder = renew my licence @ 2026-04-01T09:00'],
    'I have to file the report by Thursday at noon, otherwise I am in trouble.': [
      'reminder = file the report @ 2026-03-12T12:00',
    ],
    "I've got to pick up Ana at 5pm tomorrow.": ['reminder = pick up Ana @ 2026-03-07T17:00'],
    'Remind me at 5pm to leave.': ['reminder = leave @ 2026-03-06T17:00'],
    'Remind me to book the Monday flight.': ['reminder = book the Monday flight'],
    'Set a reminder for tomorrow at 8 to take my pills.': [
      'reminder = take my pills @ 2026-03-07T08:00',
    ],
    'Note to self: buy flowers on 13 March.': ['reminder = buy flowers @ 2026-03-13T09:00'],
    'Hey, remind me next week to book the flights.': [
      'reminder = book the flights @ 2026-03-09T09:00',
    ],
    'Remember to renew the domain by 20 March 2027.': [
      'reminder = renew the domain @ 2027-03-20T09:00',
    ],
    'In 2 hours remind me to take the cake out.': [
      'reminder = take the cake out @ 2026-03-06T12:00',
    ],
    'Tomorrow at 8, please remind me to take my pills.': [
      'reminder = take my pills @ 2026-03-07T08:00',
    ],
    'Hi there! Remind me tomorrow to buy milk.': ['reminder = buy milk @ 2026-03-07T09:00'],
    "Don't let me forget to pay the rent on 3 May.": ['reminder = pay the rent @ 2026-05-03T09:00'],
    'Remember to take the pills at 8pm.': ['reminder = take the pills @ 2026-03-06T20:00'],
    "Don't forget to pay Ana by Sunday.": ['reminder = pay Ana @ 2026-03-08T09:00'],
    'I need to remember to write to Ana next Tuesday.': [
      'reminder = write to Ana @ 2026-03-10T09:00',
    ],
    'Need to file the taxes by 31 March': ['reminder = file the taxes @ 2026-03-31T09:00'],
    'Tomorrow I have to drop off the parcel.': [
      'reminder = drop off the parcel @ 2026-03-07T09:00',
    ],
    'Remind us on Monday to check the mail.': ['reminder = check the mail @ 2026-03-09T09:00'],
    'Create a reminder to call Ada tomorrow.': ['reminder = call Ada @ 2026-03-07T09:00'],
    'Reminder: call Ana on Monday': ['reminder = call Ana @ 2026-03-09T09:00'],
    'Set a reminder for the oven in 20 minutes.': ['reminder = the oven @ 2026-03-06T10:20'],
    'Ping me in an hour about the oven.': ['reminder = the oven @ 2026-03-06T11:00'],
    'Make sure I send the invoice by Monday.': ['reminder = send the invoice @ 2026-03-09T09:00'],
  },
  'a recurring reminder': {
    'Remind me every day at 8 to take my pills.': [
      'reminder = take my pills every day @ 2026-03-07T08:00',
    ],
    'Remind me to take my pills every morning.': [
      'reminder = take my pills every morning @ 2026-03-07T09:00',
    ],
    'Every evening at 8, remind me to lock the door.': [
      'reminder = lock the door every evening @ 2026-03-06T20:00',
    ],
    'Remind me to pay the rent every month.': [
      'reminder = pay the rent every month @ 2026-04-06T09:00',
    ],
    'Remind me to take out the bins every Monday at 7am.': [
      'reminder = take out the bins every Monday @ 2026-03-09T07:00',
    ],
    'Erinnere mich jeden Tag um 8 Uhr daran, die Katze zu füttern.': [
      'reminder = die Katze zu füttern jeden Tag @ 2026-03-07T08:00',
    ],
    'Recuérdame cada día a las 8 tomar las pastillas.': [
      'reminder = tomar las pastillas cada día @ 2026-03-07T08:00',
    ],
    'Rappelle-moi chaque lundi de sortir les poubelles.': [
      'reminder = sortir les poubelles chaque lundi @ 2026-03-09T09:00',
    ],
  },
  German: {
    'Ich heiße Jürgen.': ['name = Jürgen'],
    'Mein Name ist Ada Lovelace.': ['name = Ada Lovelace'],
    'Ich wohne in Köln.': ['home = Köln'],
    'Hallo, ich lebe in Frankfurt am Main und ich arbeite bei Siemens.': [
      'home = Frankfurt am Main',
      'work.employer = Siemens',
    ],
    'Ich arbeite als Krankenschwester.': ['work.title = Krankenschwester'],
    'Ich mag Kaffee.': ['preference.kaffee = Kaffee (like)'],
    'Ich bin allergisch gegen Erdnüsse.': ['allergy.erdnüsse = Erdnüsse (dislike)'],
    'Mein Geburtstag ist am 4. März.': ['date.birthday = 03-04'],
    'Meine Schwester Ana hat angerufen.': ['relation.sister = Ana'],
    'Erinnere mich am Montag daran, die Bank anzurufen.': [
      'reminder = die Bank anzurufen @ 2026-03-09T09:00',
    ],
    'Kannst du mich am Montag daran erinnern, Ada anzurufen?': [
      'reminder = Ada anzurufen @ 2026-03-09T09:00',
    ],
    'Morgen um 9 erinnere mich an die Miete.': ['reminder = an die Miete @ 2026-03-07T09:00'],
  },
  Spanish: {
    'Me llamo Lucía.': ['name = Lucía'],
    'Vivo en Madrid con mi hermana.': ['home = Madrid'],
    'Trabajo en Telefónica.': ['work.employer = Telefónica'],
    'Me gusta el café.': ['preference.café = café (like)'],
    'No me gustan las aceitunas.': ['preference.aceitunas = aceitunas (dislike)'],
    'Soy alérgica a los cacahuetes.': ['allergy.cacahuetes = cacahuetes (dislike)'],
    'Mi cumpleaños es el 4 de marzo.': ['date.birthday = 03-04'],
    'Mi hermana Ana es simpática.': ['relation.sister = Ana'],
    'Recuérdame el lunes llamar a Ada.': ['reminder = llamar a Ada @ 2026-03-09T09:00'],
    '¿Puedes recordarme mañana comprar leche?': ['reminder = comprar leche @ 2026-03-07T09:00'],
  },
  French: {
    "Je m'appelle Zoé.": ['name = Zoé'],
    "J'habite à Lyon.": ['home = Lyon'],
    'Je travaille chez Renault.': ['work.employer = Renault'],
    "J'adore le chocolat.": ['preference.chocolat = chocolat (like)'],
    "Je n'aime pas le fromage.": ['preference.fromage = fromage (dislike)'],
    'Je suis allergique aux arachides.': ['allergy.arachides = arachides (dislike)'],
    'Mon anniversaire est le 4 mars.': ['date.birthday = 03-04'],
    'Ma sœur Ana est là.': ['relation.sister = Ana'],
    "Rappelez-moi demain à 9h d'appeler Ada.": ['reminder = appeler Ada @ 2026-03-07T09:00'],
    "Peux-tu me rappeler demain d'acheter du lait ?": [
      'reminder = acheter du lait @ 2026-03-07T09:00',
    ],
  },
}

const CHINESE_AND_JAPANESE = {
  Chinese: {
    '我叫王小明。': ['name = 王小明'],
    '我的名字是Ada Lovelace。': ['name = Ada Lovelace'],
    '我住在北京。': ['home = 北京'],
    我现在住在上海: ['home = 上海'],
    '我最近搬到了深圳。': ['home = 深圳'],
    '我現在住在臺北。': ['home = 臺北'],
    '我住在Lisbon。': ['home = Lisbon'],
    '你好，我叫小明，我住在广州！': ['name = 小明', 'home = 广州'],
    '我在中国银行工作。': ['work.employer = 中国银行'],
    '我在Google上班。': ['work.employer = Google'],
    '我是一名软件工程师。': ['work.title = 软件工程师'],
    '我的职业是护士。': ['work.title = 护士'],
    '我很喜欢咖啡。': ['preference.咖啡 = 咖啡 (like)'],
    '我喜欢茶和咖啡。': ['preference.茶 = 茶 (like)', 'preference.咖啡 = 咖啡 (like)'],
    '我不喜欢香菜。': ['preference.香菜 = 香菜 (dislike)'],
  },
  Japanese: {
    '私の名前は田中太郎です。': ['name = 田中太郎'],
    'はじめまして。田中と申します。': ['name = 田中'],
    '私は東京に住んでいます。': ['home = 東京'],
    '私は、大阪に住んでいて、コーヒーを飲みます。': ['home = 大阪'],
    '僕は京都に住んでる。': ['home = 京都'],
    '私は先月、福岡に引っ越しました。': ['home = 福岡'],
    '私はトヨタ銀行で働いています。': ['work.employer = トヨタ銀行'],
    '私はソニーに勤めています。': ['work.employer = ソニー'],
    '私は看護師として働いています。': ['work.title = 看護師'],
    '私の職業は教師です。': ['work.title = 教師'],
    '私は寿司が大好きです。': ['preference.寿司 = 寿司 (like)'],
    '私は納豆が嫌いです。': ['preference.納豆 = 納豆 (dislike)'],
  },
}

const SENTENCES_WITHOUT_FACTS: Record<string, string[]> = {
  'negations and temporary states': [
    "I don't live in Lisbon.",
    'I do not work at Siemens.',
    "I'm not a nurse.",
    'My name is not Ada.',
    "My name isn't Ada.",
    "I'm not allergic to peanuts.",
    "I don't hate coffee.",
    "My favourite colour isn't green.",
    'I never worked at Siemens.',
    "Don't call me Ace.",
    "I'm living in Paris for the summer.",
    "I don't live in Lisbon anymore.",
    "I don't think I live in Lisbon anymore, I live in a van.",
    'I live in Paris for now.',
    'I relocated to the kitchen.',
    "Don't remind me to call the bank on Monday.",
    'Remember to like and subscribe!',
    'Ping me when the build is done.',
    'Alert me if the price drops tomorrow.',
    'Make sure I am awake by Monday.',
    'Need to know by Monday.',
    'Reminder: Monday is a holiday.',
    'Have to say today was great.',
    'In 2019 I must have been ten.',
    'Ana is not my sister.',
  ],
  'statements about the past': [
    'I used to live in Lisbon.',
    'I lived in Lisbon.',
    'I live in Lisbon no longer.',
    'I no longer live in Lisbon.',
    "I don't work at Siemens anymore.",
    'I worked at Siemens.',
    "I'm a former nurse.",
    'I loved coffee as a kid.',
    'When I lived in Lisbon I had a cat.',
    'When I moved to Lisbon it rained.',
  ],
  'conditions, wishes and doubts': [
    'If I lived in Lisbon, I would surf.',
    'If I live in Lisbon next year, I will surf.',
    'I wish I lived in Lisbon.',
    'I might move to Porto.',
    'I will move to Porto next year.',
    "I'm moving to Porto next month.",
    'I would love a coffee.',
    "I'd like to work at Siemens.",
    'I want to be a nurse.',
    'Maybe I live in Lisbon, maybe not.',
    'Imagine I live in Lisbon.',
    'I dreamt that I live in Lisbon.',
    "I think I'm allergic to peanuts.",
    'Supposedly I live in Lisbon.',
  ],
  questions: [
    'Do I live in Lisbon?',
    'Is my name Ada?',
    'I live in Lisbon, right?',
    'Do you love coffee?',
    "What's your favourite colour?",
    'Is Ana a nurse?',
    'You know I love coffee?',
  ],
  'reported speech, quotations and fiction': [
    'She said: I live in Lisbon.',
    '"I live in Lisbon" is a sentence.',
    'He told me “my name is Ada”.',
    '> I live in Lisbon.',
    '> My name is Ada.\n> I work at Siemens.',
    'Tom: I live in Lisbon.',
    'He says I live in Lisbon.',
    'My friend thinks I am a nurse.',
    'I live in Lisbon, he said.',
    '```\nMy name is Ada.\nI live in Lisbon.\n```',
    'Translate into German: My name is Ada. I live in Lisbon.',
    'Write a poem: I live in Lisbon.',
    'Run `I live in Lisbon`.',
    'The song goes: I love coffee.',
    "Act as a nurse. I'm a nurse at a hospital.",
    'In my novel, Ada lives in Lisbon.',
    'In the game, I live in Whiterun.',
    'Assistant: My name is Claude.',
    'Assistant: Sure!\n\nI live in Lisbon.',
    'Ana: How are you?\nBob: Well.\nI live in Lisbon.\nAna: Good.',
    'Everyone thinks my name is Ada.',
    "It's not true that I live in Lisbon.",
  ],
  'similar sentences without a fact': [
    "I'm Happy to see you.",
    "I'm German.",
    "I'm a mess.",
    "I'm a terrible cook.",
    "I'm a better driver than you.",
    "I'm a believer.",
    "I'm the designated driver.",
    "I'm an actor in a play tonight.",
    'Life is a teacher.',
    'Water lives in Lisbon.',
    'I was born on a Monday.',
    'My flight was cancelled on Monday.',
    'I have a meeting every Monday.',
    'I have to work on Monday.',
    'We need to talk on Monday about what you said on Friday.',
    'Could you remind me what my name is?',
    'Remind me later.',
    'Remind me that every day counts.',
    'Ada said on Monday remind me to call.',
    'Remind me of it tomorrow.',
    'I need to buy milk tonight and call Bob tomorrow.',
    'I need to see a doctor on Monday if it gets worse.',
    "I'm allergic to bees, I think.",
    "I'm allergic to Mondays.",
    'Remind Ana to call me tomorrow.',
    'I live in fear.',
    'I live in a small house.',
    'I work at night.',
    'I work for myself.',
    'I work at Christmas.',
    'I work as a team player.',
    'Call me later.',
    'Call me on Monday.',
    'Everyone lives in Lisbon.',
    'She lives in Lisbon.',
    'They love coffee.',
    'I love you.',
    'I love it!',
    'I love this song.',
    'I love how you did that.',
    'I love that idea.',
    'I like your hat.',
    'I hate to say it.',
    'I love people who lie.',
    'One of my favourite films is on tonight.',
    'My favourite part was the end.',
    'My favourite cake is this one here.',
    'My birthday is next month.',
    'That reminds me of Lisbon.',
    'She reminded me to call.',
    'I need to sleep.',
    'I have to say, Monday was fun.',
    'My job is stressful.',
    'My friend Monday is late.',
    'My email address is ada@example.com.',
    'I LIVE IN LISBON WITH MY CAT',
    'I moved to the next question.',
    'I moved to Engineering last month.',
    'We moved to Slack.',
    'I moved to Spotify from Apple Music.',
    'I live in Porto and Lisbon.',
    'I live in Porto temporarily.',
    'I am a secret agent.',
    'I am the president of the chess club.',
    'I joined Slack as a guest.',
    'I joined Ana as a volunteer.',
    'I joined the gym.',
    'My name is on the list.',
    'You are a nurse.',
    'Thanks, Ana!',
    'The cat sat on the mat.',
  ],
  'doubtful sentences in other languages': [
    'Ich wohne nicht in Köln.',
    'Ich mag Kaffee nicht.',
    'Wohne ich in Köln?',
    'Früher habe ich in Köln gewohnt.',
    'No vivo en Madrid.',
    '¿Vivo en Madrid?',
    "Je n'habite pas à Lyon.",
    'Si je vivais à Lyon.',
    '我不住在北京。',
    '我以前住在北京。',
    '我住在北京吗？',
    '我爸爸住在北京。',
    '我住在学校的宿舍。',
    '我在北京工作。',
    '我叫他来。',
    '我爱你。',
    '我想搬到上海。',
    '我的工作是帮助别人。',
    '如果我住在上海，我会很高兴。',
    '兄は東京に住んでいます。',
    '東京に住んでいます。',
    '私は東京に住んでいません。',
    '私は東京に住んでいました。',
    '私は東京に住んでいますか？',
    '私は東京に住んでいる人が好きです。',
    '私は東京で働いています。',
    '私は東京に住みたいです。',
    '私はあなたが好きです。',
    '私の名前は秘密ではありません。',
  ],
}

for (const [what, sentences] of Object.entries({
  ...SENTENCES_WITH_FACTS,
  ...CHINESE_AND_JAPANESE,
}))
  describe(`rules read ${what} from`, () => {
    for (const [sentence, facts] of Object.entries(sentences))
      test(JSON.stringify(sentence), () => expect(factsOf(sentence).sort()).toEqual(facts.sort()))
  })

for (const [what, sentences] of Object.entries(SENTENCES_WITHOUT_FACTS))
  describe(`rules read nothing from ${what}`, () => {
    for (const sentence of sentences)
      test(JSON.stringify(sentence), () => expect(factsOf(sentence)).toEqual([]))
  })

describe('facts', () => {
  test('a statement in the first person is about the author', () => {
    expect(factsOf('I live in Lisbon. My sister Ana works at Siemens.', 'Ada')).toEqual([
      'Ada: home = Lisbon',
      'Ada: relation.sister = Ana',
      'Ana: work.employer = Siemens',
    ])
  })

  test('`user` and `human` are the owner; statements of `assistant` in the first person are dropped', () => {
    const text = 'I live in Lisbon. Ana lives in Porto. The user lives in Graz.'
    for (const author of ['user', 'human'])
      expect(factsOf('I live in Lisbon.', author)).toEqual(['home = Lisbon'])
    expect(factsOf(text, 'assistant')).toEqual(['Ana: home = Porto', 'home = Graz'])
  })

  test('the quote is the sentence, as in the text', () => {
    const text =
      'Hi there!\n\n* So… **I live** in Lisbon’s “old town”, I mean.\nI work at   Siemens. Bye.'
    for (const { quote } of read(text)) expect(text).toContain(quote)
    expect(read(text).map(({ quote }) => quote)).toContain('I work at   Siemens.')
  })

  test('a sentence may continue on the next line', () => {
    expect(
      factsOf('After many years of seeing much of the world and its towns, I now live in\nLisbon.'),
    ).toEqual(['home = Lisbon'])
  })

  test('relative days count from `now` without occurredAt', () => {
    const [fact] = factsIn('Remind me tomorrow to call the bank.', {
      author: null,
      occurredAt: null,
      now: new Date('2026-05-01T08:00:00.000Z'),
    })
    expect(fact?.dueAt?.toISOString()).toBe('2026-05-02T09:00:00.000Z')
  })
})

describe('any text', () => {
  test('any text yields quotes that it contains', () => {
    const words = fc.constantFrom(
      'I',
      "I'm",
      'live',
      'in',
      'Lisbon',
      'my',
      'sister',
      'Ana',
      'is',
      'a',
      'nurse',
      'love',
      ',',
      '.',
      '"',
      '>',
      '\n',
      'remind',
      'me',
      'to',
      'on',
      'Friday',
      '`',
      '(',
      ')',
      ':',
      '\u0000',
      '🙂',
      'ß',
      'by',
      'birthday',
      '4 March',
      "'s",
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), (parts) => {
        const text = parts.join(' ')
        return read(text).every(({ quote, value }) => text.includes(quote) && value.length > 0)
      }),
      { numRuns: 500 },
    )
  })
})

describe('values of a key', () => {
  for (const [key, one, other, isSame] of [
    ['name', 'Ada', 'Ada Lovelace', true],
    ['name', 'Lovelace', 'Ada Lovelace', true],
    ['name', 'Ada', 'Adam', false],
    ['name', 'Ada Lovelace', 'Ada King', false],
    ['home', 'Lisbon', 'lisbon, Portugal', true],
    ['home', 'Paris, Texas', 'Paris, France', false],
    ['home', 'York', 'New York', false],
    ['home', 'Lisbon', 'Porto', false],
    ['date.birthday', '03-04', '1990-03-04', true],
    ['date.birthday', '1991-03-04', '1990-03-04', false],
    ['date.birthday', '03-04', '03-05', false],
    ['work.employer', 'Siemens', 'SIEMENS', true],
    ['work.employer', 'Siemens', 'Siemens Energy', false],
    ['favourite.color', 'green', 'blue', false],
    ['name', 'Alex Smith', 'Alexander Smith', true],
    ['name', 'Maria', 'Mariana', false],
    ['relation.wife', 'Ana', 'Ana Silva', true],
    ['name', 'Tom Jones', 'Thomas Jones', false],
    ['name', 'Bob', 'Robert Smith', false],
    ['name', 'Bob', 'Bill', false],
    ['relation.wife', 'Ana', 'Eva', false],
    ['home', 'Munich', 'Germany', true],
    ['home', 'Munich', 'Deutschland', true],
    ['home', 'Lisbon, Portugal', 'Portugal', true],
    ['home', 'Lisbon, Portugal', 'Spain', false],
    ['home', 'Munich', 'München, Deutschland', true],
    ['home', 'Rom', 'Rome', true],
    ['home', 'Lissabon', 'Lisbonne', true],
    ['home', '上海', 'Shanghai', true],
    ['home', 'Germany', 'Spain', false],
    ['home', 'San Diego', 'California', true],
    ['home', 'California', 'the United States', true],
    ['home', 'California', 'Texas', false],
    ['home', 'California', 'Germany', false],
    ['home', 'Austin, TX', 'Texas', true],
    ['home', 'New York', 'Boston', false],
    ['home', 'Munich', 'Singapore', false],
    ['home', 'NYC', 'New York', true],
    ['home', 'LA', 'Los Angeles', true],
    ['home', 'SF', 'Los Angeles', false],
    ['home', 'USA', 'United States', true],
    ['home', 'UK', 'USA', false],
    ['address', '12 Main St', '12 Main Street, Springfield', true],
    ['address', '1 Main Street', '12 Main Street', false],
    ['work.employer', 'Acme', 'ACME, Inc.', true],
    ['work.employer', 'Acme Ltd', 'Acme GmbH', true],
    ['work.employer', 'IBM', 'International Business Machines', true],
    ['work.employer', 'Acme', 'Apex', false],
    ['work.title', 'software engineer', 'senior software engineer', true],
    ['work.title', 'software engineer', 'nurse', false],
    ['favourite.color', 'blue', 'dark blue', true],
    ['favourite.food', 'pizza', 'sushi', false],
  ] as const)
    test(`${key}: ${one} and ${other} ${isSame ? 'are compatible' : 'contradict each other'}`, () => {
      expect(isCompatible(key, one, other)).toBe(isSame)
      expect(isCompatible(key, other, one)).toBe(isSame)
    })
})
