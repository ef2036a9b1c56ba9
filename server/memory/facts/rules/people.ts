import { END, NAME, nameOf, ORG, orgOf, PLACE, placeOf, REST, withoutTitle } from './grammar.ts'
import { type Draft, has, RELATION, type Rule, says, WHICH } from './statement.ts'
import { HEADS, isOccupation, NOT_AN_OCCUPATION, RELATIONS } from './words.ts'

const name = (key: string, text = ''): Draft[] => {
  const value = withoutTitle(nameOf(text) ?? '')
  return value ? [{ kind: 'name', key, value }] : []
}

/** Who somebody is, in their own words or in those of others. */
export const names: Rule[] = [
  has(`(?:full |real |own )?name is (?:actually )?(?<name>${NAME})${END}`, (found) =>
    name('name', found.name),
  ),
  has(`(?:name is )(?<name>\\p{Ll}{2,20})${END}`, (found) =>
    NOT_A_NAME.test(found.name ?? '')
      ? []
      : [{ kind: 'name', key: 'name', value: found.name ?? '' }],
  ),
  has(`nickname is (?<name>${NAME})${END}`, (found) => name('nickname', found.name)),
  says(`{am} (?:called|named) (?<name>${NAME})${END}`, (found) => name('name', found.name)),
  says(`~{go} by (?<name>${NAME})${END}`, (found) => name('nickname', found.name)),
]

/** What people say of names, where they write their own without a capital. */
const NOT_A_NAME =
  /(?:ed|ing|ly|ous|ble|ful|ish|ese)$|^(?:long|short|mud|hard|rare|common|funny|weird|odd|unique|unusual|old|new|not|on|in|at|above|below|here|there|mine|yours|also|too|the|just|still|well|spelt|foreign|german|french|english|irish|polish|unknown|secret|private|important|similar|different)$/

const home = (key: string, text = ''): Draft[] => {
  const value = placeOf(text)
  return value ? [{ kind: 'home', key, value }] : []
}

const MOVED = `(?:moved|relocated) (?:back |here |over |house |away )?(?:from ${PLACE} )?(?:back )?to (?<place>${PLACE})`

export const homes: Rule[] = [
  says(`~{live} ~(?:over |here |down |up |out )?in (?<place>${PLACE})`, (found) =>
    home('home', found.place),
  ),
  says(`{am} ~(?:living|based) ~in (?<place>${PLACE})`, (found) => home('home', found.place)),
  says(`{have} ~${MOVED}`, (found) => home('home', found.place)),
  says(`~${MOVED}`, (found) => home('home', found.place)),
  says(`{have} ~(?:been living|lived) in (?<place>${PLACE}) (?:for|since|all)\\b`, (found) =>
    home('home', found.place),
  ),
  has(`(?:home|home address) is in (?<place>${PLACE})`, (found) => home('home', found.place)),
  has(`home ?town is (?<place>${PLACE})${END}`, (found) => home('hometown', found.place)),
  has(`(?:home |postal |current |new )?address is (?<address>[^\\u0000;!?]{5,120})`, (found) =>
    address(found.address),
  ),
  says(`~{live} at (?<address>\\d[^\\u0000;!?]{5,120})`, (found) => address(found.address)),
]

/** A street with a number, and no mail address. */
const address = (text = ''): Draft[] => {
  const value =
    text.split(/\. (?=\p{Lu})| (?:and|but|since|with|so) /u)[0]?.replace(/[.\s]+$/, '') ?? ''
  const isStreet = /\d/.test(value) && /\p{Lu}\p{L}{2,}/u.test(value) && !/[@]|\bnot\b/.test(value)
  return isStreet ? [{ kind: 'home', key: 'address', value }] : []
}

const employer = (text: string | undefined): Draft[] => {
  const value = text && orgOf(text)
  return value ? [{ kind: 'work', key: 'work.employer', value }] : []
}

/** A title up to its head, and the employer named after it; nothing when it is no paid work. */
const occupation = (text = ''): Draft[] => {
  const title = titleIn(text)
  const head = title.split(' of ')[0]?.split(' ').at(-1) ?? ''
  const isSkill = NOT_AN_OCCUPATION.test(title) || NOT_AT_WORK.test(text.slice(title.length))
  if (title.includes(' of ') && !HEADS.test(head)) return []
  return isOccupation(head) && !isSkill ? titled(title, text) : []
}

/** It is a part one plays, or how well one does something. */
const NOT_AT_WORK =
  /^ than\b|\b(?:tonight|today|for the (?:day|night|week|moment))\b|^ (?:in (?:a|the|this|my) (?:play|game|film|movie|show|story|band|team)|of (?:this|that|my|our|your)\b|of (?:the|a) [^,.]*\b(?:club|team|class|band|choir|society|association|committee|party|house|family)\b|at heart)/

/** A title that the words before it say is one, and the employer. */
const position = (text = ''): Draft[] => {
  const title = titleIn(text)
  return title && !NO_TITLE.test(title) ? titled(title, text) : []
}

const titled = (title: string, text: string): Draft[] => [
  { kind: 'work', key: 'work.title', value: title },
  ...employer(AFTER_TITLE.exec(text.slice(title.length))?.groups?.org),
]

const AFTER_TITLE = new RegExp(`^ (?:at|for|with) (?<org>${ORG})`, 'u')
const MAX_TITLE_WORDS = 6

const titleIn = (text: string): string => {
  const title = text
    .trim()
    .replace(AFTER_HEAD, '')
    .replace(/ of (?:the|a|an|my|our|this|that)(?: .*)?$/, '')
  return title.split(' ').length <= MAX_TITLE_WORDS && !/\d|\bnot\b/.test(title) ? title : ''
}

const AFTER_HEAD =
  / (?:at|for|in|with|and|but|who|that|here|there|now|on|from|since|by|to|so|because|working|based|these|right|full-time|part-time|while|when|as|or|myself|too|again|than|through|during|around|near|where|after|before|though|although)(?: .*)?$/

const NO_TITLE =
  /^(?:team|whole|unit|group|rule|result|family|couple|favou?r|hobby|charm|volunteer|dream|guest|member|user|student|participant|contributor|supporter|fan|friend|bit|lot|matter|part|member|kind|way|test|treat|reminder|joke|mess|nightmare|challenge|great|good)\b|^(?:much|well|hard|expected|planned|usual|always|really|very|so|pretty|quite|my|his|her|their|your|important|stressful|boring|safe|secure)\b/

const AS = `(?: as (?:(?:an?|the|their) )?(?<title>${REST}))?`

export const work: Rule[] = [
  says(`~{work} (?:full-time |part-time |remotely )?(?:at|for) (?<org>${ORG})${AS}`, (found) => [
    ...employer(found.org),
    ...position(found.title),
  ]),
  says(
    `{am} ~(?:working|employed) (?:full-time |part-time )?(?:at|for|by) (?<org>${ORG})${AS}`,
    (found) => [...employer(found.org), ...position(found.title)],
  ),
  says(`(?:have |has )?~joined (?<org>${ORG})(?: [a-z]+){0,3}?${AS}`, (found) =>
    position(found.title).length ? [...employer(found.org), ...position(found.title)] : [],
  ),
  says(
    `(?:have |has )?~(?:started working|started (?:a|my|his|her|their) (?:new )?job|got a (?:new )?job) (?:at|for|with) (?<org>${ORG})${AS}`,
    (found) => [...employer(found.org), ...position(found.title)],
  ),
  says(`(?:am |is )?~work(?:s|ing)? ~(?:full-time |part-time )?as an? (?<title>${REST})`, (found) =>
    position(found.title),
  ),
  says(`{am} ~an? (?<title>${REST})`, (found) => occupation(found.title)),
  says(`{am} ~the (?<title>${REST})`, (found) => {
    const drafts = occupation(found.title)
    return drafts.length > 1 || HEADS.test(drafts[0]?.value ?? '') ? drafts : []
  }),
  has(
    `(?:current |new |day )?(?:job|profession|occupation) is (?:being |as )?an? (?<title>${REST})`,
    (found) => occupation(found.title),
  ),
  has(
    `(?:current |new )?(?:job title|profession|occupation) is (?:an? )?(?<title>${REST})`,
    (found) => position(found.title),
  ),
  has(`(?:current |new )?employer is (?<org>${ORG})`, (found) => employer(found.org)),
]

const related = (word: string, text = ''): Draft[] => {
  const value = nameOf(text)
  const key = RELATIONS[word]
  return value && key ? [{ kind: 'relation', key: `relation.${key}`, value }] : []
}

export const relations: Rule[] = [
  has(`${WHICH}(?<word>${RELATION})(?:'s name is| is called| is named) (?<name>${NAME})`, (found) =>
    related(found.word ?? '', found.name),
  ),
  has(
    `${WHICH}(?<word>${RELATION}), (?<name>${NAME}), (?:is|was|has|lives|works|loves|likes|hates|who|just|and I)\\b`,
    (found) => related(found.word ?? '', found.name),
  ),
  has(`${WHICH}(?<word>${RELATION}) (?<name>${NAME})`, (found) =>
    related(found.word ?? '', found.name),
  ),
  says(
    `~(?:{have}|got) (?:an?|another|two|three) ${WHICH}(?<word>${RELATION})s?,? (?:named|called|whose name is) (?<name>${NAME})`,
    (found) => related(found.word ?? '', found.name),
  ),
  says(`{am} ~married to (?<name>${NAME})`, (found) => related('spouse', found.name)),
]
