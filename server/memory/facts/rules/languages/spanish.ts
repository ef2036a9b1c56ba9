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

export const spanish: Grammar = {
  language: 'es',
  speaks: /\b(?:me|mi|yo|vivo|trabajo|soy|odio|mis|he)\b/i,
  doubt: new RegExp(
    `\\?|¿|\\b(?:${alternatives(`
        no | nunca | si | cuando | quizás? | tal vez | ojalá | antes | vivía | trabajaba | dijo
        dice | quisiera | gustaría | encantaría | hasta | casi
      `)})\\b`,
    'i',
  ),
  joint: /[,;] (?:y |pero )?|\s(?:y|pero) /g,
  lead: /^(?:(?:¡?hola|buenos días|pues|sí|bueno|además|y|actualmente|ahora)[,!.\s]+)+/i,
  disliked: /^(?:A mí )?[Nn]o me gustan? (?:nada )?(?:el |la |los |las )?(?<value>[\p{L}]+)$/u,
  forms: [
    form(`(?:[Yy]o )?[Mm]e llamo ${PERSON}`, asName),
    form(`[Mm]i nombre es ${PERSON}`, asName),
    form(`(?:[Yy]o )?(?:[Vv]ivo|[Rr]esido) (?:ahora |actualmente )?en ${HOME}`, asHome),
    form(`(?:[Yy]o )?[Mm]e (?:he mudado|mudé) a ${HOME}`, asHome),
    form(`(?:[Yy]o )?[Tt]rabajo (?:ahora |actualmente )?(?:en|para) ${EMPLOYER}`, asEmployer),
    form(`(?:[Yy]o )?[Tt]rabajo (?:de|como) ${JOB}`, asTitle),
    form(
      `[Mm]e (?:gustan?|encantan?) (?:mucho )?(?:el |la |los |las )?${OBJECT}`,
      asPreference('like'),
    ),
    form(`(?:[Yy]o )?[Oo]dio (?:el |la |los |las )?${OBJECT}`, asPreference('dislike')),
    form(`(?:[Yy]o )?[Ss]oy alérgic[oa] (?:al|a las?|a los|a) ${OBJECT}`, asAllergy),
    form(`[Mm]i cumpleaños es (?:el )?(?<value>${PHRASE})`, asBirthday('es')),
    ...relatives('[Mm]i', {
      hermana: 'sister',
      hermano: 'brother',
      madre: 'mother',
      padre: 'father',
      hija: 'daughter',
      hijo: 'son',
      esposa: 'wife',
      mujer: 'wife',
      esposo: 'husband',
      marido: 'husband',
      novia: 'girlfriend',
      novio: 'boyfriend',
      amiga: 'friend',
      amigo: 'friend',
      perro: 'dog',
      perra: 'dog',
      gato: 'cat',
      gata: 'cat',
      jefe: 'boss',
      jefa: 'boss',
    }),
  ],
}
