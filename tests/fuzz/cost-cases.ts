import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { type Case, exampleOf, LONGEST, LONGEST_QUERY, pathOf } from './corpus.ts'
import type { Pathological } from './pathological.ts'

/** A request whose cost is measured. */
export interface CostCase extends Case {
  headers?: Record<string, string>
}

type Ids = Record<string, string>
type Body = Record<string, unknown>

/** Characters of a file. A reader is given seconds for a file of 25 MB. */
const FILE_CHARACTERS = 200_000
const HEADER_CHARACTERS = 4_000
/** Also in the path, which is encoded. */
const PATH_CHARACTERS = 500

const HEADERS = [
  ...['x-timezone', 'x-org-id', 'x-api-key', 'cookie', 'origin', 'accept', 'content-type', 'range'],
  ...[
    'user-agent',
    'stripe-signature',
    'accept-language',
    'if-none-match',
    'traceparent',
    'tracestate',
  ],
  ...['x-forwarded-for', 'x-forwarded-host', 'referer', 'mcp-protocol-version', 'mcp-session-id'],
]

/** Where a request has a text: all free texts of the body, one field of it, the query and so on. */
type Place = (row: Endpoint, ids: Ids, text: Pathological, tail: string) => Iterable<CostCase>

const json = (body: unknown): Pick<CostCase, 'body' | 'contentType'> => ({
  body: JSON.stringify(body),
  contentType: 'application/json',
})

/** The form of a union that has this type. */
const stringIn = (schema: TSchema): TSchema | undefined =>
  schema.type === 'string'
    ? schema
    : (schema.anyOf as TSchema[])?.find(({ type }) => type === 'string')

/** The fields of an object that take text, at any depth, as a path and the function that sets them. */
export const textFields = (
  schema: TSchema,
  path: string[] = [],
): { path: string[]; most: number }[] =>
  Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.type === 'array' ? field.items : field
    const text = inner && stringIn(inner)
    const here = field.type === 'array' ? [...path, name, '0'] : [...path, name]
    if (text) return [{ path: here, most: text.maxLength ?? LONGEST }]
    return inner ? textFields(inner, here) : []
  })

export const withValue = (value: unknown, [key, ...rest]: string[], text: string): unknown => {
  if (key === undefined) return text
  if (Array.isArray(value)) return [withValue(value[0], rest, text)]
  const object = (value ?? {}) as Body
  return { ...object, [key]: withValue(object[key], rest, text) }
}

const body: Place = function* (row, ids, text, tail) {
  if (!row.body) return
  const path = pathOf(row, ids)
  yield { title: 'body', path, ...json(exampleOf(row.body, ids, text.of(LONGEST, tail))) }
}

const bodyFields: Place = function* (row, ids, text, tail) {
  if (!row.body) return
  const valid = exampleOf(row.body, ids, 'Ada likes tea')
  for (const { path, most } of textFields(row.body))
    yield {
      title: `body.${path.join('.')}`,
      path: pathOf(row, ids),
      ...json(withValue(valid, path, text.of(most, tail))),
    }
}

/** JSON in which the text is a name, a value or not inside of quotes. */
const rawBodies: Place = function* (row, ids, text, tail) {
  if (!row.body) return
  const path = pathOf(row, ids)
  const whole = text.of(LONGEST, tail)
  const valid = exampleOf(row.body, ids, 'Ada likes tea') as Body
  yield { title: 'unparsed body', path, body: whole, contentType: 'application/json' }
  yield { title: 'names of the body', path, ...json({ ...valid, [whole]: whole }) }
  if ('metadata' in valid)
    yield { title: 'body.metadata', path, ...json({ ...valid, metadata: { [whole]: [whole] } }) }
}

const query: Place = function* (row, ids, text, tail) {
  const names = Object.entries<TSchema>(row.query.properties).filter(([, field]) => stringIn(field))
  const most = LONGEST_QUERY / Math.max(1, names.length)
  const all = new URLSearchParams(
    names.map(([name]): [string, string] => [name, text.of(most, tail)]),
  )
  if (names.length) yield { title: 'query', path: `${pathOf(row, ids)}?${all}` }
  for (const [name] of names) {
    const one = new URLSearchParams({ [name]: text.of(LONGEST_QUERY, tail) })
    yield { title: `query.${name}`, path: `${pathOf(row, ids)}?${one}` }
  }
}

/** Reads what other requests have stored. */
const plain: Place = function* (row, ids) {
  if (row.method === 'GET') yield { title: 'as is', path: pathOf(row, ids) }
}

const parameters: Place = function* (row, _ids, text, tail) {
  if (!row.path.includes('{')) return
  yield { title: 'path', path: pathOf(row, {}, encodeURIComponent(text.of(PATH_CHARACTERS, tail))) }
}

const headers: Place = function* (row, ids, text, tail) {
  const value = encodeHeader(text.of(HEADER_CHARACTERS, tail))
  for (const name of HEADERS)
    yield { title: `header ${name}`, path: pathOf(row, ids), headers: { [name]: value } }
}

/** Latin-1 without control characters, as a client can send it. */
const encodeHeader = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character))
    .slice(0, HEADER_CHARACTERS)

const TYPES = {
  'text/plain': (text: string) => text,
  'text/markdown': (text: string) => `# ${text.slice(0, 500)}\n\n${text}`,
  'text/html': (text: string) =>
    `<!doctype html><html><head><title>${text.slice(0, 500)}</title></head><body><article>${text}</article></body></html>`,
  'text/csv': (text: string) => `a,b\n${text}`,
  'application/json': (text: string) => JSON.stringify({ content: text, messages: [text] }),
  'application/pdf': pdfWith,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': (text: string) =>
    `PK\x03\x04${text}`,
}

/** A PDF of one page. Its cross-reference table is missing, so a reader searches for the objects. */
function pdfWith(text: string): string {
  const stream = `BT /F1 12 Tf (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`
  return [
    '%PDF-1.4',
    '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
    '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
    '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>> endobj',
    `4 0 obj <</Length ${stream.length}>> stream\n${stream}\nendstream endobj`,
    '5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj',
    'trailer <</Root 1 0 R>>',
  ].join('\n')
}

const formOf = (field: string, content: string, type: string, name: string): FormData => {
  const form = new FormData()
  form.set(field, new Blob([content], { type }), name)
  return form
}

const uploads: Place = function* (row, ids, text, tail) {
  if (!row.upload) return
  const path = pathOf(row, ids)
  const content = text.of(FILE_CHARACTERS, tail)
  for (const [type, wrap] of Object.entries(TYPES))
    yield { title: type, path, body: formOf(row.upload.field, wrap(content), type, 'file') }
  yield { title: 'file name', path, body: formOf(row.upload.field, 'text', 'text/plain', content) }
  const declared = encodeHeader(content)
  yield { title: 'declared type', path, body: formOf(row.upload.field, 'text', declared, 'file') }
}

/** A record of each format, with the text in every field. */
const recordsOf = (text: string): Record<string, unknown> => ({
  svc: {
    content_text: text,
    thread: text.slice(0, 500),
    author: text.slice(0, 200),
    metadata: { [text]: text },
  },
  'mcp entity': {
    type: 'entity',
    name: text.slice(0, 900),
    entityType: text,
    observations: [text],
  },
  'mcp relation': { type: 'relation', from: text.slice(0, 9_000), to: text, relationType: text },
  mem0: {
    id: text,
    memory: text,
    run_id: text,
    agent_id: text,
    created_at: text,
    categories: [text],
  },
  chatgpt: {
    title: text,
    current_node: 'a',
    mapping: {
      a: {
        message: {
          id: text,
          author: { role: 'user' },
          content: { content_type: 'text', parts: [text] },
        },
      },
    },
  },
  claude: {
    uuid: text,
    name: text,
    chat_messages: [{ uuid: text, sender: 'human', created_at: text, text }],
  },
  'claude memory': { conversations_memory: text, project_memories: { [text]: text } },
})

const imports: Place = function* (row, ids, text, tail) {
  if (!row.file) return
  const path = pathOf(row, ids)
  for (const [title, record] of Object.entries(recordsOf(text.of(LONGEST, tail))))
    yield { title, path, ...json(record) }
  const whole = text.of(FILE_CHARACTERS, tail)
  yield { title: 'unparsed file', path, body: whole, contentType: 'application/x-ndjson' }
  yield { title: 'list', path, body: `[{"a":${whole}`, contentType: 'application/json' }
  const form = formOf(row.file.field, JSON.stringify({ content: whole }), 'application/json', 'f')
  yield { title: 'form', path, body: form }
}

const PLACES: readonly Place[] = [
  body,
  bodyFields,
  rawBodies,
  plain,
  query,
  parameters,
  uploads,
  imports,
]

/** Every place of a row where a client can send a text. */
export function* costCases(
  row: Endpoint,
  ids: Ids,
  text: Pathological,
  tail: string,
): Generator<CostCase> {
  for (const place of PLACES) yield* place(row, ids, text, tail)
}

/** Headers are read in the same way for all endpoints. */
export const headerCases = headers
