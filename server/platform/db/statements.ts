import type { Query } from './database.ts'

/** A name after a single colon: `::` is a cast. */
const PARAMETER = /(?<!:):([a-z][A-Za-z]*)/g

interface Statement {
  text: string
  /** The names of `$1`, `$2` and so on. */
  names: string[]
}

/** A statement that is composed once for each key, because composing and hashing a long text takes noticeable time. */
export interface ComposedStatement {
  key: string
  compose(): string
}

/** Caches statements by their text with names, or by their key. Recall has one for each combination of filters. */
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

const numbered = (named: string | ComposedStatement): Statement => {
  const key = typeof named === 'string' ? named : named.key
  const known = statements.get(key)
  if (known) return known
  const statement = numberParameters(typeof named === 'string' ? named : named.compose())
  if (statements.size === MAX_STATEMENTS) statements.clear()
  statements.set(key, statement)
  return statement
}

/**
 * Runs a statement with named parameters: `:ownerId` stands for `values.ownerId`. Named parameters let
 * independent parts compose a statement. Values that the text does not name are ignored.
 */
export const namedQuery = <T = Record<string, unknown>>(
  query: Query,
  named: string | ComposedStatement,
  values: Record<string, unknown>,
): Promise<T[]> => {
  const { text, names } = numbered(named)
  const params = names.map((name) => {
    if (!(name in values)) throw new Error(`The statement has no value for :${name}`)
    return values[name]
  })
  return query<T>(text, params)
}

/** SQL for a value of a JSON object as jsonb_to_recordset reads it. */
const fieldOf = (name: string, type: string): string => {
  if (type === 'jsonb') return `nullif(r.value->'${name}', 'null')`
  if (type.endsWith('[]'))
    return `array(select jsonb_array_elements_text(r.value->'${name}'))::${type}`
  return `(r.value->>'${name}')::${type}`
}

/**
 * SQL that selects the rows of a JSON array of objects. Statements that write use it and not
 * jsonb_to_recordset, whose column definitions Citus loses when it plans the parts of a statement.
 * @param json an expression of type jsonb.
 * @param columns the types of the columns by name. An array must not be null.
 */
export const jsonRows = (json: string, columns: Record<string, string>): string => {
  const values = Object.entries(columns).map(([name, type]) => `${fieldOf(name, type)} as ${name}`)
  // The offset keeps each value computed once.
  return `(select ${values.join(', ')} from jsonb_array_elements(${json}) r offset 0)`
}
