import { alternatives } from '../../../../shared/text/alternatives.ts'
import { type FactRule, type PartialFact, possessiveRule, subjectRule } from './clause.ts'
import { isAllergen } from './common-nouns.ts'
import { type Fact, slug } from './fact.ts'
import { PHRASE } from './grammar.ts'

type Polarity = NonNullable<Fact['polarity']>

const MAX_WORDS = 8
/** After "and", the words that start another statement. */
const AFTER_AND = alternatives(`
  I | i | my | we | he | she | they | it | that | then | so | also
  (?:hate|love|like|dislike|prefer|enjoy|want|need|play|avoid|use|make|adore|work|live)s?
  would | have | had | has | is | am | are | was | were | can | could | will | try | always | never
  often | usually | sometimes | just | find | feel | think | need | plan | work | live
`)
/** Starts an addition or a reason after the object. */
// Reads at most 400 characters: a sentence.
const BREAK = new RegExp(
  ` (?:${alternatives(`
      because | since | so | but | though | although
      and (?:${AFTER_AND})
      especially | particularly | mostly | mainly | too much | as well
    `)})(?: .*)?$`,
)
/** Adverbs after the object that are no part of it. */
// Reads at most 400 characters: a sentence.
const TRAILING = new RegExp(
  `(?: (?:${alternatives(`
      too | a lot | so much | very much | the most | most | the best | best | these days | nowadays
      anyway | though | tho | lol | haha | now | again | already | either | at all
      more than anything | lately | so far | more | in general | overall | myself | personally
      as well | right now | today | tonight | still | even | ever since | for sure | forever
      everyday | every day | always | all the time | recently | together | much | always
    `)}))+$`,
)
/** The object depends on the text around it. */
const DEPENDS = new RegExp(
  `\\b(?:${alternatives(`
      you | your | yours | yourself | it | its | that | this | these | those | them | him | her
      his | their | our | us | me | how | what | when | where | who | whose | which | why | if
      than | as | like | one | ones | there | here | such | same | other | another | ever | not
      never | would | could | might | was | were | is | are | am | did | does | will | has | had
      have | saw | got | made | said | then | while | until | about | idea | way | part | fact
      sound | thought | looks? | vibes? | thing | things | stuff | kind | type | day | anything
      nothing | everything | something | someone | everyone | people | others | I | i | we | she
      he | they
    `)})\\b`,
)
/** Words that do not start the name of an object. */
const NO_START = new RegExp(
  `^(?:${alternatives(`
      the | a | an | my | both | some | all | each | every | more | less | most | any | many | few
      several | no | one | two | three | four | five | \\d+ | so | too | very | just | even | only
      also | and | or | but | of | in | on | at | for | from | with | by
      to (?:say|admit|think|break|bother|be|hear|know|see|do|get|imagine|believe|wonder|complain|ask|brag|sound|disagree|interrupt)\\b
      being | seeing | hearing | knowing | having | getting | doing | coming | going | making
      feeling
    `)})\\b`,
)
/** Objects with "the" that need no context. */
const GENERIC = new RegExp(
  `^the (?:${alternatives(`
      beach | sea | ocean | mountains? | outdoors | rain | snow | sun | cold | heat | winter
      summer | spring | autumn | fall | countryside | city | desert | forest | woods
      theat(?:er|re) | cinema | opera | gym | violin | piano | guitar | cello | drums | night | dark
      [A-Z]\\p{L}+(?: [A-Z]\\p{L}+){0,3}
    `)})$`,
  'u',
)
const TOO_LITTLE = new RegExp(
  `^(?:${alternatives(`
      to | sure | best | better | fine | well | early | late | home | alone | much | fun | good
      bad | nice | lots? | out | back | up | down | over | time | life | love | hate | work | school
      talking | sharing | help | helping | trying | staying | keeping | taking | giving
      spending time | working | being | things?
    `)})$`,
)

/** The object of a preference; undefined if it depends on the text around it. */
const objectOf = (text: string): { value: string; key: string } | undefined => {
  const words = text.trim().replace(BREAK, '').replace(TRAILING, '')
  const value = words.replace(/^to (?=\p{Ll})/u, '')
  if (DEPENDS.test(words) || TOO_LITTLE.test(value) || value.length < 2) return undefined
  if (NO_START.test(words) && !GENERIC.test(words)) return undefined
  if (value.split(' ').length > MAX_WORDS) return undefined
  const head = value
    .replace(/^the /, '')
    .split(/ (?:in|on|at|with|for|from|during|after|before|by|without) /)[0]
  const named = value.includes(' and ') ? value : (head ?? value)
  return { value: value.replace(/^the /, ''), key: slug(named) }
}

/** Single words around "and" are several objects; "fantasy and science fiction films" is one. */
const itemsOf = (text: string): string[] => {
  const items = text.split(/ (?:and|or) /)
  return items.every((item) => !item.includes(' ')) ? items : [text]
}

const preference = (polarity: Polarity, text = '', prefix = 'preference'): PartialFact[] =>
  itemsOf(text.trim().replace(BREAK, '').replace(TRAILING, '')).flatMap((item): PartialFact[] => {
    const object = objectOf(item)
    return object?.key
      ? [{ kind: 'preference', key: `${prefix}.${object.key}`, value: object.value, polarity }]
      : []
  })

const OBJECT = `(?<object>${PHRASE})`
const like = (pattern: string) => subjectRule(pattern, ({ object }) => preference('like', object))
const dislike = (pattern: string) =>
  subjectRule(pattern, ({ object }) => preference('dislike', object))

/** British and American spellings share a key. */
const favouriteKey = (thing: string) => `favourite.${slug(thing.replace(/\bcolour/g, 'color'))}`
const FAVOURITE = String.raw`(?:all-time |absolute |current |new )?favou?rite (?<thing>[\p{L}-]+(?: [\p{L}-]+){0,2})`
const NO_THING = new RegExp(
  `\\b(?:${alternatives(`
      thing | things | part | parts | one | ones | time | memory | moment | bit | way | place to
      of | about | so | is | are | ever | in | on | at | from | for | to | that | this | by
    `)})\\b`,
)

const NO_FAVOURITE = new RegExp(
  `^(?:${alternatives(`
    the one | one | how | that | this | to | because | not | whatever | anything | everything
    anyone | all | any | when | where | what | it | these | those | so | also | about | in | on | at
    hard | difficult | mine | yours | either | your | his | her | their | when | just
  `)})\\b`,
)

const favourite = (thing = '', text = ''): PartialFact[] => {
  const value = text
    .trim()
    .replace(BREAK, '')
    .replace(TRAILING, '')
    .replace(
      /^(?:definitely|probably|actually|always|still|currently|by far|hands down|called|the one called) /,
      '',
    )
  const isVague =
    NO_THING.test(thing) ||
    NO_FAVOURITE.test(value) ||
    /\b(?:you|your|that|which|who|when|where|if|not|but)\b/.test(value)
  if (isVague || !value || value.split(' ').length > MAX_WORDS) return []
  return [{ kind: 'preference', key: favouriteKey(thing), value, polarity: 'like' }]
}

export const preferences: FactRule[] = [
  subjectRule(
    `~{prefer} (?<object>[^,.;:!?()\\u0000–—]{1,80}?) (?:to|over|rather than|instead of) ${PHRASE}`,
    ({ object }) => (object?.startsWith('to ') ? [] : preference('like', object)),
  ),
  like(`~{prefer} (?!not )(?!.* (?:to|over|than|instead) )${OBJECT}`),
  like(`~{love} ${OBJECT}`),
  like(`~{like} ${OBJECT}`),
  like(`~{adore} ${OBJECT}`),
  like(`~{enjoy} ${OBJECT}`),
  like(`{have} always (?:loved|liked|enjoyed|adored) ${OBJECT}`),
  like(
    `{am} ~(?:a (?:big |huge |great |massive )?fan of|fond of|crazy about|passionate about|keen on|into) ${OBJECT}`,
  ),
  dislike(`{am} not (?:a (?:big |huge |great )?fan of|fond of|keen on) ${OBJECT}`),
  dislike(`~{hate} ${OBJECT}`),
  dislike(`~{dislike} ${OBJECT}`),
  dislike(`~{detest} ${OBJECT}`),
  dislike(`~{loathe} ${OBJECT}`),
  dislike(`{have} always (?:hated|disliked) ${OBJECT}`),
  dislike(`~(?:can not|cannot) stand ${OBJECT}`),
  dislike(`~{do} not (?:really |particularly |much )?(?:like|enjoy) ${OBJECT}`),
  subjectRule(
    `{am} ~(?:very |severely |deathly |highly |terribly )?allergic to (?<object>[^.;:!?()\\u0000–—]{1,120})`,
    ({ object = '' }) =>
      listItems(object).flatMap((item) => {
        const thing = item
          .trim()
          .replace(TRAILING, '')
          .replace(/^(?:the|both|all|most|some) /, '')
        const isThing = /^\p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*){0,2}$/u.test(thing)
        return isThing && !DEPENDS.test(thing) && !NO_ALLERGEN.test(thing) && isAllergen(thing)
          ? allergy(thing)
          : []
      }),
  ),
  subjectRule(
    `{have} an? (?:severe |bad |mild |serious )?(?<object>[\\p{Ll}-]+(?: [\\p{Ll}-]+)?) allergy\\b`,
    ({ object = '' }) => (isAllergen(object) ? allergy(object) : []),
  ),
  subjectRule(`{am} ~(?<object>lactose|gluten)[ -]intolerant`, ({ object = '' }) =>
    allergy(object),
  ),
  subjectRule(
    `{am} ~(?:an? )?(?:strict |lifelong |committed )?(?<diet>vegan|vegetarian|pescatarian|pescetarian|teetotal)(?=$|[,.;!]| and | but | so | because | since | now)`,
    ({ diet = '' }) => [{ kind: 'preference', key: 'diet', value: diet, polarity: 'like' }],
  ),
  possessiveRule(`${FAVOURITE} (?:is|are) (?<value>${PHRASE})`, ({ thing, value }) =>
    favourite(thing, value),
  ),
]

/** Splits a list with "and" or "or" before its last item; otherwise the object ends at the comma. */
const listItems = (text: string): string[] => {
  // Reads at most 400 characters: a sentence.
  const isList = / (?:and|or) [^,]+$/.test(text)
  return (isList ? text : (text.split(',')[0] ?? text)).split(
    /, (?:and )?|,| and | or | as well as /,
  )
}
const NO_ALLERGEN = new RegExp(
  `days?$|^(?:${alternatives(`
      prefer | like | love | hate | dislike | enjoy | need | avoid | use | want | work | live | take
      carry | carrie | i | am | ha | have | can | cannot | must | ha
    `)})s?\\b|\\b(?:please|remember|note|work|people|stupid\\w*|bullshit|lies)\\b`,
  'i',
)

const allergy = (thing: string): PartialFact[] => [
  { kind: 'preference', key: `allergy.${slug(thing)}`, value: thing, polarity: 'dislike' },
]

export { FAVOURITE, favourite }
