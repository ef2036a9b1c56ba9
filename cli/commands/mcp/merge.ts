import { isDeepStrictEqual } from 'node:util'
import { ENTRY_NAME, type McpClient, type ServerEntry } from '../../../shared/mcp-clients.ts'
import { transportFields } from './clients.ts'
import {
  type EntryChange,
  expectContent,
  expectTable,
  plain,
  type SettingsTable,
  splitMark,
} from './settings-format.ts'

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
  const [mark, text] = splitMark(file)
  const editor = await (format === 'toml' ? import('./toml.ts') : import('./jsonc.ts'))
  const before = expectTable(editor.parse(text), 'the content')
  const servers = expectTable(before[table] ?? {}, table)
  const current = expectTable(servers[ENTRY_NAME] ?? {}, `${table}.${ENTRY_NAME}`)
  const entry = keepVariables(current, newEntry)
  const changes = diffEntry(current, entry)
  if (ENTRY_NAME in servers && Object.keys(changes).length === 0) return file
  const after = editor.write(text, { table, name: ENTRY_NAME, changes, entry })
  const wanted = { ...before, [table]: { ...servers, [ENTRY_NAME]: apply(current, changes) } }
  expectContent(editor.parse(after), wanted)
  return `${mark}${after}`
}

/**
 * Removes the entry of svc, and the table of servers if it has no other. Comments and other entries are kept.
 * @returns the new text. @throws SettingsFileError
 */
export const removeEntry = async (
  file: string,
  { format, table }: Pick<McpClient, 'format' | 'table'>,
): Promise<string> => {
  const [mark, text] = splitMark(file)
  const editor = await (format === 'toml' ? import('./toml.ts') : import('./jsonc.ts'))
  const before = expectTable(editor.parse(text), 'the content')
  const servers = expectTable(before[table] ?? {}, table)
  if (!(ENTRY_NAME in servers)) return file
  const after = editor.remove(text, [table, ENTRY_NAME])
  const { [ENTRY_NAME]: _removed, ...others } = servers
  // The table may stay, for example if it has a comment.
  expectContent(
    { [table]: {}, ...expectTable(editor.parse(after), 'the content') },
    { ...before, [table]: others },
  )
  return `${mark}${after}`
}

/** Whether a file has an entry of svc. @throws SettingsFileError */
export const hasEntry = async (
  file: string,
  { format, table }: Pick<McpClient, 'format' | 'table'>,
): Promise<boolean> => {
  const editor = await (format === 'toml' ? import('./toml.ts') : import('./jsonc.ts'))
  const content = expectTable(editor.parse(splitMark(file)[1]), 'the content')
  return ENTRY_NAME in expectTable(content[table] ?? {}, table)
}

/** Keeps environment variables that the user added to the entry. */
const keepVariables = (current: SettingsTable, entry: ServerEntry): ServerEntry => {
  const name = 'environment' in entry ? 'environment' : 'env'
  const variables = current[name]
  if (!entry[name] || !variables) return entry
  return { ...entry, [name]: { ...(plain(variables) as object), ...(entry[name] as object) } }
}

const diffEntry = (current: SettingsTable, entry: ServerEntry): EntryChange['changes'] => {
  const others = 'command' in entry ? transportFields.http : transportFields.stdio
  const removed = [...others, 'type'].filter((field) => field in current && !(field in entry))
  const set = Object.entries(entry).filter(
    ([field, value]) => !isDeepStrictEqual(plain(current[field]), value),
  )
  return Object.fromEntries([...removed.map((field) => [field, undefined]), ...set])
}

const apply = (current: SettingsTable, changes: EntryChange['changes']): SettingsTable =>
  Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== undefined),
  )
