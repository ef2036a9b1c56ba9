import { stemmingOf } from './stemming.ts'

/** English words whose forms have different stems. */
const GROUPS = `
  arise arose arisen, awake awoke awoken, bear bore borne, beat beaten, become became, begin began
  begun, bend bent, bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken,
  breed bred, bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen,
  cling clung, come came, creep crept, deal dealt, dig dug, dive dove, draw drew drawn, dream dreamt,
  drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight
  fought, find found, flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
  forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone, grind
  ground, grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt,
  know knew known, lay laid, lead led, lean leant, leap leapt, learn learnt, leave left, lend lent,
  lie lay lain, light lit, lose lost, make made, mean meant, meet met, mistake mistook mistaken,
  overcome overcame, pay paid, prove proven, ride rode ridden, ring rang rung, rise rose risen, run
  ran, say said, see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine
  shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep
  slept, slide slid, smell smelt, speak spoke spoken, speed sped, spell spelt, spend spent, spill
  spilt, spin spun, spring sprang sprung, stand stood, steal stole stolen, stick stuck, sting stung,
  stink stank stunk, strike struck stricken, strive strove striven, swear swore sworn, sweep swept,
  swell swollen, swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell
  told, think thought, throw threw thrown, understand understood, undergo underwent undergone,
  undertake undertook undertaken, wake woke woken, wear wore worn, weave wove woven, weep wept, win
  won, wind wound, withdraw withdrew withdrawn, write wrote written, child children, man men, woman
  women, person people, foot feet, tooth teeth, mouse mice, wife wives, knife knives
`
  .split(',')
  .map((group) => group.trim().split(/\s+/))

type FormsOf = (language: string, stem: string) => readonly string[]

let loaded: Promise<FormsOf> | undefined

/** The other stems of an irregular word by one of them: "go" finds "went". */
export const irregularForms = (): Promise<FormsOf> => {
  loaded ??= load()
  return loaded
}

const load = async (): Promise<FormsOf> => {
  const { stem } = await stemmingOf('english')
  const forms = new Map<string, string[]>()
  for (const group of GROUPS) {
    const stems = [...new Set(group.map(stem))]
    for (const one of stems)
      forms.set(one, [...(forms.get(one) ?? []), ...stems.filter((other) => other !== one)])
  }
  return (language, stemmed) => (language === 'english' ? (forms.get(stemmed) ?? []) : [])
}
