import type { ShownMemory } from '../memories/store.ts'
import { type Fact, isSingular, SELF } from './rules/index.ts'
import { sentenceFor } from './sentence.ts'

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
