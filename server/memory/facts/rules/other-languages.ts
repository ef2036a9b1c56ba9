import type { Language } from './dates.ts'
import { slug } from './fact.ts'
import { NAME, nameOf, ORG, orgOf, PLACE, placeOf, REST } from './grammar.ts'
import { yearly } from './occasions.ts'
import { reminderIn } from './reminders.ts'
import type { Draft, Speaker } from './statement.ts'

/** A form of words at the beginning of a clause, and what its `value` is. */
interface Form {
  pattern: RegExp
  read(value: string, speaker: Speaker): Draft[]
}

interface Grammar {
  /** Without one of these words a sentence is in another language. */
  speaks: RegExp
  /** Any of these, and nothing is read. */
  doubt: RegExp
  /** Where a new statement may begin. */
  joint: RegExp
  lead: RegExp
  forms: Form[]
}

const STOP = `(?=$|[,.;!]| (?:und|y|et|aber|pero|mais|weil|porque|parce|mit|con|avec|seit|desde|depuis|als|como|comme) )`
const form = (pattern: string, read: Form['read']): Form => ({
  pattern: new RegExp(`^${pattern}`, 'u'),
  read,
})

const asName: Form['read'] = (text) => {
  const value = nameOf(text)
  return value ? [{ kind: 'name', key: 'name', value }] : []
}
const asHome: Form['read'] = (text) => {
  const value = placeOf(text)
  return value ? [{ kind: 'home', key: 'home', value }] : []
}
const asEmployer: Form['read'] = (text) => {
  const value = orgOf(text)
  return value ? [{ kind: 'work', key: 'work.employer', value }] : []
}
const asTitle: Form['read'] = (text) => {
  const value = text.trim()
  return value.split(' ').length <= 4 ? [{ kind: 'work', key: 'work.title', value }] : []
}
const asRelation =
  (relation: string): Form['read'] =>
  (text) => {
    const value = nameOf(text)
    return value ? [{ kind: 'relation', key: `relation.${relation}`, value }] : []
  }

const MAX_OBJECT_WORDS = 3
const VAGUE =
  /^(?:es|das|dies|dich|dir|sie|ihn|wie|was|wenn|dass|alles|nichts|mich|euch|uns|lo|la que|que|eso|esto|tu|tus|te|todo|nada|cuando|como|ça|cela|ce|cette|te|ton|ta|tes|vous|votre|vos|tout|rien|quand|que|qui|bien|beaucoup|mucho|mucha|sehr|mein|meine|meinen|mi|mis|mon|ma|mes|dein|deine|deinen|diese|diesen|dieses|este|esta|estos|estas|aussi|auch|también|el|la|los|las|le|l'|les|der|die|das|den)\b/i

const asPreference =
  (polarity: 'like' | 'dislike', articles: RegExp): Form['read'] =>
  (text) => {
    const value = text
      .trim()
      .replace(articles, '')
      .replace(/ (?:sehr|gern|gerne|beaucoup|mucho|muchísimo)$/, '')
    if (!value || VAGUE.test(value) || value.split(' ').length > MAX_OBJECT_WORDS) return []
    return [{ kind: 'preference', key: `preference.${slug(value)}`, value, polarity }]
  }
const asAllergy: Form['read'] = (text) => {
  const value = text.trim()
  return value.split(' ').length > MAX_OBJECT_WORDS
    ? []
    : [{ kind: 'preference', key: `allergy.${slug(value)}`, value, polarity: 'dislike' }]
}
const asBirthday =
  (language: Language): Form['read'] =>
  (text, { at }) =>
    yearly('date.birthday', text, at, language)

const OBJECT = String.raw`(?<value>[\p{L}\p{M}'-]+(?: [\p{L}\p{M}'-]+){0,3}?)${STOP}`
const named = `(?<value>${NAME})${STOP}`
const placed = `(?<value>${PLACE})`
const employed = `(?<value>${ORG})`

const kin = (my: string, words: Record<string, string>): Form[] =>
  Object.entries(words).flatMap(([word, relation]) => [
    form(`${my} ${word} (?:heißt |se llama |s'appelle )?${named}`, asRelation(relation)),
    form(`${my} ${word} (?<value>${NAME})`, asRelation(relation)),
  ])

const NO_ARTICLE = /^$/

const german: Grammar = {
  speaks: /\b(?:ich|mein|meine|meinen|mich)\b/i,
  doubt:
    /\?|\b(?:nicht|kein|keine|keinen|nie|niemals|wenn|falls|ob|würde|wäre|hätte|könnte|vielleicht|früher|damals|wohnte|lebte|arbeitete|sagte|sagt|meinte|wünschte|möchte|angenommen|bis|wollte|will|noch|mehr als|fast|beinahe)\b/i,
  joint: /[,;] (?:und |aber |denn )?|\s(?:und|aber|denn) /g,
  lead: /^(?:(?:hallo|hi|hey|guten tag|also|ja|nein|übrigens|und|ach|aktuell|derzeit|jetzt)[,!.\s]+)+/i,
  forms: [
    form(`[Ii]ch heiße ${named}`, asName),
    form(`[Mm]ein Name ist ${named}`, asName),
    form(
      `[Ii]ch (?:wohne|lebe) (?:jetzt |derzeit |aktuell |seit \\d{4} )?in (?:der )?${placed}`,
      asHome,
    ),
    form(
      `[Ii]ch bin (?:vor kurzem |gerade |letztes Jahr )?nach (?<value>${PLACE}) (?:gezogen|umgezogen)`,
      asHome,
    ),
    form(`[Ii]ch arbeite (?:jetzt |derzeit )?(?:bei|für) (?:der |dem )?${employed}`, asEmployer),
    form(`[Ii]ch arbeite (?:jetzt |derzeit )?als (?<value>\\p{Lu}[\\p{L}-]+)`, asTitle),
    form(`[Ii]ch bin (?<value>\\p{Lu}[\\p{L}-]+) von Beruf`, asTitle),
    form(`[Ii]ch (?:mag|liebe) (?:sehr )?${OBJECT}`, asPreference('like', NO_ARTICLE)),
    form(`[Ii]ch (?:hasse|verabscheue) ${OBJECT}`, asPreference('dislike', NO_ARTICLE)),
    form(`[Ii]ch bin allergisch (?:gegen|auf) ${OBJECT}`, asAllergy),
    form(`[Mm]ein Geburtstag ist (?:am )?(?<value>${REST}(?:\\.${REST})?)`, asBirthday('de')),
    form(`[Ii]ch habe am (?<value>[^,;]{3,30}) Geburtstag`, asBirthday('de')),
    ...kin('[Mm]eine?', {
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

const spanish: Grammar = {
  speaks: /\b(?:me|mi|yo|vivo|trabajo|soy|odio|mis|he)\b/i,
  doubt:
    /\?|¿|\b(?:no|nunca|si|cuando|quizás?|tal vez|ojalá|antes|vivía|trabajaba|dijo|dice|quisiera|gustaría|encantaría|hasta|casi)\b/i,
  joint: /[,;] (?:y |pero )?|\s(?:y|pero) /g,
  lead: /^(?:(?:¡?hola|buenos días|pues|sí|bueno|además|y|actualmente|ahora)[,!.\s]+)+/i,
  forms: [
    form(`(?:[Yy]o )?[Mm]e llamo ${named}`, asName),
    form(`[Mm]i nombre es ${named}`, asName),
    form(`(?:[Yy]o )?(?:[Vv]ivo|[Rr]esido) (?:ahora |actualmente )?en ${placed}`, asHome),
    form(`(?:[Yy]o )?[Mm]e (?:he mudado|mudé) a ${placed}`, asHome),
    form(`(?:[Yy]o )?[Tt]rabajo (?:ahora |actualmente )?(?:en|para) ${employed}`, asEmployer),
    form(`(?:[Yy]o )?[Tt]rabajo (?:de|como) (?<value>\\p{Ll}[\\p{L}]+)${STOP}`, asTitle),
    form(
      `[Mm]e (?:gustan?|encantan?) (?:mucho )?(?:el |la |los |las )?${OBJECT}`,
      asPreference('like', NO_ARTICLE),
    ),
    form(`(?:[Yy]o )?[Oo]dio (?:el |la |los |las )?${OBJECT}`, asPreference('dislike', NO_ARTICLE)),
    form(`(?:[Yy]o )?[Ss]oy alérgic[oa] (?:al|a las?|a los|a) ${OBJECT}`, asAllergy),
    form(`[Mm]i cumpleaños es (?:el )?(?<value>${REST})`, asBirthday('es')),
    ...kin('[Mm]i', {
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

const french: Grammar = {
  speaks: /\b(?:je|mon|ma|mes|moi)\b|\bj'/i,
  doubt:
    /\?|\b(?:pas|jamais|plus|ne|si|quand|peut-être|avant|autrefois|habitais|vivais|travaillais|dit|disait|voudrais|aimerais|jusqu|presque)\b|\bn'/i,
  joint: /[,;] (?:et |mais |car )?|\s(?:et|mais|car) /g,
  lead: /^(?:(?:bonjour|salut|bonsoir|alors|oui|bon|d'ailleurs|et|actuellement|maintenant|moi)[,!.\s]+)+/i,
  forms: [
    form(`[Jj]e m'appelle ${named}`, asName),
    form(`[Mm]on nom est ${named}`, asName),
    form(`(?:[Jj]'habite|[Jj]e vis) (?:maintenant |actuellement )?(?:à|en|au) ${placed}`, asHome),
    form(`[Jj]'habite ${placed}`, asHome),
    form(`[Jj]'ai déménagé à ${placed}`, asHome),
    form(`[Jj]e travaille (?:maintenant |actuellement )?(?:chez|pour) ${employed}`, asEmployer),
    form(`[Jj]e travaille comme (?<value>\\p{Ll}[\\p{L}-]+)${STOP}`, asTitle),
    form(
      `(?:[Jj]'aime|[Jj]'adore) (?:beaucoup |bien )?(?:le |la |les |l')?${OBJECT}`,
      asPreference('like', NO_ARTICLE),
    ),
    form(`[Jj]e déteste (?:le |la |les |l')?${OBJECT}`, asPreference('dislike', NO_ARTICLE)),
    form(`[Jj]e suis allergique (?:aux|au|à la|à l'|à) ?${OBJECT}`, asAllergy),
    form(`[Mm]on anniversaire est (?:le )?(?<value>${REST})`, asBirthday('fr')),
    ...kin('(?:[Mm]a|[Mm]on)', {
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

const DISLIKED: [Language, RegExp][] = [
  ['de', /^[Ii]ch mag (?:keinen?|kein) (?<value>[\p{L}-]+)$/u],
  ['es', /^(?:A mí )?[Nn]o me gustan? (?:nada )?(?:el |la |los |las )?(?<value>[\p{L}]+)$/u],
  ['fr', /^[Jj]e n'aime pas (?:du tout )?(?:le |la |les |l')?(?<value>[\p{L}-]+)$/u],
]

const GRAMMARS: [Language, Grammar][] = [
  ['de', german],
  ['es', spanish],
  ['fr', french],
]

/** The facts of a sentence in German, Spanish or French, spoken in the first person. */
export const otherFacts = (sentence: string, speaker: Speaker): Draft[] => {
  const text = sentence.replace(/[.!\s]+$/, '')
  for (const [language, grammar] of GRAMMARS) {
    const reminder = reminderIn(text, speaker, language)
    if (reminder.length > 0) return reminder
    if (!grammar.speaks.test(text)) continue
    const start = text.replace(grammar.lead, '')
    const value = DISLIKED.find(
      ([of, pattern]) => of === language && pattern.test(start),
    )?.[1].exec(start)?.groups?.value
    if (value && !VAGUE.test(value))
      return [{ kind: 'preference', key: `preference.${slug(value)}`, value, polarity: 'dislike' }]
    if (grammar.doubt.test(text)) continue
    const drafts = start.split(grammar.joint).flatMap((clause) => {
      for (const { pattern, read } of grammar.forms) {
        const found = pattern.exec(clause)?.groups?.value
        if (found) {
          const facts = read(found, speaker)
          if (facts.length > 0) return facts
        }
      }
      return []
    })
    if (drafts.length > 0) return drafts
  }
  return []
}
