import type { Query } from './database.ts'

/** A name after a single colon: `::` is a cast. */
const PARAMETER = /(?<!:):([a-z][A-Za-z]*)/g

interface Statement {
  text: string
  /** The names of `$1`, `$2` and so on. */
  names: string[]
}

/** Caches statements by their text with names. Recall has one for each combination of filters. */
const statements = new Map<string, Statement>()
const MAX_STATEMENTS = 500

const numberParameters = (named: string): Statement => {
  const names: string[] = []
  const text = named.replace(PARAMETER, (_, name: string) => {
    const index = names.indexOf(name)
    return `$${index < 0 ? names.push(name) : index + 1}`
  })
  return { text, names }
}

/**
 * Runs a statement with named parameters: `:ownerId` stands for `values.ownerId`. Named parameters let
 * independent parts compose a statement. Values that the text does not name are ignored.
 */
export const namedQuery = <T = Record<string, unknown>>(
  query: Query,
  named: string,
  values: Record<string, unknown>,
): Promise<T[]> => {
  const statement = statements.get(named) ?? numberParameters(named)
  if (statements.size === MAX_STATEMENTS) statements.clear()
  statements.set(named, statement)
  const params = statement.names.map((name) => {
    if (!(name in values)) throw new Error(`The statement has no value for :${name}`)
    return values[name]
  })
  return query<T>(statement.text, params)
}
