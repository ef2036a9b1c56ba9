import { alternatives } from '../../../../../shared/text/alternatives.ts'
import { isGermanEmployer, isGermanPlace } from '../common-nouns.ts'
import { PHRASE, PLACE } from '../grammar.ts'
import {
  asAllergy,
  asBirthday,
  asEmployer,
  asHome,
  asName,
  asPreference,
  asTitle,
  EMPLOYER,
  type Form,
  form,
  type Grammar,
  HOME,
  OBJECT,
  PERSON,
  relatives,
} from './grammar.ts'

const SINCE = '(?:jetzt |derzeit |aktuell |seit \\d{4} )?'

const asGermanHome =
  (hasArticle: boolean): Form['read'] =>
  (name, speaker) =>
    isGermanPlace(name, hasArticle) ? asHome(name, speaker) : []

const asGermanEmployer: Form['read'] = (name, speaker) =>
  isGermanEmployer(name) ? asEmployer(name, speaker) : []

export const german: Grammar = {
  language: 'de',
  speaks: /\b(?:ich|mein|meine|meinen|mich)\b/i,
  doubt: new RegExp(
    `\\?|\\b(?:${alternatives(`
        nicht | kein | keine | keinen | nie | niemals | wenn | falls | ob | würde | wäre | hätte
        könnte | vielleicht | früher | damals | wohnte | lebte | arbeitete | sagte | sagt | meinte
        wünschte | möchte | angenommen | bis | wollte | will | noch | mehr als | fast | beinahe
      `)})\\b`,
    'i',
  ),
  joint: /[,;] (?:und |aber |denn )?|\s(?:und|aber|denn) /g,
  lead: /^(?:(?:hallo|hi|hey|guten tag|also|ja|nein|übrigens|und|ach|aktuell|derzeit|jetzt)[,!.\s]+)+/i,
  disliked: /^[Ii]ch mag (?:keinen?|kein) (?<value>[\p{L}-]+)$/u,
  forms: [
    form(`[Ii]ch heiße ${PERSON}`, asName),
    form(`[Mm]ein Name ist ${PERSON}`, asName),
    form(`[Ii]ch (?:wohne|lebe) ${SINCE}in ${HOME}`, asGermanHome(false)),
    form(`[Ii]ch (?:wohne|lebe) ${SINCE}in der ${HOME}`, asGermanHome(true)),
    form(
      `[Ii]ch bin (?:vor kurzem |gerade |letztes Jahr )?nach (?<value>${PLACE}) (?:gezogen|umgezogen)`,
      asGermanHome(false),
    ),
    form(
      `[Ii]ch arbeite (?:jetzt |derzeit )?(?:bei|für) (?:der |dem )?${EMPLOYER}`,
      asGermanEmployer,
    ),
    form(`[Ii]ch arbeite (?:jetzt |derzeit )?als (?<value>\\p{Lu}[\\p{L}-]+)`, asTitle),
    form(`[Ii]ch bin (?<value>\\p{Lu}[\\p{L}-]+) von Beruf`, asTitle),
    form(`[Ii]ch (?:mag|liebe) (?:sehr )?${OBJECT}`, asPreference('like')),
    form(`[Ii]ch (?:hasse|verabscheue) ${OBJECT}`, asPreference('dislike')),
    form(`[Ii]ch bin allergisch (?:gegen|auf) ${OBJECT}`, asAllergy),
    form(`[Mm]ein Geburtstag ist (?:am )?(?<value>${PHRASE}(?:\\.${PHRASE})?)`, asBirthday('de')),
    form(`[Ii]ch habe am (?<value>[^,;]{3,30}) Geburtstag`, asBirthday('de')),
    ...relatives('[Mm]eine?', {
      Schwester: 'sister',
      Bruder: 'brother',
      Mutter: 'mother',
      Vater: 'father',
      Tochter: 'daughter',
      Sohn: 'son',
      Frau: 'wife',
      Mann: 'husband',
      Freundin: 'girlfriend',
      Freund: 'boyfriend',
      Hund: 'dog',
      Katze: 'cat',
      Kollegin: 'colleague',
      Kollege: 'colleague',
      Chefin: 'boss',
      Chef: 'boss',
    }),
  ],
}
