import { type Form, form, type Grammar, LATIN_NAME, preference } from './grammar.ts'

/** The topic is named: a sentence without it may be about another person. */
const I = '(?:私|僕|俺|わたし|ぼく)は、?(?:今は?|現在は?|とても|本当に)?、?'
const MY = '(?:私|僕|俺|わたし|ぼく)の'
const CLAUSE_STOP = '(?=$|[、。！,.!])'
const CHARACTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー・]`

/** Particles and pronouns: the words do not name a person, a place or a thing by themselves. */
const VAGUE =
  /[はがをもへ]|という|この|その|あの|どこ|何|誰|ここ|そこ|あなた|君|彼|それ|これ|あれ|ている|ていた|人$|こと$/u

const asFact =
  (kind: 'name' | 'home' | 'work', key: string): Form['read'] =>
  (value) =>
    VAGUE.test(value) ? [] : [{ kind, key, value }]
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
      asFact('name', 'name'),
    ),
    form(
      `(?:${I})?${PERSON}と(?:申します|いいます|言います)${CLAUSE_STOP}`,
      asFact('name', 'name'),
    ),
    form(
      `${I}${HOME}に住んで(?:います|いる|る|いて|おり|おります)${CLAUSE_STOP}`,
      asFact('home', 'home'),
    ),
    form(
      `${I}(?:最近|先月|先週|去年)?、?${HOME}[にへ]引っ越(?:しました|した)${CLAUSE_STOP}`,
      asFact('home', 'home'),
    ),
    form(
      `${I}${EMPLOYER}で(?:働いて|勤務して)(?:います|いる|る|いて|おり|おります)${CLAUSE_STOP}`,
      asFact('work', 'work.employer'),
    ),
    form(
      `${I}${EMPLOYED_BY}に(?:勤めて|勤務して)(?:います|いる|る|いて|おり|おります)${CLAUSE_STOP}`,
      asFact('work', 'work.employer'),
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
