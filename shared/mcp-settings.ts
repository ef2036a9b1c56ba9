import { ENTRY_NAME, type McpClient, type ServerEntry } from './mcp-clients.ts'

/** The entry of svc as a complete settings file, to show it or to add it by hand. */
export const settingsText = (
  { format, table }: Pick<McpClient, 'format' | 'table'>,
  entry: ServerEntry,
): string =>
  format === 'toml'
    ? tomlSection(`${table}.${ENTRY_NAME}`, entry)
    : JSON.stringify({ [table]: { [ENTRY_NAME]: entry } }, null, 2)

/** An entry as TOML tables. */
export const tomlSection = (path: string, { env, ...fields }: ServerEntry): string =>
  [tomlTable(path, fields), ...(env ? [tomlTable(`${path}.env`, env as ServerEntry)] : [])].join(
    '\n\n',
  )

const tomlTable = (path: string, fields: ServerEntry): string =>
  [
    `[${path}]`,
    ...Object.entries(fields).map(([name, value]) => `${name} = ${tomlValue(value)}`),
  ].join('\n')

/** JSON strings are basic strings of TOML, except for the control character DEL. */
const tomlValue = (value: ServerEntry[string]): string =>
  (Array.isArray(value) && value.length
    ? `[ ${value.map((each) => JSON.stringify(each)).join(', ')} ]`
    : JSON.stringify(value)
  ).replaceAll('\u007f', '\\u007f')
