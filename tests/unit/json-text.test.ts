import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  elementSpans,
  insertAll,
  memberSpan,
  rootSpan,
} from '../../server/features/proxy/json-text.ts'

const sliceOf = (json: string, span: { start: number; end: number } | undefined) =>
  span && JSON.parse(json.slice(span.start, span.end))

const member = fc.tuple(fc.string(), fc.jsonValue())
const indent = fc.constantFrom('', ' ', '\t', '\n', '   ')

test('each member and element is found at its place, for any JSON and white space', () => {
  fc.assert(
    fc.property(fc.array(member), fc.array(fc.jsonValue()), indent, (members, list, space) => {
      const object = { ...Object.fromEntries(members), list }
      const json = `${space}${JSON.stringify(object, null, space)}${space}`
      for (const [name, value] of Object.entries(object))
        expect(sliceOf(json, memberSpan(json, rootSpan(json), name))).toEqual(
          JSON.parse(JSON.stringify(value)),
        )
      const found = memberSpan(json, rootSpan(json), 'list')
      expect(found && elementSpans(json, found).map((span) => sliceOf(json, span))).toEqual(
        JSON.parse(JSON.stringify(list)),
      )
      expect(memberSpan(json, rootSpan(json), 'no such name, not even by chance')).toBeUndefined()
    }),
  )
})

test('the last of several members with one name is found, escaped or not', () => {
  const json = '{"a": [1], "\\u0061": [2, 9007199254740993]}'
  const span = memberSpan(json, rootSpan(json), 'a')
  expect(span && json.slice(span.start, span.end)).toBe('[2, 9007199254740993]')
})

test('insertions keep every other character', () => {
  const json = '{ "a":[1e400,  2] }'
  const inserted = insertAll(json, [
    { at: 16, text: ',3' },
    { at: 7, text: '0,' },
  ])
  expect(inserted).toBe('{ "a":[0,1e400,  2,3] }')
})
