import { type ListResponse, SCIM_PATH } from '../../../shared/contract/scim.ts'
import {
  type Attribute,
  GROUP_ATTRIBUTES,
  type ScimAttributes,
  USER_ATTRIBUTES,
} from './documents.ts'
import { ScimError } from './errors.ts'
import { attributePath } from './filter.ts'
import type { ScimActor } from './tokens.ts'
import type { ScimPage } from './users-store.ts'

/** Resources of a page. */
export const MAX_PAGE = 200

/** The two types of resources (RFC 7643, section 6). */
export const TYPES = {
  User: {
    name: 'User',
    schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
    endpoint: '/Users',
    description: 'A user of the organization',
    attributes: USER_ATTRIBUTES,
  },
  Group: {
    name: 'Group',
    schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
    endpoint: '/Groups',
    description: 'A group of users; it gives no rights',
    attributes: GROUP_ATTRIBUTES,
  },
} as const
export type ResourceType = keyof typeof TYPES

interface Stored {
  id: string
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A weak ETag (RFC 7644, section 3.14). */
export const etagOf = ({ version }: Pick<Stored, 'version'>): string => `W/"${version}"`

/** The value of `If-Match`. */
export type Precondition = string | null

/** @throws ScimError 412 for a resource of another version. */
export const checkMatch = (row: Pick<Stored, 'version'>, match: Precondition): void => {
  if (match !== null && !namesEtag(match, etagOf(row)))
    throw new ScimError(412, 'The resource has another version than If-Match names')
}

/** Whether a header names the version of a resource, by weak comparison (RFC 9110, section 8.8.3.2). */
export const namesEtag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => {
    const text = tag.trim()
    return text === '*' || text.replace(/^W\//, '') === etag.slice(2)
  })

/** The resources of one type that an identity provider manages. Each throws ScimError. */
export interface ScimResources {
  type: ResourceType
  /** @throws ScimError 400 `invalidFilter` for an attribute that cannot be filtered by. */
  list(actor: ScimActor, page: ScimPage): Promise<{ total: number; resources: Resource[] }>
  /** @throws ScimError 404. */
  read(actor: ScimActor, id: string): Promise<Resource>
  /** @throws ScimError 400 for wrong values, 402 without a seat, 409 for a name that is taken. */
  create(actor: ScimActor, body: unknown): Promise<Resource>
  /** @throws ScimError as `create`, 404, 412. */
  replace(actor: ScimActor, id: string, body: unknown, match: Precondition): Promise<Resource>
  /** @throws ScimError as `replace`. */
  patch(actor: ScimActor, id: string, body: unknown, match: Precondition): Promise<Resource>
  /** @throws ScimError 404, 409 for the last owner, 412. */
  delete(actor: ScimActor, id: string, match: Precondition): Promise<void>
}

export interface Resource {
  [attribute: string]: unknown
  id: string
  meta: Record<'resourceType' | 'created' | 'lastModified' | 'version' | 'location', string>
}

export const resourceOf = (
  type: ResourceType,
  row: Stored,
  document: ScimAttributes,
  baseUrl: string,
): Resource => ({
  schemas: [TYPES[type].schema],
  id: row.id,
  ...document,
  meta: {
    resourceType: type,
    created: row.createdAt.toISOString(),
    lastModified: row.updatedAt.toISOString(),
    version: etagOf(row),
    location: `${baseUrl}${SCIM_PATH}${TYPES[type].endpoint}/${row.id}`,
  },
})

/** The attributes that a client asks for (RFC 7644, section 3.9). */
export interface Projection {
  included: string[] | undefined
  excluded: string[]
}

/** Whether a response has the attribute. */
export const includes = ({ included, excluded }: Projection, name: string): boolean =>
  !excluded.includes(name) &&
  (!included || included.some((each) => each === name || each.startsWith(`${name}.`)))

const isNamed = (names: string[], path: string): boolean => names.includes(path.toLowerCase())

/** Keeps the requested attributes. `id` and `schemas` are always returned. */
export const project = (resource: Resource, { included, excluded }: Projection): object => {
  if (!included && excluded.length === 0) return resource
  const pick = (name: string, value: unknown): unknown => {
    if (isNamed(excluded, name)) return undefined
    if (!included || isNamed(included, name)) return withoutParts(name, value, excluded)
    return onlyParts(name, value, included)
  }
  const { id, schemas, ...others } = resource
  const picked = Object.entries(others).map(([name, value]) => [name, pick(name, value)])
  return {
    schemas,
    id,
    ...Object.fromEntries(picked.filter(([, value]) => value !== undefined)),
  }
}

const eachPart = (value: unknown, keep: (name: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((item) => eachPart(item, keep))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => keep(name)))
}

const withoutParts = (name: string, value: unknown, excluded: string[]): unknown =>
  eachPart(value, (part) => !isNamed(excluded, `${name}.${part}`))

const onlyParts = (name: string, value: unknown, included: string[]): unknown => {
  const prefix = `${name.toLowerCase()}.`
  if (!included.some((each) => each.startsWith(prefix))) return undefined
  return eachPart(value, (part) => isNamed(included, `${name}.${part}`))
}

/** Names in lower case, without the URN of their schema. */
export const readNames = (names: string[]): string[] =>
  names.map((name) => attributePath(name.trim())).filter(Boolean)

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const listResponse = (
  resources: object[],
  { total, startIndex }: { total: number; startIndex: number },
): ListResponse => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources as ListResponse['Resources'],
})

/** RFC 7643, section 5. */
export const serviceProviderConfig = (baseUrl: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A SCIM token of the organization in the header Authorization, after Bearer',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: `${baseUrl}${SCIM_PATH}/ServiceProviderConfig`,
  },
})

/** A document that describes what the server offers. */
export interface Discovered {
  id: string
}

export const resourceTypes = (baseUrl: string): Discovered[] =>
  Object.values(TYPES).map(({ name, schema, endpoint, description }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    schema,
    endpoint,
    description,
    schemaExtensions: [],
    meta: {
      resourceType: 'ResourceType',
      location: `${baseUrl}${SCIM_PATH}/ResourceTypes/${name}`,
    },
  }))

export const schemaDocuments = (baseUrl: string): Discovered[] =>
  Object.values(TYPES).map(({ name, schema, description, attributes }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: schema,
    name,
    description,
    attributes: attributes.map(describe),
    meta: { resourceType: 'Schema', location: `${baseUrl}${SCIM_PATH}/Schemas/${schema}` },
  }))

/** RFC 7643, section 7. */
const describe = ({
  name,
  kind,
  description,
  isRequired,
  isCaseExact,
  subs,
}: Attribute): object => ({
  name,
  type: { text: 'string', boolean: 'boolean', complex: 'complex', list: 'complex' }[kind],
  multiValued: kind === 'list',
  description,
  required: isRequired ?? false,
  ...(kind === 'text' && { caseExact: isCaseExact ?? false }),
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: isRequired ? 'server' : 'none',
  ...(subs && { subAttributes: subs.map(describe) }),
})
