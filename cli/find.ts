import { ApiFailure } from '../shared/client.ts'
import { CliError, usageError } from './errors.ts'
import { oneLine } from './output.ts'

interface Search<T> {
  /** The kind of item, for the error: `Device`. */
  kind: string
  /** The ID and the names of an item. */
  keys: (item: T) => readonly string[]
  /** The command that lists the items. */
  list: string
}

/** The item with an ID or a name, in any case. @throws CliError unless there is exactly one. */
export const findItem = <T>(
  items: readonly T[],
  typed: string,
  { kind, keys, list }: Search<T>,
): T => {
  const wanted = typed.toLowerCase()
  const [found, ...others] = items.filter((item) =>
    keys(item).some((key) => key.toLowerCase() === wanted),
  )
  if (!found) throw notFoundError(kind, typed, list)
  if (others.length === 0) return found
  throw usageError(
    `${kind} ${oneLine(typed)} is not unique: ${others.length + 1} have this name.`,
    `Use the ID. Run: ${list}`,
  )
}

/** The limit of the server. */
const MAX_PAGE_SIZE = 100

/**
 * The first match in the pages of a list.
 * @param fetch gets the page after an item.
 * @returns undefined if no page has a match.
 */
export const findInPages = async <T>(
  fetch: (page: { limit: number; before?: string }) => Promise<T[]>,
  idOf: (item: T) => string,
  matches: (item: T) => boolean,
): Promise<T | undefined> => {
  let last: T | undefined
  do {
    const page = await fetch({ limit: MAX_PAGE_SIZE, ...(last && { before: idOf(last) }) })
    const found = page.find(matches)
    if (found) return found
    last = page.length === MAX_PAGE_SIZE ? page.at(-1) : undefined
  } while (last)
  return undefined
}

export const notFoundError = (kind: string, typed: string, list: string, cause?: unknown) =>
  new CliError(`${kind} ${oneLine(typed)} does not exist.`, `Run: ${list}`, { cause })

/** For requests with only an ID: the server returns 404 for an unknown one and 422 for a malformed one. */
export const orNotFound =
  (kind: string, typed: string, list: string) =>
  (cause: unknown): never => {
    throw cause instanceof ApiFailure && [404, 422].includes(cause.status)
      ? notFoundError(kind, typed, list, cause)
      : cause
  }
