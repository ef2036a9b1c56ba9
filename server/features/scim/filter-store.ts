import { type SQL, sql } from 'drizzle-orm'
import { parseInstant } from '../../../shared/contract/common.ts'
import { badRequest } from './errors.ts'
import type { Comparison, Filter, Literal } from './filter.ts'
import { scimGroupMembers, scimGroups, scimUsers } from './table.ts'

/** A column, or a part of a JSON column, that filters compare. */
type Field =
  | { type: 'text' | 'exact' | 'instant' | 'boolean'; value: SQL }
  /** The rows of `from` that belong to a resource; `value` is the field of a path without a sub-attribute. */
  | { type: 'list'; from: SQL; fields: Fields }
type Fields = ReadonlyMap<string, Field>

const text = (value: SQL): Field => ({ type: 'text', value })
const exact = (value: SQL): Field => ({ type: 'exact', value })
const instant = (value: SQL): Field => ({ type: 'instant', value })

const attribute = (...path: string[]) =>
  text(sql`${scimUsers.attributes} #>> ${sql.raw(`'{${path.join(',')}}'`)}`)

const EMAIL_FIELDS: Fields = new Map([
  ['value', text(sql`e ->> 'value'`)],
  ['type', text(sql`e ->> 'type'`)],
  ['display', text(sql`e ->> 'display'`)],
  ['primary', { type: 'boolean', value: sql`(e ->> 'primary')::boolean` }],
])

/** The fields that filters of users compare. */
export const USER_FIELDS: Fields = new Map<string, Field>([
  ['id', exact(sql`${scimUsers.id}::text`)],
  ['username', text(sql`${scimUsers.userName}`)],
  ['externalid', exact(sql`${scimUsers.externalId}`)],
  ['active', { type: 'boolean', value: sql`${scimUsers.isActive}` }],
  ['displayname', attribute('displayName')],
  ['title', attribute('title')],
  ['name.formatted', attribute('name', 'formatted')],
  ['name.familyname', attribute('name', 'familyName')],
  ['name.givenname', attribute('name', 'givenName')],
  [
    'emails',
    {
      type: 'list',
      from: sql`jsonb_array_elements(coalesce(${scimUsers.attributes} -> 'emails', '[]')) e where true`,
      fields: EMAIL_FIELDS,
    },
  ],
  ['meta.created', instant(sql`${scimUsers.createdAt}`)],
  ['meta.lastmodified', instant(sql`${scimUsers.updatedAt}`)],
])

/** The fields that filters of groups compare. */
export const GROUP_FIELDS: Fields = new Map<string, Field>([
  ['id', exact(sql`${scimGroups.id}::text`)],
  ['displayname', text(sql`${scimGroups.displayName}`)],
  ['externalid', exact(sql`${scimGroups.externalId}`)],
  [
    'members',
    {
      type: 'list',
      from: sql`${scimGroupMembers} gm where gm.group_id = ${scimGroups.id}`,
      fields: new Map([['value', exact(sql`gm.scim_user_id::text`)]]),
    },
  ],
  ['meta.created', instant(sql`${scimGroups.createdAt}`)],
  ['meta.lastmodified', instant(sql`${scimGroups.updatedAt}`)],
])

const invalid = (problem: string) => badRequest('invalidFilter', `Invalid filter: ${problem}`)

/**
 * The condition of a filter, which PostgreSQL evaluates: pages and totals are right without reading every
 * resource, and `userName eq` uses an index. Values are parameters.
 * @throws ScimError 400 `invalidFilter` for an attribute that has no field, and for a value of another type.
 */
export const conditionOf = (filter: Filter, fields: Fields): SQL => {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => conditionOf(each, fields))
      return sql`(${sql.join(parts, sql.raw(` ${filter.op} `))})`
    }
    case 'not':
      return sql`(${conditionOf(filter.filter, fields)}) is not true`
    case 'within': {
      const list = fields.get(filter.path)
      if (list?.type !== 'list')
        throw invalid('brackets follow an attribute without several values')
      return anyOf(list, conditionOf(filter.filter, list.fields))
    }
    default:
      return comparison(filter, fields)
  }
}

const anyOf = ({ from }: Extract<Field, { type: 'list' }>, condition: SQL): SQL =>
  sql`exists (select from ${from} and ${condition})`

const comparison = (
  filter: Extract<Filter, { path: string; op: Comparison | 'pr' }>,
  fields: Fields,
): SQL => {
  const field = fields.get(filter.path)
  if (field?.type === 'list')
    return anyOf(field, comparison({ ...filter, path: 'value' }, field.fields))
  if (field) return compareField(field, filter)
  const dot = filter.path.indexOf('.')
  const list = fields.get(filter.path.slice(0, dot))
  if (list?.type !== 'list') throw invalid('an attribute cannot be filtered by')
  return anyOf(list, comparison({ ...filter, path: filter.path.slice(dot + 1) }, list.fields))
}

const compareField = (
  field: Exclude<Field, { type: 'list' }>,
  filter: Extract<Filter, { path: string; op: Comparison | 'pr' }>,
): SQL => {
  const { type, value: column } = field
  if (filter.op === 'pr') return sql`${column} is not null`
  if (filter.value === null) {
    if (filter.op !== 'eq' && filter.op !== 'ne')
      throw invalid('null is compared with eq and ne only')
    return filter.op === 'eq' ? sql`${column} is null` : sql`${column} is not null`
  }
  if (type === 'boolean') return compareFlag(column, filter.op, filter.value)
  if (typeof filter.value !== 'string') throw invalid('a value should be a text')
  if (type === 'instant') return compareInstant(column, filter.op, filter.value)
  if (filter.value.includes('\0')) throw invalid('a value should have no NUL')
  return type === 'exact'
    ? compareText(sql`${column}`, filter.op, sql`${filter.value}::text`)
    : compareText(sql`lower(${column})`, filter.op, sql`lower(${filter.value}::text)`)
}

const compareFlag = (column: SQL, op: Comparison, value: Literal): SQL => {
  const flag = String(value).toLowerCase()
  if (flag !== 'true' && flag !== 'false') throw invalid('a value should be true or false')
  if (op !== 'eq' && op !== 'ne') throw invalid('true and false are compared with eq and ne only')
  const expected = (flag === 'true') === (op === 'eq')
  return sql`coalesce(${column}, false) = ${expected}`
}

const ORDER = { gt: '>', ge: '>=', lt: '<', le: '<=', eq: '=', ne: 'is distinct from' } as const

const compareInstant = (column: SQL, op: Comparison, value: string): SQL => {
  const at = parseInstant(value)
  if (!at) throw invalid('a value should be a date and time')
  if (op === 'co' || op === 'sw' || op === 'ew') throw invalid('a time has no parts')
  return sql`${column} ${sql.raw(ORDER[op])} ${at.toISOString()}::timestamptz`
}

const compareText = (column: SQL, op: Comparison, value: SQL): SQL => {
  switch (op) {
    case 'co':
      return sql`strpos(${column}, ${value}) > 0`
    case 'sw':
      return sql`starts_with(${column}, ${value})`
    case 'ew':
      return sql`right(${column}, length(${value})) = ${value}`
    default:
      return sql`${column} ${sql.raw(ORDER[op])} ${value}`
  }
}
