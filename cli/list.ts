import { commandLine } from './command-line.ts'
import type { Context } from './context.ts'
import { idColumn } from './ids.ts'
import { type Io, oneLine } from './output.ts'

/**
 * The columns of a table by header. In a narrow terminal the last one is shortened, and the ones
 * between the first and the last are dropped: those of `minor`, and then from the right.
 */
export type Columns<T> = Record<string, (item: T) => string | number | null>

interface List<T> {
  items: readonly T[]
  /** Adds a column of IDs, which are short at a terminal. */
  id?: (item: T) => string
  /** Every ID of this kind, for `idColumn`. Default: those of the items, if the list is complete. */
  allIds?: Parameters<typeof idColumn>[1]
  columns: Columns<T>
  /** The least useful columns, the least useful first. */
  minor?: readonly string[]
  /** Printed instead of an empty table. */
  empty: string
  /** The value for `--json`. Default: the items. */
  response?: unknown
}

/** Prints a list as a table, or as JSON. */
export const printList = async <T>(
  { io, json }: Context,
  { items, id, allIds, columns, minor = [], empty, response = items }: List<T>,
): Promise<void> => {
  if (json) return io.printJson(response)
  if (items.length === 0) return io.info(empty)
  const short = id && (await idColumn(io, allIds ?? (() => items.map(id))))
  const cells = Object.entries(
    id && short ? { ID: (item: T) => short(id(item)), ...columns } : columns,
  )
  const rows = items.map((item) => cells.map(([, cell]) => oneLine(String(cell(item) ?? ''))))
  const names = cells.map(([name]) => name)
  const dropped = [...new Set([...minor, ...names.slice(1, -1).reverse()])].map((name) =>
    names.indexOf(name),
  )
  await io.printTable(
    [names, ...rows],
    dropped.filter((index) => index >= 0),
  )
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
