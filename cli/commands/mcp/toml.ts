import { parse as parseToml, patch, stringify } from '@decimalturn/toml-patch'
import { type Change, Unreadable } from './change.ts'

export const parse = (text: string): unknown => {
  try {
    return parseToml(text)
  } catch (cause) {
    const [first = ''] = (cause as Error).message.split('\n')
    throw new Unreadable(first.replace(/:$/, ''), { cause })
  }
}

/** A new entry is a table of its own at the end; one that is there is changed where it stands. */
export const write = (text: string, { table, name, changes, entry }: Change): string => {
  const value = parse(text) as Record<string, Record<string, Record<string, unknown>>>
  const current = value[table]?.[name]
  if (!current && !isInline(text, table)) return appended(text, `${table}.${name}`, entry)
  const next = { ...current, ...changes }
  for (const [field, each] of Object.entries(next)) if (each === undefined) delete next[field]
  return patch(text, { ...value, [table]: { ...value[table], [name]: next } })
}

/** A table that is written in one line is closed: nothing can be added below it. */
const isInline = (text: string, table: string) => new RegExp(`^\\s*${table}\\s*=`, 'm').test(text)

const appended = (text: string, path: string, entry: Change['entry']): string => {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const { env, ...fields } = entry
  const tables = [
    `[${path}]\n${stringify(fields)}`,
    ...(env ? [`[${path}.env]\n${stringify(env)}`] : []),
  ].map((each) => `${each.trimEnd()}\n`.replaceAll('\n', eol))
  const before = text.trim() === '' ? [] : [text.endsWith('\n') ? text : `${text}${eol}`]
  return [...before, ...tables].join(eol)
}
