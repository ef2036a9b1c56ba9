import { ApiFailure, type Client } from '../shared/client.ts'
import { CliError, usageError } from './errors.ts'
import { type Io, oneLine } from './output.ts'
import { truncateToWidth } from './table.ts'

/** An item with an id, and the text that tells it apart from others. */
export interface IdItem {
  id: string
  label: string
}

/** The items of one kind. A unique prefix of an id stands for the id. */
export interface IdList {
  /** For messages: `memory`. */
  noun: string
  /** The command that lists the ids. */
  command: string
  /**
   * Finds the items whose ids start with a prefix in canonical form. It may return other items too.
   * @param prefix is empty for completion, where the first items are enough.
   */
  find(prefix: string): Promise<IdItem[]>
  /** Whether commands take no prefix of these, such as names. */
  isComplete?: boolean
}

/** With fewer characters, the ids of years would match: UUIDs of version 7 begin with the time. */
const MIN_TYPED_CHARS = 4

/** The minimum of a shown prefix. It covers about a minute of UUIDs of version 7. */
export const MIN_SHOWN_CHARS = 8

/** The millisecond and the counter of a UUID of version 7, which are unique in one server process. */
const TIME_CHARS = 18

const MAX_SHOWN_CANDIDATES = 10

/**
 * The id that a complete id or a unique prefix stands for. A complete id causes no request.
 * @throws CliError if no item or several items match; the message lists the candidates.
 */
export const resolveId = async (typed: string, list: IdList): Promise<string> => {
  const prefix = canonicalPrefix(typed)
  if (prefix === undefined)
    throw usageError(
      `${oneLine(typed)} is not an ID.`,
      `Use an ID, or at least its first ${MIN_TYPED_CHARS} characters. Run: ${list.command}`,
    )
  if (prefix.length === UUID_CHARS) return prefix
  const found = await list.find(prefix)
  const matches = found.filter(({ id }) => id.startsWith(prefix))
  // An item that moves between two pages is listed twice.
  const [item, ...others] = new Map(matches.map((each) => [each.id, each])).values()
  if (!item)
    throw new CliError(
      `No ${list.noun} has an ID that starts with ${prefix}.`,
      `Run: ${list.command}`,
    )
  if (others.length === 0) return item.id
  throw usageError(
    `${prefix} is ambiguous. It is the start of these IDs:`,
    `${candidateLines([item, ...others])}\nUse more characters of one of them.`,
  )
}

const candidateLines = (items: IdItem[]): string => {
  const shown = shortenIds(items.map(({ id }) => id))
  const lines = items
    .slice(0, MAX_SHOWN_CANDIDATES)
    .map(({ id, label }) => `  ${shown(id)}  ${truncateToWidth(oneLine(label), 50)}`)
  const rest = items.length - lines.length
  return [...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n')
}

/**
 * Returns a function that formats ids for a table: short on a terminal, complete in a pipe.
 * @param all every id of this kind, as far as a prefix could match it. Undefined if they are unknown.
 */
export const idColumn = async (
  { stdoutIsTerminal }: Io,
  all: () => Promise<readonly string[] | undefined> | readonly string[],
): Promise<(id: string) => string> => {
  if (!stdoutIsTerminal) return (id) => id
  const ids = await all()
  return ids ? shortenIds(ids) : (id) => id.slice(0, TIME_CHARS)
}

/** Returns a function that shortens an id to its shortest unique prefix among all ids. */
export const shortenIds = (all: readonly string[]): ((id: string) => string) => {
  const sorted = [...new Set(all)].sort()
  const shortest = new Map(
    sorted.map((id, i) => {
      const common = Math.max(
        commonLength(id, sorted[i - 1] ?? ''),
        commonLength(id, sorted[i + 1] ?? ''),
      )
      return [id, id.slice(0, Math.max(MIN_SHOWN_CHARS, common + 1))]
    }),
  )
  return (id) => shortest.get(id) ?? id
}

const commonLength = (a: string, b: string): number => {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

const UUID_CHARS = 36

/** Where the hyphens of a UUID are, in hexadecimal digits. */
const HYPHENS = [8, 12, 16, 20]

/** The start of a UUID in lower case with its hyphens; undefined for any other text. */
export const canonicalPrefix = (typed: string): string | undefined => {
  const digits = typed.trim().toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{4,32}$/.test(digits)) return undefined
  return withHyphens(digits)
}

const withHyphens = (digits: string): string =>
  [0, ...HYPHENS]
    .map((from, i) => digits.slice(from, HYPHENS[i]))
    .filter(Boolean)
    .join('-')

/** The last UUID with a prefix, for lists that are ordered by id. */
export const lastIdWith = (prefix: string): string =>
  withHyphens(prefix.replaceAll('-', '').padEnd(32, 'f'))

/** A kind of item that commands take by ID, by a unique prefix of the ID, or by name. */
export interface Kind<T> {
  /** For errors: `Device`. */
  noun: string
  /** The command that lists the items. */
  command: string
  all: (client: Client) => Promise<readonly T[]>
  id: (item: T) => string
  names: (item: T) => readonly string[]
}

/** The item with an ID or a name, in any case. @throws CliError unless there is exactly one. */
export const findItem = async <T>(client: Client, kind: Kind<T>, typed: string): Promise<T> => {
  const { noun, command, id, names } = kind
  const items = await kind.all(client)
  const wanted = typed.toLowerCase()
  const [named, ...others] = items.filter((item) =>
    [id(item), ...names(item)].some((name) => name.toLowerCase() === wanted),
  )
  if (named && others.length === 0) return named
  if (named)
    throw usageError(
      `${noun} ${oneLine(typed)} is not unique: ${others.length + 1} have this name.`,
      `Use the ID. Run: ${command}`,
    )
  const found =
    canonicalPrefix(typed) &&
    (await resolveId(typed, idList({ ...kind, all: async () => items }, client)))
  const item = found && items.find((each) => id(each) === found)
  if (!item) throw notFoundError(noun, typed, command)
  return item
}

/** The ids of a kind, for prefixes and for completion. */
export const idList = <T>({ noun, command, all, id, names }: Kind<T>, client: Client): IdList => ({
  noun: noun.toLowerCase(),
  command,
  find: async () =>
    (await all(client)).map((item) => ({ id: id(item), label: names(item)[0] ?? '' })),
})

/** The names of a kind for completion, as they are typed instead of an id. */
export const nameList = <T>(kindFor: (typed: string) => Kind<T>, client: Client): IdList => ({
  ...idList(kindFor(''), client),
  isComplete: true,
  async find(typed) {
    const { all, names } = kindFor(typed)
    return (await all(client)).map((item) => {
      const [id = '', label = ''] = names(item)
      return { id, label }
    })
  },
})

/** The limit of the server for a page of any list. */
export const MAX_PAGE_SIZE = 100

/** All items of a list in pages. @param fetch gets the page that continues before an item. */
export const allInPages = async <T>(
  fetch: (page: { limit: number; before?: string }) => Promise<T[]>,
  idOf: (item: T) => string,
): Promise<T[]> => {
  const items: T[] = []
  for (let length = MAX_PAGE_SIZE; length === MAX_PAGE_SIZE; ) {
    const last = items.at(-1)
    const page = await fetch({ limit: MAX_PAGE_SIZE, ...(last && { before: idOf(last) }) })
    items.push(...page)
    length = page.length
  }
  return items
}

export const notFoundError = (noun: string, typed: string, command: string, cause?: unknown) =>
  new CliError(`${noun} ${oneLine(typed)} does not exist.`, `Run: ${command}`, { cause })

/** For a request with only an ID. */
export const orNotFound =
  (noun: string, typed: string, command: string) =>
  (cause: unknown): never => {
    throw cause instanceof ApiFailure && cause.status === 404
      ? notFoundError(noun, typed, command, cause)
      : cause
  }
