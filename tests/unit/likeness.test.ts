import { expect, test } from 'bun:test'
import { PostingsIndex } from '../../server/memory/recall/postings-index.ts'
import { analyze, encodeTerms } from '../../server/memory/text/analyzer.ts'

/** An index of one memory, and its terms. */
const postingsOf = async (memory: string, language: string) => {
  const terms = await analyze(memory, language)
  const postings = new PostingsIndex()
  postings.add(new TextEncoder().encode(encodeTerms(terms)), 0)
  return { postings, terms: [...terms.keys()] }
}

/** Whether a word of a memory is found by a word of a question: exactly, or as one that is like it. */
const finds = async (language: string, memory: string, question: string): Promise<boolean> => {
  const { postings, terms } = await postingsOf(memory, language)
  const asked = [...(await analyze(question, language)).keys()]
  return asked.some(
    (term) =>
      terms.includes(term) ||
      postings.vocabulary.alike(term, language, () => true).flat().length > 0,
  )
}

/** By the language that a memory is stored with: a word of a memory, and another form of it in a question. */
const VARIANTS: Record<string, [memory: string, question: string][]> = {
  english: [
    ['restaurant', 'restuarant'],
    ['address', 'adress'],
    ['receive', 'recieve'],
    ['experience', 'experiance'],
    ['dentist', 'dentsit'],
    ['warranty', 'warrenty'],
    ['insurance', 'insurence'],
    ['books on the shelf', 'bookshelf'],
  ],
  german: [
    ['Termin beim Zahnarzt', 'Zahnarzttermin'],
    ['Versicherung', 'Versicherungsnummer'],
    ['Versicherungsnummer', 'Versicherung'],
    ['Reisepass', 'Pass'],
    ['Autoschlüssel', 'Schlüssel'],
    ['Steuererklärung', 'Steuer'],
    ['Fahrrad', 'Fahrad'],
    ['Müller', 'Mueller'],
    ['Straße', 'Strasse'],
    ['Geburtstag', 'Geburstag'],
    ['Mülltonnen', 'Mülltone'],
  ],
  dutch: [
    ['zorgverzekering', 'verzekering'],
    ['verjaardag', 'verjaardagsfeest'],
    ['tandarts', 'tandartz'],
    ['fietssleutel', 'sleutel'],
  ],
  swedish: [
    ['bilförsäkring', 'försäkring'],
    ['tandläkare', 'tandlakare'],
    ['födelsedag', 'födelsedagskalas'],
  ],
  norwegian: [
    ['bilforsikring', 'forsikring'],
    ['Øystein', 'Oystein'],
  ],
  danish: [
    ['sommerhus', 'sommerhuset'],
    ['Søren', 'Soren'],
  ],
  finnish: [
    ['Helsinki', 'Helsingissä'],
    ['autovakuutus', 'vakuutus'],
    ['hammaslääkäri', 'hammaslaakari'],
    ['kauppa', 'kaupassa'],
    ['sähkölasku', 'lasku'],
  ],
  hungarian: [
    ['biztosítás', 'autóbiztosítás'],
    ['fogorvos', 'fogorvoshoz'],
    ['kulcsok', 'kulcs'],
    ['számla', 'szamla'],
  ],
  turkish: [
    ['kitap', 'kitabı'],
    ['doktor', 'doktorumuz'],
    ['çocuk', 'çocuğu'],
    ['ağaç', 'agac'],
    ['İstanbul', "İstanbul'da"],
  ],
  simple: [
    // Polish
    ['samochód', 'samochodem'],
    ['książka', 'książki'],
    ['Łódź', 'Lodz'],
    ['praca', 'pracy'],
    ['ubezpieczenie', 'ubezpieczenia'],
    // Czech
    ['voda', 'vody'],
    ['zubař', 'zubaře'],
    ['pojištění', 'pojisteni'],
    // Catalan
    ['assegurança', 'assegurances'],
    ['llibre', 'llibres'],
    ['dentista', 'dentistes'],
    // Vietnamese
    ['Đà Nẵng', 'da nang'],
    ['bảo hiểm', 'bao hiem'],
    // Hebrew
    ['הרופא', 'לרופא'],
    ['ביטוח', 'הביטוח'],
    ['מפתחות', 'המפתחות'],
    // Korean
    ['회의는', '회의에서'],
    ['서울', '서울에서'],
    ['병원에', '병원'],
    ['비밀번호는', '비밀번호가'],
    ['여권을', '여권이'],
    // Japanese
    ['会議室', '会議'],
    ['パスポート番号', 'パスポート'],
    ['歯医者', '歯医者さん'],
    // Chinese
    ['保险单', '保险'],
    ['护照号码', '护照'],
    // Thai
    ['โรงพยาบาล', 'โรงพยาบาลเด็ก'],
    // Persian
    ['کتاب', 'کتابها'],
  ],
  arabic: [
    ['الطبيب', 'طبيب'],
    ['المستشفى', 'مستشفي'],
    ['أحمد', 'احمد'],
  ],
  greek: [
    ['Αθήνα', 'Αθηνα'],
    ['γιατρός', 'γιατρος'],
  ],
  russian: [
    ['ёлка', 'елка'],
    ['страховка', 'стрховка'],
    ['паспорт', 'паспотр'],
  ],
  spanish: [
    ['dirección', 'direcion'],
    ['médico', 'medico'],
  ],
  french: [
    ['rendez-vous chez le médecin', 'medecin'],
    ['appartement', 'apartement'],
  ],
  romanian: [['mașină', 'masina']],
  lithuanian: [['draudimas', 'draudimo']],
}
for (const [language, words] of Object.entries(VARIANTS))
  test.each(words)(`${language}: %s is found by %s`, async (memory, question) => {
    expect(await finds(language, memory, question)).toBe(true)
  })

/** Other words that look alike. */
const UNRELATED: Record<string, [memory: string, question: string][]> = {
  english: [
    ['book', 'look'],
    ['grandma', 'grandpa'],
    ['letter', 'litter'],
    ['market', 'marker'],
    ['platform', 'form'],
    ['report', 'port'],
    ['horse', 'house'],
    ['professor', 'profession'],
    ['career', 'care'],
    ['party', 'part'],
    ['summer', 'simmer'],
    ['consider', 'confident'],
  ],
  german: [
    ['Maus', 'Haus'],
    ['Hand', 'Hund'],
    ['Schwein', 'Wein'],
    ['Papier', 'Tier'],
    ['Pferde', 'Erde'],
    ['Butter', 'Mutter'],
    ['Kasse', 'Kasten'],
    ['Bank', 'Band'],
    ['Sport', 'Ort'],
    ['Schrank', 'schlank'],
    ['Kirche', 'Küche'],
  ],
  dutch: [['boek', 'broek']],
  swedish: [['bord', 'ord']],
  finnish: [['kuusi', 'kuu']],
  turkish: [['deniz', 'denge']],
  simple: [
    ['prawo', 'prawda'],
    ['lekarz', 'lekcja'],
    ['김치', '김밥'],
    ['전화', '전기'],
    ['会社', '社長'],
    ['電話', '電気'],
    ['한국', '한글'],
    ['대학교', '대회'],
    ['מים', 'מילה'],
    ['nước', 'người'],
  ],
  russian: [['стол', 'стул']],
  spanish: [['casa', 'cosa']],
  french: [['poisson', 'boisson']],
}
for (const [language, words] of Object.entries(UNRELATED))
  test.each(words)(`${language}: %s is not found by %s`, async (memory, question) => {
    expect(await finds(language, memory, question)).toBe(false)
  })

test('codes and numbers are like nothing else', async () => {
  expect(await finds('english', 'ticket 471123', '471132')).toBe(false)
  expect(await finds('english', 'kx20418a', 'kx20418b')).toBe(false)
})
