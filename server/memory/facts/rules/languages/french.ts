import { alternatives } from '../../../../../shared/text/alternatives.ts'
import { PHRASE } from '../grammar.ts'
import {
  asAllergy,
  asBirthday,
  asEmployer,
  asHome,
  asName,
  asPreference,
  asTitle,
  EMPLOYER,
  form,
  type Grammar,
  HOME,
  JOB,
  OBJECT,
  PERSON,
  relatives,
} from './grammar.ts'

export const french: Grammar = {
  language: 'fr',
  speaks: /\b(?:je|mon|ma|mes|moi)\b|\bj'/i,
  doubt: new RegExp(
    `\\?|\\b(?:${alternatives(`
        pas | jamais | plus | ne | si | quand | peut-être | avant | autrefois | habitais | vivais
        travaillais | dit | disait | voudrais | aimerais | jusqu | presque
      `)})\\b|\\bn'`,
    'i',
  ),
  joint: /[,;] (?:et |mais |car )?|\s(?:et|mais|car) /g,
  lead: /^(?:(?:bonjour|salut|bonsoir|alors|oui|bon|d'ailleurs|et|actuellement|maintenant|moi)[,!.\s]+)+/i,
  disliked: /^[Jj]e n'aime pas (?:du tout )?(?:le |la |les |l')?(?<value>[\p{L}-]+)$/u,
  forms: [
    form(`[Jj]e m'appelle ${PERSON}`, asName),
    form(`[Mm]on nom est ${PERSON}`, asName),
    form(`(?:[Jj]'habite|[Jj]e vis) (?:maintenant |actuellement )?(?:à|en|au) ${HOME}`, asHome),
    form(`[Jj]'habite ${HOME}`, asHome),
    form(`[Jj]'ai déménagé à ${HOME}`, asHome),
    form(`[Jj]e travaille (?:maintenant |actuellement )?(?:chez|pour) ${EMPLOYER}`, asEmployer),
    form(`[Jj]e travaille comme ${JOB}`, asTitle),
    form(
      `(?:[Jj]'aime|[Jj]'adore) (?:beaucoup |bien )?(?:le |la |les |l')?${OBJECT}`,
      asPreference('like'),
    ),
    form(`[Jj]e déteste (?:le |la |les |l')?${OBJECT}`, asPreference('dislike')),
    form(`[Jj]e suis allergique (?:aux|au|à la|à l'|à) ?${OBJECT}`, asAllergy),
    form(`[Mm]on anniversaire est (?:le )?(?<value>${PHRASE})`, asBirthday('fr')),
    ...relatives('(?:[Mm]a|[Mm]on)', {
      sœur: 'sister',
      soeur: 'sister',
      frère: 'brother',
      mère: 'mother',
      père: 'father',
      fille: 'daughter',
      fils: 'son',
      femme: 'wife',
      mari: 'husband',
      amie: 'friend',
      ami: 'friend',
      chien: 'dog',
      chat: 'cat',
      collègue: 'colleague',
      patron: 'boss',
      patronne: 'boss',
    }),
  ],
}
