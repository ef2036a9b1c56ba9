import { ApiFailure, type Client } from '../shared/client.ts'
import { CliError, usageError } from './errors.ts'
import { oneLine } from './output.ts'
import { canonicalPrefix, type IdList, resolveId } from './short-id.ts'

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
