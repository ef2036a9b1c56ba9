import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml, patch } from '@decimalturn/toml-patch'
import { tomlSection } from '../../../shared/mcp-settings.ts'
import { type EntryChange, plain, SettingsFileError } from './settings-format.ts'

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

/** Removes an entry with its tables and the blank line before each. Comments between tables are kept. */
export const remove = (text: string, [table = '', name = '']: readonly string[]): string => {
  const value = parse(text) as Record<string, Record<string, unknown>>
  const { [name]: _removed, ...others } = value[table] ?? {}
  const after = withoutTables(text, `${table}.${name}`)
  const { [table]: rest = {} } = parsedOrNothing(after)
  if (isDeepStrictEqual(plain(rest), plain(others))) return after
  return patch(text, { ...value, [table]: others })
}

const parsedOrNothing = (text: string): Record<string, unknown> => {
  try {
    return parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** A section ends at its last setting: the comments that follow belong to the next one. */
const withoutTables = (text: string, path: string): string => {
  const kept: string[] = []
  let section: string[] | undefined
  const closeSection = () => {
    const end = section?.findLastIndex((line) => !/^\s*(?:#|$)/.test(line)) ?? -1
    kept.push(...(section?.slice(end + 1) ?? []))
    section = undefined
  }
  for (const line of text.split(/(?<=\n)/)) {
    const header = line.trimStart()
    if (header.startsWith('[')) closeSection()
    if (header.startsWith(`[${path}]`) || header.startsWith(`[${path}.`)) {
      if (kept.at(-1)?.trim() === '') kept.pop()
      section = []
    }
    ;(section ?? kept).push(line)
  }
  closeSection()
  return kept.join('')
}
