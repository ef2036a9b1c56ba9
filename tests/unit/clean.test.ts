import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { clean } from '../../server/platform/http/clean.ts'
// Registers the formats of schemas.
import '../../server/platform/http/validate.ts'
import { AnyObject, Nullable, OneOf } from '../../shared/contract/common.ts'
import { contract } from '../../shared/contract/index.ts'
import { arbitraryOf, UNDECLARED } from '../harness/arbitrary.ts'

const Named = Type.Object({ name: Type.String() })
const Tagged = Type.Object({ type: Type.Literal('tag'), tag: Type.String() })
const Counted = Type.Object({ type: Type.Literal('count'), count: Type.Integer() })

const cases: [name: string, schema: Parameters<typeof clean>[0], value: unknown][] = [
  ['text', Type.String(), 'tea'],
  ['a choice', OneOf(['tea', 'coffee']), 'tea'],
  ['an object', Named, { name: 'Ada', secret: 1 }],
  ['a list of objects', Type.Array(Named), [{ name: 'Ada', secret: 1 }, { name: 'Bob' }]],
  [
    'a nested object',
    Type.Object({ user: Named }),
    { user: { name: 'Ada', secret: 1 }, secret: 2 },
  ],
  ['a nullable object', Nullable(Named), { name: 'Ada', secret: 1 }],
  ['a nullable object that is null', Type.Object({ user: Nullable(Named) }), { user: null }],
  ['a missing optional object', Type.Object({ user: Type.Optional(Named) }), { secret: 1 }],
  ['any object', Type.Object({ metadata: AnyObject() }), { metadata: { 'a\nb': { c: 1 } } }],
  ['an object by name', Type.Record(Type.String(), Named), { a: { name: 'Ada', secret: 1 } }],
  ['a union', Type.Union([Tagged, Counted]), { type: 'count', count: 1, tag: 'secret' }],
  ['a list of unions', Type.Array(Type.Union([Tagged, Named])), [{ name: 'Ada', tag: 'secret' }]],
]

describe('undeclared properties are removed as TypeBox removes them', () => {
  for (const [name, schema, value] of cases)
    test(name, () => {
      const expected = Value.Clean(schema, structuredClone(value))
      expect(clean(schema, structuredClone(value))).toEqual(expected)
      expect(JSON.stringify(clean(schema, structuredClone(value)))).not.toContain('secret')
    })
})

test('an object that is null for an object schema stays null', () => {
  expect(clean(Named, null)).toBeNull()
})

/** The JSON bodies of all responses, and the parts of streams, by name. */
const responses = contract.flatMap(({ name, success: [, body], streamed }): [string, TSchema][] => {
  const bodies = [body, streamed].flatMap((schema) =>
    !schema ? [] : 'stream' in schema ? [schema.stream.part] : [schema],
  )
  return bodies.map((schema, index) => [index === 0 ? name : `${name} as a stream`, schema])
})

test('responses of every kind are checked', () => {
  expect(responses.length).toBeGreaterThan(100)
})

for (const [name, schema] of responses)
  test(`any response of ${name} with undeclared properties is cleaned as TypeBox does, and fits`, () => {
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => {
        const cleaned = clean(schema, structuredClone(value))
        expect(cleaned).toEqual(Value.Clean(schema, structuredClone(value)))
        expect(Value.Check(schema, cleaned)).toBe(true)
        expect(JSON.stringify(cleaned) ?? '').not.toContain(`"${UNDECLARED}"`)
      }),
      { numRuns: 30 },
    )
  })
