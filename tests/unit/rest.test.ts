import { describe, expect, test } from 'bun:test'
import { factsIn } from '../../server/memory/facts/rules/index.ts'
import type { Said } from '../../server/memory/facts/said.ts'
import type { FactRow } from '../../server/memory/facts/store.ts'
import { restOf } from '../../server/memory/identity/rest.ts'

const SAID = new Date('2026-03-06T10:00:00.000Z')

/** What is left of a text that is wrong about its author's `key`. */
const without = (contentText: string, key: string): string | undefined => {
  const memory = { contentText, author: null, occurredAt: SAID, createdAt: SAID, timezone: 'UTC' }
  const facts = factsIn(contentText, { author: null, occurredAt: SAID, now: SAID }).map(
    ({ polarity, ...fact }) => ({ ...fact, isLiked: polarity && polarity === 'like' }),
  ) as FactRow[]
  const isLost = (fact: FactRow) => fact.key === key && fact.subject === 'self'
  return restOf(
    memory as Said,
    facts.filter(isLost),
    facts.filter((fact) => !isLost(fact)),
  )
}

describe('of what a memory says beside something that is not so is left', () => {
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
