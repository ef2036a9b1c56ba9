import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { type Case, exampleOf, pathOf } from '../../tests/fuzz/corpus.ts'

/** The API accepts bodies up to one mebibyte. */
const BODY_CHARACTERS = 1_000_000
const PROSE = 'I moved to Lisbon in May 2021, my sister Ada works at Acme, and we like tea. '

const fill = (unit: (i: number) => string, characters: number, [open, close] = ['{', '}']) => {
  const parts: string[] = []
  for (let size = 0; size < characters; size += (parts.at(-1)?.length ?? 0) + 1)
    parts.push(unit(parts.length))
  return `${open}${parts.join(',')}${close}`
}

const BODIES = {
  'a mebibyte of names': fill((i) => `"${i.toString(36)}":1`, BODY_CHARACTERS),
  'the most accepted names': `{${Array.from({ length: 39_000 }, (_, i) => `"n${i}":1`)}}`,
  'a mebibyte of objects': fill(() => '{}', BODY_CHARACTERS, ['[', ']']),
  'the most accepted values': `[${Array.from({ length: 190_000 }, () => '{}')}]`,
  'deep lists': '['.repeat(500_000) + ']'.repeat(500_000),
  'a long text': JSON.stringify({ content: 'a '.repeat(BODY_CHARACTERS / 2) }),
}

/** A body with lists of the maximum length, in total one mebibyte of prose. */
const full = (row: Endpoint): object | undefined => {
  const lists = Object.entries(row.body?.properties ?? {}).filter(
    ([, { type }]) => type === 'array',
  )
  if (!row.body || lists.length === 0) return undefined
  const body = exampleOf(row.body, {}, 'text') as Record<string, unknown>
  for (const [name, { items, maxItems = 100 }] of lists) {
    const characters = BODY_CHARACTERS / lists.length / maxItems - 300
    const text = PROSE.repeat(Math.ceil(characters / PROSE.length)).slice(0, characters)
    body[name] = Array.from({ length: maxItems }, (_, i) =>
      exampleOf(items, {}, `${i} ${crypto.randomUUID()} ${text}`),
    )
  }
  return body
}

const withMetadata = (row: Endpoint): object | undefined =>
  row.body?.properties.metadata && {
    ...(exampleOf(row.body, {}, 'text') as object),
    metadata: Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`n${i}`, i])),
  }

/** Bodies at the size limit of the API, or above, for every endpoint with a body. */
export function* largeCases(row: Endpoint, ids: Record<string, string>): Generator<Case> {
  if (!row.body) return
  const path = pathOf(row, ids)
  const contentType = 'application/json'
  for (const [title, body] of Object.entries(BODIES)) yield { title, path, contentType, body }
  const built = { 'full lists': full(row), 'metadata of 6,000 names': withMetadata(row) }
  for (const [title, body] of Object.entries(built))
    if (body) yield { title, path, contentType, body: JSON.stringify(body) }
}
