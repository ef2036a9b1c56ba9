import type { MemoryWithThread } from '../memories/store.ts'
import { type Fact, isSingular, SELF } from './rules/index.ts'
import { statementOf } from './statements.ts'

/** The source of memories that were written when a person settled what is true of them. */
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

/** What a person chose, as a fact: it need not be in words that rules or a model would read. */
export const chosenFact = (key: string, value: string): Fact => {
  const kind = KINDS[key.split('.')[0] ?? ''] ?? 'preference'
  const polarity = kind === 'preference' ? 'like' : null
  const quote = statementOf({ key, value, polarity })
  return { kind, subject: SELF, key, value, polarity, dueAt: null, timezone: null, quote }
}

/** The choice that a memory states, as long as it does. */
export const choiceIn = ({ sourceKind, metadata, contentText }: MemoryWithThread): Fact[] => {
  const { anchor_key: key, value } = metadata
  if (sourceKind !== CHOICE_SOURCE || typeof key !== 'string' || typeof value !== 'string')
    return []
  const fact = chosenFact(key, value)
  return isSingular(key) && contentText.includes(fact.quote) ? [fact] : []
}
