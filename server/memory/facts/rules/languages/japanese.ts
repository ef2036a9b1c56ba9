import { alternatives } from '../../../../../shared/text/alternatives.ts'
import { type Form, form, type Grammar, LATIN_NAME, preference } from './grammar.ts'

/** The topic is named: a sentence without it may be about another person. */
const I = '(?:私|僕|俺|わたし|ぼく)は、?(?:今は?|現在は?|とても|本当に)?、?'
const MY = '(?:私|僕|俺|わたし|ぼく)の'
const CLAUSE_STOP = '(?=$|[、。！,.!])'
const CHARACTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・]`

/** Particles and pronouns: the words do not name a person, a place or a thing by themselves. */
const VAGUE =
  /[はがをもへ]|という|この|その|あの|どこ|何|誰|ここ|そこ|あなた|君|彼|それ|これ|あれ|ている|ていた|人$|こと$/u

/** Buildings, parts of a town and relations to a place: "駅の近く" names none. */
const NO_TOWN = new RegExp(
  `(?:${alternatives(`
      近く | 近所 | 駅前 | そば | 隣 | となり | 実家 | 郊外 | 田舎 | 都会 | 寮 | 社宅 | 官舎 | マンション | アパート | 団地 | 住宅
      [一二三四五六七八九十\\d]階 | 沿い | 周辺 | 辺り | あたり | 付近 | 市内 | 都内 | 県内 | 区内 | 海外 | 国内 | 外国 | 地元 | 故郷 | 下宿
      ハウス | ホテル | 部屋 | 中心 | 中心部 | 街中 | 町中 | 離れ | 地方 | 施設 | 建物 | 物件 | 場所 | ところ
    `)})$|の(?:側|横|前|裏|中|上|下|家|世界|時代|環境|地域|街|町|村|国|所|土地)$|^(?:[自民農貸]?家|一軒家|世界|街|町|村|国)$`,
  'u',
)
/** An adjective, or a word such as "secret": it says what a name is like. */
const NO_NAME =
  /\p{Script=Han}い$|^(?:秘密|内緒|普通|大切|大事|簡単|複雑|有名|無名|本名|偽名|同じ|以下|不明|特別|謎)$/u
/** A kind of employer names none: "病院で働いています". */
const NO_EMPLOYER =
  /^(?:大|小さな|大きな|外資系|外資系の|地元の|近くの|近所の|ある|同じ|別の|有名な)?(?:会社|銀行|病院|大学|学校|研究所|製作所|工場|役所)$|の(?:会社|銀行|病院|大学|学校|研究所|製作所|工場|役所)$|^(?:実家|自宅|家|在宅|海外|現場|夜|一人|事務所|オフィス)$/u

const unless =
  (doubt: RegExp, read: Form['read']): Form['read'] =>
  (value, speaker) =>
    doubt.test(value) ? [] : read(value, speaker)

const asFact =
  (kind: 'name' | 'home' | 'work', key: string): Form['read'] =>
  (value) =>
    VAGUE.test(value) ? [] : [{ kind, key, value }]
const asName = unless(NO_NAME, asFact('name', 'name'))
const asHome = unless(NO_TOWN, asFact('home', 'home'))
const asEmployer = unless(NO_EMPLOYER, asFact('work', 'work.employer'))
const asPreference =
  (polarity: 'like' | 'dislike'): Form['read'] =>
  (value) =>
    VAGUE.test(value)
      ? []
      : value
          .split(/[とや]/u)
          .filter(Boolean)
          .map((item) => preference(polarity, item))

const PERSON = `(?<value>${CHARACTER}{1,12}?|${LATIN_NAME})`
const HOME = `(?<value>${CHARACTER}{1,12}?|${LATIN_NAME})`
/** A place where people work is an employer only by its last word: "東京で働いています" names none. */
const EMPLOYER = `(?<value>[${CHARACTER.slice(1, -1)}\\p{L}\\d]{0,12}?(?:会社|銀行|病院|大学|学校|研究所|製作所|工場|役所)|${LATIN_NAME})`
const EMPLOYED_BY = `(?<value>${CHARACTER}{1,12}?|${LATIN_NAME})`
const THING = String.raw`(?<value>[${CHARACTER.slice(1, -1)}\p{L}]{1,12}?)`
const IS = '(?:です|だ)?'

export const japanese: Grammar = {
  speaks: /私|僕|俺|わたし|ぼく|申します/,
  doubt:
    /[?？「『]|か$|かも|でしょう|だろう|たい|ない|ません|なら|たら|れば|もし|以前|昔|かつて|と言|らしい|そうで|思|夢|予定|つもり/u,
  joint: /(?<!は|最近|先月|先週|去年)[、,；;](?:そして|でも|だから)?/,
  lead: /^(?:(?:こんにちは|はじめまして|ちなみに|実は)[、,！!。\s]*)+/u,
  forms: [
    form(
      `${MY}名前は、?${PERSON}(?:です|だ|と(?:申します|いいます|言います))${CLAUSE_STOP}`,
      asName,
    ),
    form(`(?:${I})?${PERSON}と(?:申します|いいます|言います)${CLAUSE_STOP}`, asName),
    form(`${I}${HOME}に住んで(?:います|いる|る|いて|おり|おります)${CLAUSE_STOP}`, asHome),
    form(
      `${I}(?:最近|先月|先週|去年)?、?${HOME}[にへ]引っ越(?:しました|した)${CLAUSE_STOP}`,
      asHome,
    ),
    form(
      `${I}${EMPLOYER}で(?:働いて|勤務して)(?:います|いる|る|いて|おり|おります)${CLAUSE_STOP}`,
      asEmployer,
    ),
    form(
      `${I}${EMPLOYED_BY}に(?:勤めて|勤務して)(?:います|いる|る|いて|おり|おります)${CLAUSE_STOP}`,
      asEmployer,
    ),
    form(
      `${I}${THING}として働いて(?:います|いる|る|いて|おり|おります)${CLAUSE_STOP}`,
      asFact('work', 'work.title'),
    ),
    form(`${MY}職業は、?${THING}(?:です|だ)${CLAUSE_STOP}`, asFact('work', 'work.title')),
    form(`${I}${THING}が(?:大好き|好き)${IS}${CLAUSE_STOP}`, asPreference('like')),
    form(`${I}${THING}が(?:大嫌い|嫌い)${IS}${CLAUSE_STOP}`, asPreference('dislike')),
  ],
}
