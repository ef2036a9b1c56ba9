import { isFirstPerson } from '../recall/first-person.ts'
import type { FactQuery } from '../recall/store.ts'
import { SELF } from './rules/index.ts'

/**
 * Words that ask for a fact, by the pattern of its key: in English, German, Spanish, French, Chinese and
 * Japanese.
 */
const CUES: Record<string, RegExp> = {
  home: cue(
    'live|living|reside|residence|home|wohn\\p{L}*|lebe|zuhause|viv[eo]|vivimos|resido|habite|habites|住',
    '住',
  ),
  address: cue('address|adresse|dirección|direccion', '地址|住所'),
  hometown: cue('hometown|heimatstadt|ciudad natal|ville natale|born', '家乡|故乡|出身'),
  name: cue('my name|called|heiße|mein name|llamo|mi nombre|appelle|mon nom', '名字|名前'),
  'work.%': cue(
    'work|job|employer|profession|occupation|arbeit\\p{L}*|beruf\\p{L}*|trabaj\\p{L}*|empleo|travail\\p{L}*|métier|emploi',
    '工作|上班|仕事|働',
  ),
  'date.birthday': cue(
    'birthday|born|geburtstag|geboren|cumpleaños|nací|anniversaire',
    '生日|誕生日',
  ),
  'allergy.%': cue('allerg\\p{L}*|alérgic\\p{L}*', '过敏|アレルギー'),
  diet: cue('diet|vegan|vegetarian|ernährung|dieta|régime', '素食|ベジタリアン'),
  'relation.sister': cue('sister|schwester|hermana|sœur', '姐姐|妹妹|姉|妹'),
  'relation.brother': cue('brother|bruder|hermano|frère', '哥哥|弟弟|兄|弟'),
  'relation.mother': cue('mother|mum|mom|mutter|madre|mère', '妈妈|母亲|母'),
  'relation.father': cue('father|dad|vater|padre|père', '爸爸|父亲|父'),
  'relation.daughter': cue('daughter|tochter|hija|fille', '女儿|娘'),
  'relation.son': cue('son|sohn|hijo|fils', '儿子|息子'),
  'relation.wife': cue('wife|frau|esposa|mujer|femme', '妻子|妻'),
  'relation.husband': cue('husband|mann|esposo|marido|mari', '丈夫|夫'),
  'relation.dog': cue('dog|hund|perro|chien', '狗|犬'),
  'relation.cat': cue('cat|katze|gato|chat', '猫'),
  'relation.boss': cue('boss|chef|chefin|jefe|jefa|patron', '老板|上司'),
}

/** Matches whole words, and parts of a text in a script without spaces. */
function cue(words: string, unspaced: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])|${unspaced}`, 'iu')
}

/** A longer text asks for more than a fact. */
const MAX_CHARACTERS = 300
const NAME = /(?<=\S\s)\p{Lu}[\p{L}\p{M}'-]+/gu

/** The facts that a question asks for, about the user or a person that it names. */
export const parseFactQuestion = (question: string, selfNames: string[]): FactQuery => {
  if (question.length > MAX_CHARACTERS) return { subjects: [], keys: [] }
  const keys = Object.entries(CUES).flatMap(([key, pattern]) =>
    pattern.test(question) ? [key] : [],
  )
  const named = question.match(NAME) ?? []
  const isOwn = isFirstPerson(question) || named.length === 0
  return { subjects: keys.length ? [...named, ...(isOwn ? [SELF, ...selfNames] : [])] : [], keys }
}
