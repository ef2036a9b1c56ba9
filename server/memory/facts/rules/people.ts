import { alternatives } from '../../../../shared/text/alternatives.ts'
import {
  type FactRule,
  type PartialFact,
  possessiveRule,
  RELATION,
  RELATION_ADJECTIVES,
  subjectRule,
} from './clause.ts'
import {
  CLAUSE_END,
  NAME,
  ORG,
  PHRASE,
  PLACE,
  parseName,
  parseOrganization,
  parsePlace,
  withoutTitle,
} from './grammar.ts'
import { isOccupation, NOT_AN_OCCUPATION, RELATIONS, UNIQUE_TITLES } from './words.ts'

const name = (key: string, text = ''): PartialFact[] => {
  const value = withoutTitle(parseName(text) ?? '')
  return value ? [{ kind: 'name', key, value }] : []
}

export const names: FactRule[] = [
  possessiveRule(
    `(?:full |real |own )?name is (?:actually )?(?<name>${NAME})${CLAUSE_END}`,
    (found) => name('name', found.name),
  ),
  possessiveRule(`(?:name is )(?<name>\\p{Ll}{2,20})${CLAUSE_END}`, (found) =>
    NOT_A_NAME.test(found.name ?? '')
      ? []
      : [{ kind: 'name', key: 'name', value: found.name ?? '' }],
  ),
  possessiveRule(`nickname is (?<name>${NAME})${CLAUSE_END}`, (found) =>
    name('nickname', found.name),
  ),
  subjectRule(`{am} (?:called|named) (?<name>${NAME})${CLAUSE_END}`, (found) =>
    name('name', found.name),
  ),
  subjectRule(`~{go} by (?<name>${NAME})${CLAUSE_END}`, (found) => name('nickname', found.name)),
]

/** Words after "my name is" that are no lower-case name. */
const NOT_A_NAME = new RegExp(
  `(?:ed|ing|ly|ous|ble|ful|ish|ese)$|^(?:${alternatives(`
      long | short | mud | hard | rare | common | funny | weird | odd | unique | unusual | old | new
      not | on | in | at | above | below | here | there | mine | yours | also | too | the | just
      still | well | spelt | foreign | legion | nobody | trouble | history | german | french
      english | irish | polish | unknown | secret | private | important | similar | different
    `)})$`,
)

const home = (key: string, text = ''): PartialFact[] => {
  const value = parsePlace(text)
  return value ? [{ kind: 'home', key, value }] : []
}

const MOVED = `(?:moved|relocated) (?:back |here |over |house |away )?(?:from ${PLACE} )?(?:back )?to (?<place>${PLACE})`

export const homes: FactRule[] = [
  subjectRule(`~{live} ~(?:over |here |down |up |out )?in (?<place>${PLACE})`, (found) =>
    home('home', found.place),
  ),
  subjectRule(`{am} ~(?:living|based) ~in (?<place>${PLACE})`, (found) =>
    home('home', found.place),
  ),
  subjectRule(`{have} ~${MOVED}`, (found) => home('home', found.place)),
  subjectRule(`~${MOVED}`, (found) => home('home', found.place)),
  subjectRule(`{have} ~(?:been living|lived) in (?<place>${PLACE}) (?:for|since|all)\\b`, (found) =>
    home('home', found.place),
  ),
  possessiveRule(`(?:home|home address) is in (?<place>${PLACE})`, (found) =>
    home('home', found.place),
  ),
  possessiveRule(`home ?town is (?<place>${PLACE})${CLAUSE_END}`, (found) =>
    home('hometown', found.place),
  ),
  possessiveRule(
    `(?:home |postal |current |new )?address is (?<address>[^\\u0000;!?]{5,120})`,
    (found) => address(found.address),
  ),
  subjectRule(`~{live} at (?<address>\\d[^\\u0000;!?]{5,120})`, (found) => address(found.address)),
]

/** A street with a number; not an email address. */
const address = (text = ''): PartialFact[] => {
  const value =
    text.split(/\. (?=\p{Lu})| (?:and|but|since|with|so) /u)[0]?.replace(/(?<![.\s])[.\s]+$/, '') ??
    ''
  const isStreet = /\d/.test(value) && /\p{Lu}\p{L}{2,}/u.test(value) && !/[@]|\bnot\b/.test(value)
  return isStreet ? [{ kind: 'home', key: 'address', value }] : []
}

const employer = (text: string | undefined): PartialFact[] => {
  const value = text && parseOrganization(text)
  return value ? [{ kind: 'work', key: 'work.employer', value }] : []
}

/** A job title that ends with an occupation, and the employer after it; nothing for a skill or a role. */
const occupation = (text = ''): PartialFact[] => {
  const title = titleIn(text)
  const head = title.split(' of ')[0]?.split(' ').at(-1) ?? ''
  const isSkill = NOT_AN_OCCUPATION.test(title) || NOT_AT_WORK.test(text.slice(title.length))
  if (title.includes(' of ') && !UNIQUE_TITLES.test(head)) return []
  return isOccupation(head) && !isSkill ? titled(title, text) : []
}

const GROUP = 'club|team|class|band|choir|society|association|committee|party|house|family'
/** Words after an occupation that make it a role or a skill. */
const NOT_AT_WORK = new RegExp(
  alternatives(`
    ^ than\\b | \\b(?:tonight|today|for the (?:day|night|week|moment))\\b
    ^ (?:in (?:a|the|this|my) (?:play|game|film|movie|show|story|band|team)|of (?:this|that|my|our|your)\\b|of (?:the|a) [^,.]*\\b(?:${GROUP})\\b|at heart)
  `),
)

/** A job title after "work as" and the like, and the employer after it. */
const position = (text = ''): PartialFact[] => {
  const title = titleIn(text)
  return title && !NO_TITLE.test(title) ? titled(title, text) : []
}

const titled = (title: string, text: string): PartialFact[] => [
  { kind: 'work', key: 'work.title', value: title },
  ...employer(AFTER_TITLE.exec(text.slice(title.length))?.groups?.org),
]

// Reads at most 400 characters: a sentence.
const AFTER_TITLE = new RegExp(`^ (?:at|for|with) (?<org>${ORG})`, 'u')
const MAX_TITLE_WORDS = 6

const titleIn = (text: string): string => {
  const title = text
    .trim()
    .replace(AFTER_HEAD, '')
    // Reads at most 400 characters: a sentence.
    .replace(/ of (?:the|a|an|my|our|this|that)(?: .*)?$/, '')
  return title.split(' ').length <= MAX_TITLE_WORDS && !/\d|\bnot\b/.test(title) ? title : ''
}

// Reads at most 400 characters: a sentence.
const AFTER_HEAD = new RegExp(
  ` (?:${alternatives(`
      at | for | in | with | and | but | who | that | here | there | now | on | from | since | by
      to | so | because | working | based | these | right | full-time | part-time | while | when
      as | or | myself | too | again | than | through | during | around | near | where | after
      before | though | although
    `)})(?: .*)?$`,
)

const NO_TITLE = new RegExp(
  `^(?:${alternatives(`
      team | whole | unit | group | rule | result | family | couple | favou?r | hobby | charm
      volunteer | dream | guest | member | user | student | participant | contributor | supporter
      fan | friend | bit | lot | matter | part | member | kind | way | test | treat | reminder
      joke | mess | nightmare | challenge | great | good
    `)})\\b|^(?:${alternatives(`
      much | well | hard | expected | planned | usual | always | really | very | so | pretty | quite
      my | his | her | their | your | important | stressful | boring | safe | secure
    `)})\\b`,
)

const AS = `(?: as (?:(?:an?|the|their) )?(?<title>${PHRASE}))?`

export const work: FactRule[] = [
  subjectRule(
    `~{work} (?:full-time |part-time |remotely )?(?:at|for) (?<org>${ORG})${AS}`,
    (found) => [...employer(found.org), ...position(found.title)],
  ),
  subjectRule(
    `{am} ~(?:working|employed) (?:full-time |part-time )?(?:at|for|by) (?<org>${ORG})${AS}`,
    (found) => [...employer(found.org), ...position(found.title)],
  ),
  subjectRule(`(?:have |has )?~joined (?<org>${ORG})(?: [a-z]+){0,3}?${AS}`, (found) =>
    position(found.title).length ? [...employer(found.org), ...position(found.title)] : [],
  ),
  subjectRule(
    `(?:have |has )?~(?:started working|started (?:a|my|his|her|their) (?:new )?job|got a (?:new )?job) (?:at|for|with) (?<org>${ORG})${AS}`,
    (found) => [...employer(found.org), ...position(found.title)],
  ),
  subjectRule(
    `(?:am |is )?~work(?:s|ing)? ~(?:full-time |part-time )?as an? (?<title>${PHRASE})`,
    (found) => position(found.title),
  ),
  subjectRule(`{am} ~an? (?<title>${PHRASE})`, (found) => occupation(found.title)),
  subjectRule(`{am} ~the (?<title>${PHRASE})`, (found) => {
    const partials = occupation(found.title)
    return partials.length > 1 || UNIQUE_TITLES.test(partials[0]?.value ?? '') ? partials : []
  }),
  possessiveRule(
    `(?:current |new |day )?(?:job|profession|occupation) is (?:being |as )?an? (?<title>${PHRASE})`,
    (found) => occupation(found.title),
  ),
  possessiveRule(
    `(?:current |new )?(?:job title|profession|occupation) is (?:an? )?(?<title>${PHRASE})`,
    (found) => position(found.title),
  ),
  possessiveRule(`(?:current |new )?employer is (?<org>${ORG})`, (found) => employer(found.org)),
]

const related = (word: string, text = ''): PartialFact[] => {
  const value = parseName(text)
  const key = RELATIONS[word]
  return value && key ? [{ kind: 'relation', key: `relation.${key}`, value }] : []
}

export const relations: FactRule[] = [
  possessiveRule(
    `${RELATION_ADJECTIVES}(?<word>${RELATION})(?:'s name is| is called| is named) (?<name>${NAME})`,
    (found) => related(found.word ?? '', found.name),
  ),
  possessiveRule(
    `${RELATION_ADJECTIVES}(?<word>${RELATION}), (?<name>${NAME}), (?:is|was|has|lives|works|loves|likes|hates|who|just|and I)\\b`,
    (found) => related(found.word ?? '', found.name),
  ),
  possessiveRule(`${RELATION_ADJECTIVES}(?<word>${RELATION}) (?<name>${NAME})`, (found) =>
    related(found.word ?? '', found.name),
  ),
  subjectRule(
    `~(?:{have}|got) (?:an?|another|two|three) ${RELATION_ADJECTIVES}(?<word>${RELATION})s?,? (?:named|called|whose name is) (?<name>${NAME})`,
    (found) => related(found.word ?? '', found.name),
  ),
  subjectRule(`{am} ~married to (?<name>${NAME})`, (found) => related('spouse', found.name)),
]
