import { badRequest } from './errors.ts'
import type { Complex, ScimAttributes, Simple } from './table.ts'

export type { Complex, ScimAttributes, Simple }

/** An attribute that is stored. */
export interface Attribute {
  name: string
  kind: 'text' | 'boolean' | 'complex' | 'list'
  description: string
  isRequired?: boolean
  /** Whether texts of another case differ. */
  isCaseExact?: boolean
  subs?: readonly Attribute[]
  /** The maximum number of values of a list. */
  max?: number
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  kind: 'text',
  description,
  ...more,
})

const externalId = text('externalId', 'The id of the resource at the identity provider.', {
  isCaseExact: true,
})

/** The attributes of users (RFC 7643, section 4.1). Others are accepted and not stored. */
export const USER_ATTRIBUTES: readonly Attribute[] = [
  text('userName', 'Unique in the organization.', { isRequired: true }),
  externalId,
  text('displayName', 'The name that others see.'),
  text('title', 'The position of the user.'),
  { name: 'active', kind: 'boolean', description: 'Whether the user may use the organization.' },
  {
    name: 'name',
    kind: 'complex',
    description: 'The parts of the name.',
    subs: [
      text('formatted', 'The whole name.'),
      text('familyName', 'The last name.'),
      text('givenName', 'The first name.'),
      text('middleName', 'The middle name.'),
      text('honorificPrefix', 'Such as Dr.'),
      text('honorificSuffix', 'Such as III.'),
    ],
  },
  {
    name: 'emails',
    kind: 'list',
    description: 'The primary one is that of the account.',
    max: 20,
    subs: [
      text('value', 'The address.'),
      text('type', 'Such as work.'),
      text('display', 'The address as it is shown.'),
      { name: 'primary', kind: 'boolean', description: 'Whether it is the primary address.' },
    ],
  },
]

/** The attributes of groups (RFC 7643, section 4.2). */
export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  text('displayName', 'Unique in the organization.', { isRequired: true }),
  externalId,
  {
    name: 'members',
    kind: 'list',
    description: 'Users of the organization.',
    max: 10_000,
    subs: [
      text('value', 'The id of the user.', { isCaseExact: true }),
      text('display', 'The userName.'),
    ],
  },
]

const MAX_TEXT = 255

export const findAttribute = (
  attributes: readonly Attribute[],
  name: string,
): Attribute | undefined =>
  attributes.find((attribute) => attribute.name.toLowerCase() === name.toLowerCase())

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a value of an attribute. An empty list, text and object are the same as null.
 * @returns undefined for no value.
 * @throws ScimError 400 `invalidValue`.
 */
export const readValue = (
  attribute: Attribute,
  value: unknown,
): Simple | Complex | Complex[] | undefined => {
  if (value === null || value === undefined || value === '') return undefined
  if (attribute.kind === 'list') {
    const items: unknown[] = Array.isArray(value) ? value : [value]
    if (items.length > (attribute.max ?? 0))
      throw invalid(attribute, `has more than ${attribute.max} values`)
    const list = items
      .map((item) => readComplex(attribute, item))
      .filter((item) => item !== undefined)
    return list.length ? list : undefined
  }
  if (attribute.kind === 'complex') return readComplex(attribute, value)
  return readSimple(attribute, value)
}

/**
 * Entra ID sends a single value also as `[{"$ref": null, "value": "False"}]`.
 * @throws ScimError 400 `invalidValue`.
 */
export const readSimple = (attribute: Attribute, sent: unknown): Simple | undefined => {
  const [only, ...others] = Array.isArray(sent) ? sent : [sent]
  if (others.length > 0) throw invalid(attribute, 'should be one value')
  const value = isObject(only) && 'value' in only ? only.value : only
  if (value === null || value === undefined || value === '') return undefined
  if (attribute.kind === 'boolean') {
    // Entra ID sends texts such as "False".
    const flag = typeof value === 'string' ? value.toLowerCase() : String(value)
    if (flag !== 'true' && flag !== 'false') throw invalid(attribute, 'should be true or false')
    return flag === 'true'
  }
  if (typeof value !== 'string') throw invalid(attribute, 'should be a text')
  if (value.length > MAX_TEXT) throw invalid(attribute, `is longer than ${MAX_TEXT} characters`)
  return value
}

/** @throws ScimError 400 `invalidValue`. */
export const readComplex = (attribute: Attribute, value: unknown): Complex | undefined => {
  if (!isObject(value)) throw invalid(attribute, 'should be an object')
  const result: Complex = {}
  for (const [key, part] of Object.entries(value)) {
    const sub = findAttribute(attribute.subs ?? [], key)
    const read = sub && readSimple(sub, part)
    if (sub && read !== undefined) result[sub.name] = read
  }
  return Object.keys(result).length ? result : undefined
}

/**
 * Reads the body of a resource. Attributes that are not stored are ignored.
 * @throws ScimError 400 `invalidSyntax` for a body that is no object, `invalidValue` for wrong values.
 */
export const readDocument = (attributes: readonly Attribute[], body: unknown): ScimAttributes => {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body should be a JSON object')
  const document: ScimAttributes = {}
  for (const [key, value] of Object.entries(body)) {
    const attribute = findAttribute(attributes, key)
    const read = attribute && readValue(attribute, value)
    if (attribute && read !== undefined) document[attribute.name] = read
  }
  return document
}

/** @throws ScimError 400 `invalidValue` without a required attribute. */
export const checkRequired = (attributes: readonly Attribute[], document: ScimAttributes): void => {
  for (const attribute of attributes)
    if (attribute.isRequired && document[attribute.name] === undefined)
      throw invalid(attribute, 'is required')
}

const invalid = ({ name }: Attribute, problem: string) =>
  badRequest('invalidValue', `${name} ${problem}`)

export const textOf = (document: ScimAttributes, name: string): string | undefined => {
  const value = document[name]
  return typeof value === 'string' ? value : undefined
}

export const listOf = (document: ScimAttributes, name: string): Complex[] => {
  const value = document[name]
  return Array.isArray(value) ? value : []
}
