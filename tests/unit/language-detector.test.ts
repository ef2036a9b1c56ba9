import { expect, test } from 'bun:test'
import { eld } from 'eld/small'
import { detectLanguage } from '../../server/memory/text/language-detector.ts'

const TEXTS = [
  'We deploy to Hetzner on Fridays, and the spare key isn’t under the pot.',
  "Don't tell anyone ''quoted'' that 'it' is rock'n'roll ' ` ’ '' '",
  'Wir fahren am Samstag nach Köln, weil die Großmutter Geburtstag hat.',
  'Nous avons déménagé à Lyon parce que l’hôpital y cherchait une infirmière.',
  'El médico dice que debo caminar media hora cada día después de comer.',
  'O meu irmão comprou uma casa perto da praia no ano passado.',
  'La riunione è stata spostata a giovedì perché il direttore è malato.',
  'De vergadering is verplaatst naar donderdag omdat de directeur ziek is.',
  'Zebranie przeniesiono na czwartek, ponieważ dyrektor źle się czuje.',
  'Schůzka se přesouvá na čtvrtek, protože ředitel onemocněl.',
  'A megbeszélést csütörtökre tették, mert az igazgató megbetegedett.',
  'Toplantı perşembeye alındı, İstanbul’daki müdür hastalandı.',
  'İİİ ısırgan otu İzmir’de çok yetişir, değil mi?',
  'Встречу перенесли на четверг, потому что директор заболел.',
  'Зустріч перенесли на четвер, бо директор захворів.',
  'Η ΣΥΝΑΝΤΗΣΗ ΜΕΤΑΦΕΡΘΗΚΕ ΤΗΝ ΠΕΜΠΤΗ, επειδή ο διευθυντής αρρώστησε.',
  'הפגישה הועברה ליום חמישי כי המנהל חולה.',
  'تم نقل الاجتماع إلى يوم الخميس لأن المدير مريض.',
  'बैठक गुरुवार को कर दी गई है क्योंकि निदेशक बीमार हैं।',
  '会议改到星期四，因为主任生病了。',
  '部長が病気なので、会議は木曜日に変更されました。',
  '부장님이 아프셔서 회의가 목요일로 옮겨졌습니다.',
  'การประชุมเลื่อนไปเป็นวันพฤหัสบดีเพราะผู้อำนวยการป่วย',
  'Cuộc họp được chuyển sang thứ Năm vì giám đốc bị ốm.',
  'zhōngguó de chéngshì hěn dà ǎ ǚ ǐ Ǆ ʰ ˈ',
]

const PIECES = [
  ...TEXTS.flatMap((text) => text.split(' ')),
  ...[
    "'",
    '’',
    '`',
    "''",
    '?!',
    '1234',
    '\t\n',
    '\u0000',
    '\ud83d\ude00',
    '\ud800',
    '\udfff',
    '𐐀',
    '𝒜',
  ],
  ...[
    'K',
    'ẞ',
    'ŉ',
    'ﬁ',
    'e\u0301',
    'x'.repeat(69),
    'y'.repeat(70),
    'z'.repeat(71),
    'ж'.repeat(200),
  ],
]

/** A sequence of numbers from 0 to 1 that is the same in each run (mulberry32). */
const createRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
}

const ofPackage = (text: string) => {
  const found = eld.detect(text)
  if (!found.isReliable()) return []
  return Object.entries(found.getScores())
    .map(([code, score]) => ({ code, score }))
    .toSorted((a, b) => b.score - a.score)
}

const detected = (text: string) => detectLanguage(text).map(({ code, score }) => ({ code, score }))

test('texts in 24 languages have the scores of eld', () => {
  for (const text of [...TEXTS, ...TEXTS.map((each) => each.toUpperCase()), '', ' ', 'a', 'ab cd'])
    expect(detected(text)).toEqual(ofPackage(text))
  expect(new Set(TEXTS.map((text) => detected(text)[0]?.code)).size).toBeGreaterThan(20)
})

test('random mixtures of words, marks and broken characters have the scores of eld', () => {
  const random = createRandom(7)
  const separators = ['', ' ', ' ', ' ', "'", '-', '  ']
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  let reliable = 0
  for (let round = 0; round < 3_000; round++) {
    const text = Array.from(
      { length: Math.ceil(random() * 60) },
      () => pick(PIECES) + pick(separators),
    ).join('')
    const wanted = ofPackage(text.slice(0, 1_000))
    expect(detected(text.slice(0, 1_000))).toEqual(wanted)
    if (wanted.length) reliable += 1
  }
  expect(reliable).toBeGreaterThan(500)
})
