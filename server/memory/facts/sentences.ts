import type { ShownMemory } from '../memories/store.ts'
import { type Fact, isSingular, SELF } from './rules/fact.ts'

const SENTENCES: Record<string, (value: string) => string> = {
  name: (value) => `My name is ${value}`,
  nickname: (value) => `Please call me ${value}`,
  home: (value) => `I live in ${value}`,
  diet: (value) => `I am ${value}`,
  'work.employer': (value) => `I work at ${value}`,
  'work.title': (value) => `I work as ${withIndefiniteArticle(value)}`,
}

const GROUP_SENTENCES: Record<string, (thing: string, value: string) => string> = {
  favourite: (thing, value) => `My favourite ${thing} is ${value}`,
  allergy: (_, value) => `I am allergic to ${value}`,
  date: (thing, value) => `My ${thing} is on ${dayInWords(value)}`,
  relation: (thing, value) => `My ${thing} is called ${value}`,
  reminder: (_, value) => `Remind me to ${value}`,
}

const withIndefiniteArticle = (title: string) =>
  /^(?:an?|the) /i.test(title) ? title : `${/^[aeiou]/i.test(title) ? 'an' : 'a'} ${title}`

const YEARLY = /^\d{2}-\d{2}$/
const dayInWords = (value: string) =>
  YEARLY.test(value)
    ? new Date(`2000-${value}`).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        timeZone: 'UTC',
      })
    : value

/** An English sentence, in the first person, that states a fact and that the rules read back if possible. */
export const sentenceFor = ({
  key,
  value,
  polarity,
}: Pick<Fact, 'key' | 'value' | 'polarity'>): string => {
  const [group = '', ...rest] = key.split('.')
  const thing = rest.join('.').replaceAll('_', ' ')
  const isDisliked = group === 'preference' && polarity === 'dislike'
  const sentence =
    group === 'preference'
      ? `I ${isDisliked ? 'dislike' : 'like'} ${value}`
      : (SENTENCES[key]?.(value) ??
        GROUP_SENTENCES[group]?.(thing, value) ??
        `My ${group} is ${value}`)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}

/** The source of memories that state a value chosen in a resolved conflict. */
export const CHOICE_SOURCE = 'identity'

const KINDS: Record<string, Fact['kind']> = {
  name: 'name',
  nickname: 'name',
  home: 'home',
  hometown: 'home',
  address: 'home',
  work: 'work',
  date: 'date',
  relation: 'relation',
}

/** The fact that a chosen value states. The rules need not be able to read its quote. */
export const chosenFact = (key: string, value: string): Fact => {
  const kind = KINDS[key.split('.')[0] ?? ''] ?? 'preference'
  const polarity = kind === 'preference' ? 'like' : null
  const quote = sentenceFor({ key, value, polarity })
  return { kind, subject: SELF, key, value, polarity, dueAt: null, timezone: null, quote }
}

/** The chosen fact of a memory; none if the memory no longer contains its quote. */
export const chosenFactsIn = ({ sourceKind, metadata, contentText }: ShownMemory): Fact[] => {
  const { anchor_key: key, value } = metadata
  if (sourceKind !== CHOICE_SOURCE || typeof key !== 'string' || typeof value !== 'string')
    return []
  const fact = chosenFact(key, value)
  return isSingular(key) && contentText.includes(fact.quote) ? [fact] : []
}
