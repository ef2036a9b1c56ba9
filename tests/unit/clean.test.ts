import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { clean } from '../../server/platform/http/clean.ts'
import { AnyObject, Nullable, OneOf } from '../../shared/schemas/common.ts'

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
