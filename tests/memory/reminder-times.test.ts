import { expect, test } from 'bun:test'
import { factsIn } from '../../server/memory/facts/rules/index.ts'

/** A Friday. */
const NOW = new Date('2026-03-06T10:00:00Z')

/** Language, request, task, and when it is due. */
const REQUESTS = `
fr | Rappelle-moi demain à 9 h d'appeler Ada. | appeler Ada | 2026-03-07T09:00
fr | Rappelle-moi d'appeler Ada demain à 9 h. | appeler Ada | 2026-03-07T09:00
fr | Rappelle-moi demain à 9 heures d'appeler Ada. | appeler Ada | 2026-03-07T09:00
fr | Rappelle-moi d'appeler Ada demain à 9 heures. | appeler Ada | 2026-03-07T09:00
fr | Rappelle-moi demain à 21 h 30 d'appeler Ada. | appeler Ada | 2026-03-07T21:30
fr | Rappelle-moi d'appeler Ada demain à 21 h 30. | appeler Ada | 2026-03-07T21:30
fr | Rappelle-moi demain à 21h30 d'appeler Ada. | appeler Ada | 2026-03-07T21:30
fr | Rappelle-moi à 21 h d'appeler Ada. | appeler Ada | 2026-03-06T21:00
fr | Rappelle-moi demain à midi d'appeler Ada. | appeler Ada | 2026-03-07T12:00
fr | Rappelle-moi d'appeler Ada à midi. | appeler Ada | 2026-03-06T12:00
fr | Rappelle-moi demain à 9 heures et demie d'appeler Ada. | appeler Ada | 2026-03-07T09:30
fr | Rappelle-moi demain à neuf heures d'appeler Ada. | appeler Ada | 2026-03-07T09:00
fr | Rappelle-moi demain à 9 h et quart d'appeler Ada. | appeler Ada | 2026-03-07T09:15
fr | Rappelle-moi demain à 10 heures moins le quart d'appeler Ada. | appeler Ada | 2026-03-07T09:45
fr | Rappelle-moi après-demain à 8 h d'appeler Ada. | appeler Ada | 2026-03-08T08:00
fr | Rappelle-moi lundi à 9 h d'appeler Ada. | appeler Ada | 2026-03-09T09:00
fr | Rappelle-moi d'appeler Ada lundi à 9 h. | appeler Ada | 2026-03-09T09:00
fr | Demain à 9 h, rappelle-moi d'appeler Ada. | appeler Ada | 2026-03-07T09:00
fr | Rappelle-moi demain à 3 heures de l'après-midi d'appeler Ada. | appeler Ada | 2026-03-07T15:00
fr | Rappelle-moi demain à 8 h du soir d'appeler Ada. | appeler Ada | 2026-03-07T20:00
fr | Rappelle-moi demain matin à 8 h d'appeler Ada. | appeler Ada | 2026-03-07T08:00
fr | Rappelle-moi demain soir d'appeler Ada. | appeler Ada | 2026-03-07T20:00
fr | Rappelle-moi dans 2 heures d'appeler Ada. | appeler Ada | 2026-03-06T12:00
fr | Rappelle-moi dans 2 h d'appeler Ada. | appeler Ada | 2026-03-06T12:00
fr | Rappelle-moi d'appeler Ada dans 30 minutes. | appeler Ada | 2026-03-06T10:30
fr | Rappelle-moi d'appeler Ada le 12 mars à 9 h 15. | appeler Ada | 2026-03-12T09:15
de | Erinnere mich morgen um 9 Uhr daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:00
de | Erinnere mich morgen um 9 h daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:00
de | Erinnere mich morgen um 9:30 Uhr daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:30
de | Erinnere mich morgen um 9.30 Uhr daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:30
de | Erinnere mich morgen um 9 Uhr 30 daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:30
de | Erinnere mich morgen um halb zehn daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:30
de | Erinnere mich morgen um halb 10 daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:30
de | Erinnere mich morgen um Viertel nach neun daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:15
de | Erinnere mich morgen um Viertel vor 10 daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:45
de | Erinnere mich morgen um viertel nach 9 daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:15
de | Erinnere mich morgen um neun Uhr daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:00
de | Erinnere mich morgen um neun daran, Ada anzurufen. | Ada anzurufen | 2026-03-07T09:00
de | Erinnere mich daran, Ada morgen um 9 Uhr anzurufen. | Ada anzurufen | 2026-03-07T09:00
de | Erinnere mich daran, morgen um 9 Uhr Ada anzurufen. | Ada anzurufen | 2026-03-07T09:00
de | Erinnere mich übermorgen um 8 Uhr an den Termin. | an den Termin | 2026-03-08T08:00
de | Erinnere mich übermorgen früh an den Termin. | an den Termin | 2026-03-08T09:00
de | Erinnere mich morgen früh um 7 an den Termin. | an den Termin | 2026-03-07T07:00
de | Erinnere mich an den Termin morgen um 9 Uhr. | an den Termin | 2026-03-07T09:00
de | Erinnere mich an den Termin am Montag um 14 Uhr. | an den Termin | 2026-03-09T14:00
de | Erinnere mich morgen Mittag an den Termin. | an den Termin | 2026-03-07T12:00
de | Erinnere mich morgen um 12 Uhr mittags an den Termin. | an den Termin | 2026-03-07T12:00
de | Erinnere mich morgen um 8 Uhr abends an den Termin. | an den Termin | 2026-03-07T20:00
de | Erinnere mich um 20 Uhr an den Termin. | an den Termin | 2026-03-06T20:00
de | Morgen um 9 Uhr erinnere mich an den Termin. | an den Termin | 2026-03-07T09:00
de | Erinnere mich in 2 Stunden an den Termin. | an den Termin | 2026-03-06T12:00
de | Erinnere mich morgen um 21h30 an den Termin. | an den Termin | 2026-03-07T21:30
es | Recuérdame mañana a las 9 llamar a Ada. | llamar a Ada | 2026-03-07T09:00
es | Recuérdame mañana a las 9 h llamar a Ada. | llamar a Ada | 2026-03-07T09:00
es | Recuérdame llamar a Ada mañana a las 9 h. | llamar a Ada | 2026-03-07T09:00
es | Recuérdame mañana a las 9:30 llamar a Ada. | llamar a Ada | 2026-03-07T09:30
es | Recuérdame mañana a las 9:30 h llamar a Ada. | llamar a Ada | 2026-03-07T09:30
es | Recuérdame mañana a las 9 y media llamar a Ada. | llamar a Ada | 2026-03-07T09:30
es | Recuérdame mañana a las nueve y media llamar a Ada. | llamar a Ada | 2026-03-07T09:30
es | Recuérdame mañana a las nueve llamar a Ada. | llamar a Ada | 2026-03-07T09:00
es | Recuérdame llamar a Ada mañana a las 9 y cuarto. | llamar a Ada | 2026-03-07T09:15
es | Recuérdame llamar a Ada mañana a las 10 menos cuarto. | llamar a Ada | 2026-03-07T09:45
es | Recuérdame llamar a Ada mañana a las 21.30. | llamar a Ada | 2026-03-07T21:30
es | Recuérdame llamar a Ada mañana a las 21:30 horas. | llamar a Ada | 2026-03-07T21:30
es | Recuérdame llamar a Ada mañana al mediodía. | llamar a Ada | 2026-03-07T12:00
es | Recuérdame llamar a Ada mañana a las 8 de la tarde. | llamar a Ada | 2026-03-07T20:00
es | Recuérdame llamar a Ada mañana a las 9 de la mañana. | llamar a Ada | 2026-03-07T09:00
es | Recuérdame llamar a Ada pasado mañana a las 9. | llamar a Ada | 2026-03-08T09:00
es | Mañana a las 9, recuérdame llamar a Ada. | llamar a Ada | 2026-03-07T09:00
es | Recuérdame el lunes a las 9 h llamar a Ada. | llamar a Ada | 2026-03-09T09:00
es | Recuérdame en 2 horas llamar a Ada. | llamar a Ada | 2026-03-06T12:00
es | Recuérdame a las 21 h llamar a Ada. | llamar a Ada | 2026-03-06T21:00
en | Remind me tomorrow at 9 to call Ada. | call Ada | 2026-03-07T09:00
en | Remind me tomorrow at half past nine to call Ada. | call Ada | 2026-03-07T09:30
en | Remind me tomorrow at quarter to ten to call Ada. | call Ada | 2026-03-07T09:45
en | Remind me to call Ada tomorrow at a quarter past 9. | call Ada | 2026-03-07T09:15
en | Remind me to call Ada tomorrow at noon. | call Ada | 2026-03-07T12:00
en | Remind me to call Ada tomorrow at 21:30. | call Ada | 2026-03-07T21:30
en | Remind me to call Ada tomorrow at 9 o'clock. | call Ada | 2026-03-07T09:00
en | Remind me to call Ada tomorrow at nine. | call Ada | 2026-03-07T09:00
en | Remind me to call Ada tomorrow at 9.30 pm. | call Ada | 2026-03-07T21:30
en | Remind me to call Ada the day after tomorrow at 8am. | call Ada | 2026-03-08T08:00
en | Remind me to call Ada tomorrow at 9h. | call Ada | 2026-03-07T09:00
en | Remind me to call Ada at midnight. | call Ada | 2026-03-07T00:00
fr | Rappelle-moi demain soir à 8 h d'appeler Ada. | appeler Ada | 2026-03-07T20:00
fr | Rappelle-moi ce soir à 21 h 30 d'appeler Ada. | appeler Ada | 2026-03-06T21:30
fr | Rappelle-moi chaque lundi à 9 h 30 de nager. | nager chaque lundi | 2026-03-09T09:30
fr | Peux-tu me rappeler d'appeler Ada demain à 9 h ? | appeler Ada | 2026-03-07T09:00
fr | Rappelle-moi d'acheter 2 heures de parking demain. | acheter 2 heures de parking | 2026-03-07T09:00
de | Erinnere mich morgen Abend um 8 an den Termin. | an den Termin | 2026-03-07T20:00
de | Erinnere mich heute Abend um halb neun an den Termin. | an den Termin | 2026-03-06T20:30
de | Kannst du mich morgen um halb zehn an den Termin erinnern? | an den Termin | 2026-03-07T09:30
de | Erinnere mich jeden Tag um halb zehn an die Tablette. | an die Tablette jeden Tag | 2026-03-07T09:30
de | Erinnere mich um fünf vor zwölf an das Essen. | an das Essen | 2026-03-06T11:55
es | Recuérdame mañana por la noche a las 9 llamar a Ada. | llamar a Ada | 2026-03-07T21:00
es | ¿Puedes recordarme llamar a Ada mañana a las 9 y media? | llamar a Ada | 2026-03-07T09:30
es | Recuérdame cada lunes a las 9 y media nadar. | nadar cada lunes | 2026-03-09T09:30
en | Remind me to call Ada at one tomorrow. | call Ada | 2026-03-07T13:00
en | Remind me to look at one more report tomorrow. | look at one more report | 2026-03-07T09:00
en | Remind me every day at half past nine to stretch. | stretch every day | 2026-03-07T09:30
en | Remind me to call Ada at twenty to six. | call Ada | 2026-03-06T17:40
`

for (const line of REQUESTS.trim().split('\n')) {
  const [language, text = '', task, due] = line.split(' | ')
  test(`a reminder in ${language} is due at the hour that it names: ${text}`, () => {
    const facts = factsIn(text, { author: null, occurredAt: NOW, now: NOW })
    expect(facts.map(({ value, dueAt }) => [value, dueAt?.toISOString().slice(0, 16)])).toEqual([
      [task, due],
    ])
  })
}
