import { describe, expect, test } from 'bun:test'
import { factsIn } from '../../server/memory/facts/rules/index.ts'
import * as eastAsian from './fact-precision/east-asian.ts'
import * as germanic from './fact-precision/germanic.ts'
import * as romance from './fact-precision/romance.ts'

const factsOf = (text: string, kind: string) =>
  factsIn(text, { author: null, occurredAt: null, now: new Date('2026-11-28T12:00:00Z') })
    .filter(({ key }) => key === kind || key.startsWith(`${kind}.`))
    .map(({ value }) => value)

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line): [string, string] => {
      const [label = '', text = ''] = line.split(' | ')
      return [label, text]
    })

for (const [languages, { NEGATIVES, POSITIVES }] of Object.entries({
  'English and German': germanic,
  'French and Spanish': romance,
  'Chinese and Japanese': eastAsian,
})) {
  describe(`${languages}: no fact is read from idioms and common nouns`, () => {
    for (const [kind, text] of rowsOf(NEGATIVES))
      test(`${kind}: ${text}`, () => expect(factsOf(text, kind)).toEqual([]))
  })

  describe(`${languages}: names are read`, () => {
    for (const [fact, text] of rowsOf(POSITIVES)) {
      const [kind = '', value = ''] = fact.split('=')
      test(`${fact}: ${text}`, () => expect(factsOf(text, kind)).toEqual([value]))
    }
  })
}
