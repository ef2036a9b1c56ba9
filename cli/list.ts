import { commandLine } from './command-line.ts'
import type { Context } from './context.ts'
import { type Io, oneLine } from './output.ts'

/**
 * The columns of a table by header. In a narrow terminal the last one is shortened, and the ones
 * between the first and the last are dropped.
 */
export type Columns<T> = Record<string, (item: T) => string | number | null>

interface List<T> {
  items: readonly T[]
  columns: Columns<T>
  /** Printed instead of an empty table. */
  empty: string
  /** The value for `--json`. Default: the items. */
  response?: unknown
}

/** Prints a list as a table, or as JSON. */
export const printList = <T>(
  { io, json }: Context,
  { items, columns, empty, response = items }: List<T>,
): void => {
  const cells = Object.values(columns)
  const rows = items.map((item) => cells.map((cell) => oneLine(String(cell(item) ?? ''))))
  if (json) io.printJson(response)
  else if (rows.length === 0) io.info(empty)
  else io.printTable([Object.keys(columns), ...rows], cells.length - 2)
}

/** Prints the command for the next page, if there is one. */
export const printNextPage = (
  context: Context,
  hasMore: boolean,
  words: string[],
  options: Parameters<typeof commandLine>[2],
): void => {
  if (hasMore && !context.json)
    context.io.info(`For more, run: ${commandLine(context, words, options)}`)
}

/** Fields with their names, one per line. Empty ones are omitted. */
export const formatFields = (fields: Record<string, unknown>): string[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [`${name.padEnd(FIELD_NAME_WIDTH)}${oneLine(String(value))}`],
  )

const FIELD_NAME_WIDTH = 14

/** Prints an object as its fields, or as JSON. */
export const printFields = (
  { io, json }: { io: Io; json: boolean },
  response: unknown,
  fields: Record<string, unknown>,
): void => (json ? io.printJson(response) : io.print(formatFields(fields).join('\n')))
