import { parse as parseToml, patch } from '@decimalturn/toml-patch'
import { tomlSection } from '../../../shared/mcp-settings.ts'
import { type EntryChange, SettingsFileError } from './settings-format.ts'

export const parse = (text: string): unknown => {
  try {
    return parseToml(text)
  } catch (cause) {
    const [first = ''] = (cause as Error).message.split('\n')
    throw new SettingsFileError(first.replace(/:$/, ''), { cause })
  }
}

/** Appends a new entry as a table; changes an existing one in place. */
export const write = (text: string, { table, name, changes, entry }: EntryChange): string => {
  const value = parse(text) as Record<string, Record<string, Record<string, unknown>>>
  const current = value[table]?.[name]
  if (!current && !isInline(text, table)) return appended(text, `${table}.${name}`, entry)
  const next = { ...current, ...changes }
  for (const [field, each] of Object.entries(next)) if (each === undefined) delete next[field]
  return patch(text, { ...value, [table]: { ...value[table], [name]: next } })
}

/** An inline table cannot be extended by another table. */
// Reads at most 1000 characters: a line of a settings file.
const isInline = (text: string, table: string) => new RegExp(`^\\s*${table}\\s*=`, 'm').test(text)

const appended = (text: string, path: string, entry: EntryChange['entry']): string => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const added = `${tomlSection(path, entry)}\n`.replaceAll('\n', eol)
  const before = text.trim() === '' ? [] : [text.endsWith('\n') ? text : `${text}${eol}`]
  return [...before, added].join(eol)
}
