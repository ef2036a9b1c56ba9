import { isDeepStrictEqual } from 'node:util'
import { type Change, Unreadable } from './change.ts'
import type { Entry, McpClient } from './clients.ts'
import { ENTRY_NAME, fieldsOf } from './clients.ts'

type Table = Readonly<Record<string, unknown>>

/**
 * Puts the entry into a client's settings; comments, order and all other entries stay.
 * @returns the new text, which is the old one where the entry is there already.
 * @throws Unreadable
 */
export const merge = async (
  file: string,
  { format, table }: Pick<McpClient, 'format' | 'table'>,
  given: Entry,
): Promise<string> => {
  // A byte order mark is no part of what parsers read.
  const [, mark = '', text = ''] = /^(\uFEFF?)([\s\S]*)$/.exec(file) ?? []
  const editor = await (format === 'toml' ? import('./toml.ts') : import('./jsonc.ts'))
  const before = objectOf(editor.parse(text), 'it')
  const servers = objectOf(before[table] ?? {}, table)
  const current = objectOf(servers[ENTRY_NAME] ?? {}, `${table}.${ENTRY_NAME}`)
  const entry = withVariablesOf(current, given)
  const changes = changesOf(current, entry)
  if (ENTRY_NAME in servers && Object.keys(changes).length === 0) return file
  const after = editor.write(text, { table, name: ENTRY_NAME, changes, entry })
  const wanted = { ...before, [table]: { ...servers, [ENTRY_NAME]: apply(current, changes) } }
  // An editor that got something wrong must not cost somebody their settings.
  if (!isDeepStrictEqual(plain(editor.parse(after)), plain(wanted)))
    throw new Unreadable('it cannot be changed without changing something else in it')
  return `${mark}${after}`
}

/** Variables that the person gave it stay beside those of svc. */
const withVariablesOf = ({ env }: Table, entry: Entry): Entry =>
  entry.env && env
    ? { ...entry, env: { ...(plain(env) as object), ...(entry.env as object) } }
    : entry

const changesOf = (current: Table, entry: Entry): Change['changes'] => {
  const others = 'command' in entry ? fieldsOf.http : fieldsOf.stdio
  const gone = [...others, 'type'].filter((field) => field in current && !(field in entry))
  const set = Object.entries(entry).filter(
    ([field, value]) => !isDeepStrictEqual(plain(current[field]), value),
  )
  return Object.fromEntries([...gone.map((field) => [field, undefined]), ...set])
}

const apply = (current: Table, changes: Change['changes']): Table =>
  Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== undefined),
  )

const objectOf = (value: unknown, what: string): Table => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Table
  throw new Unreadable(`${what} is not a table of names and values`)
}

/** Parsers make objects of their own kinds; here only what is in them counts. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Date || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
