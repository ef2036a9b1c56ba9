import { budgets } from '../../platform/budgets.ts'
import {
  type Attribute,
  type Complex,
  findAttribute,
  isObject,
  listOf,
  readComplex,
  readSimple,
  readValue,
  type ScimAttributes,
  type Simple,
} from './documents.ts'
import { badRequest } from './errors.ts'
import { type Filter, type Literal, type PatchPath, parsePath } from './filter.ts'

const { count: MAX_OPERATIONS } = budgets.scimPatch
/** Values of lists that the operations of a request read, each as often as a filter compares it. They take 0.3 s. */
const MAX_COMPARISONS = 2_000_000

/** Attributes of the schemas that are not stored. Identity providers send them by default. */
const IGNORED = new Set(
  `nickName profileUrl userType preferredLanguage locale timezone password phoneNumbers ims photos
  addresses entitlements roles x509Certificates`
    .toLowerCase()
    .split(/\s+/),
)
const READ_ONLY = new Set(['id', 'meta', 'schemas', 'groups'])
const EXTENSION = 'urn:'

interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: string | undefined
  value: unknown
}

/**
 * Applies a PATCH request (RFC 7644, section 3.5.2), with the deviations of Entra ID: operations in capital
 * letters, booleans as texts, paths as names of a value, and members in the value of a `remove`.
 * @returns a new document.
 * @throws ScimError 400.
 */
export const applyPatch = (
  attributes: readonly Attribute[],
  document: ScimAttributes,
  body: unknown,
): ScimAttributes => {
  const patched = structuredClone(document)
  const work: Work = { comparisons: 0 }
  for (const operation of readOperations(body)) applyOperation(attributes, patched, operation, work)
  return patched
}

const readOperations = (body: unknown): Operation[] => {
  const named = isObject(body)
    ? Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')
    : undefined
  const list = named?.[1]
  if (!Array.isArray(list) || list.length === 0)
    throw badRequest('invalidSyntax', 'Operations should be a list')
  if (list.length > MAX_OPERATIONS)
    throw badRequest('invalidSyntax', `Operations has more than ${MAX_OPERATIONS} items`)
  return list.map((item: unknown): Operation => {
    if (!isObject(item)) throw badRequest('invalidSyntax', 'An operation should be an object')
    const op = typeof item.op === 'string' ? item.op.toLowerCase() : ''
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw badRequest('invalidSyntax', 'op should be add, replace or remove')
    if (item.path !== undefined && item.path !== null && typeof item.path !== 'string')
      throw badRequest('invalidPath', 'path should be a text')
    return { op, path: item.path || undefined, value: item.value }
  })
}

const applyOperation = (
  attributes: readonly Attribute[],
  document: ScimAttributes,
  { op, path, value }: Operation,
  work: Work,
): void => {
  if (path !== undefined) {
    const target = parsePath(path)
    const attribute = findAttribute(attributes, target.attribute)
    if (attribute) applyAt(document, attribute, { op, target, value, work })
    else if (READ_ONLY.has(target.attribute))
      throw badRequest('mutability', `${target.attribute} is read-only`)
    else if (!IGNORED.has(target.attribute) && !target.attribute.startsWith(EXTENSION))
      throw badRequest('invalidPath', 'The path names no attribute of the schema')
    return
  }
  if (op === 'remove') throw badRequest('noTarget', 'remove needs a path')
  if (!isObject(value))
    throw badRequest('invalidValue', 'Without a path, value should be an object')
  for (const [name, part] of Object.entries(value)) {
    // As in a whole resource, other attributes are ignored.
    if (name.toLowerCase().startsWith(EXTENSION) && !/:core:2\.0:/i.test(name)) continue
    const target = parsePath(name)
    const attribute = findAttribute(attributes, target.attribute)
    if (attribute) applyAt(document, attribute, { op, target, value: part, work })
  }
}

/** The work of a request so far. */
interface Work {
  comparisons: number
}

interface Change {
  op: Operation['op']
  target: PatchPath
  value: unknown
  work: Work
}

const applyAt = (document: ScimAttributes, attribute: Attribute, change: Change): void => {
  const { op, target, value } = change
  const { name, kind } = attribute
  if (kind === 'list') {
    setOrDelete(document, name, changeList(document, attribute, change))
    return
  }
  if (target.filter || (target.sub && kind !== 'complex'))
    throw badRequest('invalidPath', `${name} has no such part`)
  if (kind !== 'complex' || (op === 'remove' && !target.sub)) {
    setOrDelete(document, name, op === 'remove' ? undefined : readValue(attribute, value))
    return
  }
  const current = document[name]
  const complex: Complex = isObject(current) ? { ...(current as Complex) } : {}
  if (target.sub) changeSub(complex, attribute, change)
  else Object.assign(complex, readValue(attribute, value))
  setOrDelete(document, name, Object.keys(complex).length ? complex : undefined)
}

const setOrDelete = (
  document: ScimAttributes,
  name: string,
  value: ScimAttributes[string] | undefined,
) => {
  if (value === undefined) delete document[name]
  else document[name] = value
}

/** Sets or removes a sub-attribute. */
const changeSub = (complex: Complex, attribute: Attribute, { op, target, value }: Change): void => {
  const sub = subOf(attribute, target.sub ?? '')
  const read = op === 'remove' ? undefined : readSimple(sub, value)
  if (read === undefined) delete complex[sub.name]
  else complex[sub.name] = read
}

const subOf = (attribute: Attribute, name: string): Attribute => {
  const sub = findAttribute(attribute.subs ?? [], name)
  if (!sub) throw badRequest('invalidPath', `${attribute.name} has no such sub-attribute`)
  return sub
}

/** @returns the new values; undefined for none. */
const changeList = (
  document: ScimAttributes,
  attribute: Attribute,
  change: Change,
): Complex[] | undefined => {
  const { op, target, value, work } = change
  const list = listOf(document, attribute.name)
  work.comparisons += list.length * (target.filter ? comparisonsOf(target.filter) : 1)
  if (work.comparisons > MAX_COMPARISONS)
    throw badRequest('tooMany', 'The operations compare too many values; send fewer at once')
  const changed =
    target.filter || target.sub
      ? changeMatching(list, attribute, change)
      : changeWhole(list, op, (readValue(attribute, value) ?? []) as Complex[])
  if (changed.length > (attribute.max ?? 0))
    throw badRequest('invalidValue', `${attribute.name} has more than ${attribute.max} values`)
  return changed.length ? changed : undefined
}

const changeWhole = (list: Complex[], op: Operation['op'], values: Complex[]): Complex[] => {
  const named = new Set(values.map(({ value }) => value))
  if (op === 'replace') return onePrimary(values, values)
  const others = list.filter(({ value }) => !named.has(value))
  if (op === 'remove') return named.size ? others : []
  return onePrimary([...others, ...values], values)
}

const changeMatching = (list: Complex[], attribute: Attribute, change: Change): Complex[] => {
  const { op, target, value } = change
  const { filter, sub } = target
  const isMatch = (item: Complex) => !filter || matches(attribute, filter, item)
  if (op === 'remove' && !sub) return list.filter((item) => !isMatch(item))
  const edit = (item: Complex): Complex => {
    const edited = { ...item }
    if (sub) changeSub(edited, attribute, change)
    else Object.assign(edited, readComplex(attribute, value))
    return edited
  }
  const matched = list.filter(isMatch)
  if (matched.length === 0 && op === 'replace')
    throw badRequest('noTarget', `No value of ${attribute.name} matches the path`)
  const created = matched.length === 0 && op === 'add' ? [edit(templateOf(attribute, filter))] : []
  const edited = new Map(matched.map((item) => [item, edit(item)]))
  const result = [...list.map((item) => edited.get(item) ?? item), ...created]
  return onePrimary(result, [...edited.values(), ...created])
}

/** A value that is added or set to be primary ends that of the others. */
const onePrimary = (list: Complex[], changed: Complex[]): Complex[] => {
  const primary = changed.findLast(({ primary }) => primary === true)
  if (!primary) return list
  return list.map((item) => {
    if (item === primary || item.primary !== true) return item
    const { primary: _ended, ...rest } = item
    return rest
  })
}

/** The value that `emails[type eq "work"]` adds where none matches. */
const templateOf = (attribute: Attribute, filter: Filter | undefined): Complex => {
  if (!filter) return {}
  if (filter.op !== 'eq') throw badRequest('noTarget', `No value of ${attribute.name} matches`)
  const sub = subOf(attribute, filter.path)
  const value = readSimple(sub, filter.value)
  return value === undefined ? {} : { [sub.name]: value }
}

const comparisonsOf = (filter: Filter): number => {
  if ('filters' in filter) return filter.filters.reduce((sum, each) => sum + comparisonsOf(each), 0)
  return 'filter' in filter ? comparisonsOf(filter.filter) : 1
}

/** Whether a value of a list fulfils the filter of a path. */
const matches = (attribute: Attribute, filter: Filter, item: Complex): boolean => {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((each) => matches(attribute, each, item))
    case 'or':
      return filter.filters.some((each) => matches(attribute, each, item))
    case 'not':
      return !matches(attribute, filter.filter, item)
    case 'within':
      throw badRequest('invalidPath', 'A filter of a path has no filter within')
    default: {
      const sub = subOf(attribute, filter.path)
      const value = item[sub.name]
      if (filter.op === 'pr') return value !== undefined
      return compare(filter.op, folded(sub, value), folded(sub, filter.value))
    }
  }
}

const folded = (sub: Attribute, value: Simple | Literal | undefined): string =>
  sub.isCaseExact ? String(value ?? '') : String(value ?? '').toLowerCase()

const compare = (op: string, a: string, b: string): boolean => {
  switch (op) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'co':
      return a.includes(b)
    case 'sw':
      return a.startsWith(b)
    case 'ew':
      return a.endsWith(b)
    case 'gt':
      return a > b
    case 'ge':
      return a >= b
    case 'lt':
      return a < b
    default:
      return a <= b
  }
}
