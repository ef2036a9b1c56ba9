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
