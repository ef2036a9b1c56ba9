import { describe, expect, test } from 'bun:test'
import { factsIn } from '../../server/memory/facts/rules/index.ts'
import type { FactRow, ZonedMemory } from '../../server/memory/facts/store.ts'
import { remainderOf } from '../../server/memory/identity/remainder.ts'

const NOW = new Date('2026-03-06T10:00:00.000Z')

/** The remainder of a text without the facts of `key` about its author. */
const without = (contentText: string, key: string): string | undefined => {
  const memory = { contentText, author: null, occurredAt: NOW, createdAt: NOW, timezone: 'UTC' }
  const facts = factsIn(contentText, { author: null, occurredAt: NOW, now: NOW }).map(
    ({ polarity, ...fact }) => ({ ...fact, isLiked: polarity && polarity === 'like' }),
  ) as FactRow[]
  const isLost = (fact: FactRow) => fact.key === key && fact.subject === 'self'
  return remainderOf(
    memory as ZonedMemory,
    facts.filter(isLost),
    facts.filter((fact) => !isLost(fact)),
  )
}

describe('the remainder of a memory without a fact', () => {
  for (const [text, key, rest] of [
    ['I live in Porto.', 'home', undefined],
    ['Since last year I live in Porto because of my job at the port.', 'home', undefined],
    ['i live in Austin, TX and work at Siemens.', 'home', 'Work at Siemens.'],
    [
      "Hi, I'm Ada. I live in Porto, and my neighbour plays the tuba at night.",
      'home',
      "Hi, I'm Ada. My neighbour plays the tuba at night.",
    ],
    ['I live in Porto with my sister Ana.', 'home', 'My sister is called Ana.'],
    [
      'My name is Ada, I live in Porto and I love coffee.',
      'name',
      'I live in Porto, I love coffee.',
    ],
    ['I work at Siemens as an engineer.', 'work.employer', 'I work as an engineer.'],
    ['Ich wohne in Köln und ich arbeite bei Siemens.', 'home', 'Ich arbeite bei Siemens.'],
    ['我叫小明，我住在广州。', 'home', '我叫小明。'],
    ['- I live in Porto\n- I work at Siemens', 'home', '- I work at Siemens'],
    ['# Notes\n\nI live in Porto.\n\nBuy milk.', 'home', '# Notes\n\nBuy milk.'],
    [
      'My sister Ana lives in Porto and I live in Porto.',
      'home',
      'My sister is called Ana. Ana: home, Porto.',
    ],
  ] as const)
    test(text, () => expect(without(text, key)).toBe(rest))
})
