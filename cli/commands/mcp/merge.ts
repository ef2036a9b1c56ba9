import { isDeepStrictEqual } from 'node:util'
import { ENTRY_NAME, type McpClient, type ServerEntry } from '../../../shared/mcp-clients.ts'
import { transportFields } from './clients.ts'
import { type EntryChange, SettingsFileError } from './settings-format.ts'

type Table = Readonly<Record<string, unknown>>

/**
 * Adds or updates the entry of svc. Comments, order and other entries are kept.
 * @returns the new text, which is unchanged if the entry exists already.
 * @throws SettingsFileError
 */
export const mergeEntry = async (
  file: string,
  { format, table }: Pick<McpClient, 'format' | 'table'>,
  newEntry: ServerEntry,
): Promise<string> => {
  // The parsers do not accept a byte order mark.
  const [, mark = '', text = ''] = /^(\uFEFF?)([\s\S]*)$/.exec(file) ?? []
  const editor = await (format === 'toml' ? import('./toml.ts') : import('./jsonc.ts'))
  const before = expectTable(editor.parse(text), 'the content')
  const servers = expectTable(before[table] ?? {}, table)
  const current = expectTable(servers[ENTRY_NAME] ?? {}, `${table}.${ENTRY_NAME}`)
  const entry = keepVariables(current, newEntry)
  const changes = diffEntry(current, entry)
  if (ENTRY_NAME in servers && Object.keys(changes).length === 0) return file
  const after = editor.write(text, { table, name: ENTRY_NAME, changes, entry })
  const wanted = { ...before, [table]: { ...servers, [ENTRY_NAME]: apply(current, changes) } }
  // Protects the other settings from a defect of the editing library.
  if (!isDeepStrictEqual(plain(editor.parse(after)), plain(wanted)))
    throw new SettingsFileError('it cannot be changed without affecting other settings')
  return `${mark}${after}`
}

/** Keeps environment variables that the user added to the entry. */
const keepVariables = ({ env }: Table, entry: ServerEntry): ServerEntry =>
  entry.env && env
    ? { ...entry, env: { ...(plain(env) as object), ...(entry.env as object) } }
    : entry

const diffEntry = (current: Table, entry: ServerEntry): EntryChange['changes'] => {
  const others = 'command' in entry ? transportFields.http : transportFields.stdio
  const removed = [...others, 'type'].filter((field) => field in current && !(field in entry))
  const set = Object.entries(entry).filter(
    ([field, value]) => !isDeepStrictEqual(plain(current[field]), value),
  )
  return Object.fromEntries([...removed.map((field) => [field, undefined]), ...set])
}

const apply = (current: Table, changes: EntryChange['changes']): Table =>
  Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== undefined),
  )

const expectTable = (value: unknown, name: string): Table => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Table
  throw new SettingsFileError(`${name} is not an object`)
}

/** Converts the objects of the parsers to plain objects for comparison. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Date || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
