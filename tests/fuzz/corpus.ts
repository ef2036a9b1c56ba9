import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { TEXTS, textOf } from './texts.ts'

/** One request to an endpoint. */
export interface Case {
  title: string
  path: string
  contentType?: string | undefined
  body?: string | FormData
}

/** Longest text that a field of the API accepts. */
export const LONGEST = 32_000
/** Characters of all query parameters together. Encoding makes up to nine bytes of one; Bun accepts 16 KiB. */
export const LONGEST_QUERY = 1_500
const FILE_BYTES = 200_000

const WRONG_VALUES = [null, '', ' ', -1, 1e308, true, [], {}, [null], 'x\0', '\u202e\ud83d']
const WRONG_BODIES = [
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '\ufeff{}',
  '{"__proto__": {"a": 1}}',
  '['.repeat(50_000),
  '{"a":'.repeat(50_000),
  `[${'1,'.repeat(400_000)}1]`,
  `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
]
const WRONG_TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'x',
]
const WRONG_IN_PATH = ['no-id', '%00', '%F0%9F%92%A5', '..%2f..', "'--", '01a1fdd5-1d91-733f']

const isFreeText = ({ type, format, pattern, const: literal }: TSchema): boolean =>
  type === 'string' && !format && (!pattern || pattern === '\\S') && literal === undefined

type Ids = Record<string, string>

/** A value that fits a schema; every free text in it is `text`, cut to the length that the field accepts. */
export const exampleOf = (schema: TSchema, ids: Ids, text: string, name = ''): unknown => {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (isFreeText(schema)) return ids[name] ?? text.slice(0, schema.maxLength ?? LONGEST)
  if (schema.anyOf) {
    const forms = schema.anyOf as TSchema[]
    const form = forms.find(isFreeText) ?? forms.find(({ type }) => type !== 'null')
    return form ? exampleOf(form, ids, text, name) : null
  }
  if (schema.format === 'uuid') return ids[name] ?? '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
  if (schema.format === 'date-time') return '2026-01-31T12:00:00Z'
  if (schema.type === 'string') return 'abc'
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'array') return schema.items ? [exampleOf(schema.items, ids, text)] : []
  if (schema.type !== 'object') return null
  const required: string[] = schema.required ?? []
  return Object.fromEntries(
    Object.entries<TSchema>(schema.properties ?? {})
      // The id of a row that does not exist would end the request with 404.
      .filter(([key, field]) => required.includes(key) || key in ids || !isId(field))
      .map(([key, field]) => [key, exampleOf(field, ids, text, key)]),
  )
}

const isId = ({ format, anyOf }: TSchema): boolean =>
  format === 'uuid' || (anyOf as TSchema[] | undefined)?.some(isId) === true

const json = (body: unknown): Pick<Case, 'body' | 'contentType'> => ({
  body: JSON.stringify(body),
  contentType: 'application/json',
})

const formOf = (field: string, text: string, type: string): FormData => {
  const form = new FormData()
  form.set(field, new Blob([text], { type }), 'file.md')
  return form
}

/** Pathological texts in every field at once, of the maximum length of each field, and longer. */
export function* textCases(row: Endpoint, ids: Ids, names = TEXTS): Generator<Case> {
  const path = pathOf(row, ids)
  const field = row.upload?.field ?? row.file?.field
  for (const name of names) {
    const text = textOf(name, LONGEST)
    const keys = Object.keys(row.query.properties)
    const value = text.slice(0, LONGEST_QUERY / keys.length)
    const query = new URLSearchParams(keys.map((key): [string, string] => [key, value]))
    if (query.size) yield { title: `query: ${name}`, path: `${path}?${query}` }
    if (field) {
      const file = textOf(name, FILE_BYTES)
      yield { title: `file: ${name}`, path, body: formOf(field, file, 'text/markdown') }
      const line = JSON.stringify({ content: file, observations: [file], chat_messages: [file] })
      yield { title: `JSON file: ${name}`, path, body: formOf(field, line, 'application/json') }
    }
    if (!row.body) continue
    yield { title: `text: ${name}`, path, ...json(exampleOf(row.body, ids, text)) }
    const tooLong = mapTexts(exampleOf(row.body, ids, 'a') as object, () => text)
    yield { title: `longer text: ${name}`, path, ...json(tooLong) }
  }
}

const mapTexts = (value: unknown, map: (text: string) => string): unknown => {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map))
  if (!value || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]))
}

/** Values of the wrong type, empty ones, and bodies other than JSON. */
export function* wrongCases(row: Endpoint, ids: Ids): Generator<Case> {
  const path = pathOf(row, ids)
  for (const value of WRONG_IN_PATH)
    if (row.path.includes('{')) yield { title: `path: ${value}`, path: pathOf(row, {}, value) }
  for (const key of Object.keys(row.query.properties))
    for (const value of ['', '-1', '1e999', '99999999999999999999', '%00', 'x'])
      yield { title: `query ${key}=${value}`, path: `${path}?${key}=${value}` }
  if (!row.body) return
  const example = exampleOf(row.body, ids, 'text') as object
  for (const body of WRONG_BODIES)
    yield { title: `body: ${body.slice(0, 20)}`, path, body, contentType: 'application/json' }
  for (const contentType of WRONG_TYPES)
    yield { title: `type: ${contentType.slice(0, 40)}`, path, ...json(example), contentType }
  for (const [key, valid] of Object.entries(example))
    for (const value of [...WRONG_VALUES, [valid, valid], { [key]: valid }])
      yield {
        title: `${key}: ${JSON.stringify(value).slice(0, 30)}`,
        path,
        ...json({ ...example, [key]: value }),
      }
}

export const pathOf = (row: Endpoint, ids: Ids, other = 'abc'): string =>
  row.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? other)
