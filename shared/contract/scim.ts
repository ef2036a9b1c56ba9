import { type Static, type TObject, Type } from '@sinclair/typebox'
import { AnyObject, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

/** SCIM 2.0 (RFC 7643, RFC 7644). The handlers validate requests: attributes are open and case-insensitive. */
export const SCIM_PATH = '/api/scim/v2'
export const SCIM_TYPE = 'application/scim+json'

const Schemas = Type.Array(Type.String())

/** An error response (RFC 7644, section 3.12). */
export const ScimErrorBody = Type.Object({
  schemas: Schemas,
  status: Type.String({ examples: ['404'] }),
  scimType: Type.Optional(Type.String({ examples: ['uniqueness'] })),
  detail: Type.String(),
})

const Meta = Type.Object({
  resourceType: Type.String(),
  created: Timestamp(),
  lastModified: Timestamp(),
  version: Type.String({ description: 'The ETag.', examples: ['W/"1"'] }),
  location: Type.String(),
})

const optional = (description: string) => Type.Optional(Type.String({ description }))

const UserInput = Type.Object(
  {
    schemas: Type.Optional(Schemas),
    userName: Type.String({ description: 'Unique in the organization.' }),
    externalId: optional('The id of the user at the identity provider.'),
    displayName: optional('The name that others see.'),
    title: optional('The position of the user.'),
    name: Type.Optional(AnyObject({ description: '`givenName`, `familyName`, `formatted`, …' })),
    emails: Type.Optional(
      Type.Array(AnyObject(), {
        description:
          'The primary one is the address of the account. Without any, it is the `userName`.',
      }),
    ),
    active: Type.Optional(
      Type.Boolean({ description: 'Whether the user may use the organization. Default: true.' }),
    ),
  },
  {
    examples: [
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: 'ada@example.com',
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ primary: true, value: 'ada@example.com', type: 'work' }],
        active: true,
      },
    ],
  },
)

const GroupInput = Type.Object(
  {
    schemas: Type.Optional(Schemas),
    displayName: Type.String({ description: 'Unique in the organization.' }),
    externalId: optional('The id of the group at the identity provider.'),
    members: Type.Optional(
      Type.Array(AnyObject(), { description: '`value` is the id of a user of SCIM.' }),
    ),
  },
  {
    examples: [
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName: 'Engineering',
        members: [],
      },
    ],
  },
)

const resourceOf = ({ properties }: TObject) =>
  Type.Object({ ...properties, schemas: Schemas, id: Uuid(), meta: Meta })

const PatchRequest = Type.Object(
  {
    schemas: Type.Optional(Schemas),
    Operations: Type.Array(AnyObject(), {
      description: '`op` (add, replace or remove), `path` and `value`.',
    }),
  },
  {
    examples: [
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'externalId', value: '00u1' }],
      },
    ],
  },
)

const attributeQuery = {
  attributes: optional('The attributes to return, with commas between.'),
  excludedAttributes: optional('The attributes to leave out, with commas between.'),
}

const ListQuery = Type.Object({
  filter: optional('Such as `userName eq "ada@example.com"`; up to 2,000 characters.'),
  startIndex: optional('The first resource of the page, from 1.'),
  count: optional('The size of the page: up to 200, 100 without it.'),
  ...attributeQuery,
})

const SearchRequest = Type.Object(
  {
    schemas: Type.Optional(Schemas),
    filter: ListQuery.properties.filter,
    startIndex: Type.Optional(Type.Integer()),
    count: Type.Optional(Type.Integer()),
    attributes: Type.Optional(Type.Array(Type.String())),
    excludedAttributes: Type.Optional(Type.Array(Type.String())),
  },
  {
    examples: [
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        filter: 'externalId eq "00u1"',
      },
    ],
  },
)

export const ListResponse = Type.Object({
  schemas: Schemas,
  totalResults: Type.Integer(),
  startIndex: Type.Integer(),
  itemsPerPage: Type.Integer(),
  Resources: Type.Array(AnyObject()),
})
export type ListResponse = Static<typeof ListResponse>

const ABOUT = 'SCIM 2.0 (RFC 7644). It needs a SCIM token of an organization as bearer token.'

const common = <const E extends readonly number[]>(errors: E, about = '') => ({
  tag: 'SCIM',
  credential: 'none' as const,
  protocol: { about: `${ABOUT}${about && ` ${about}`}`, body: SCIM_TYPE, answer: SCIM_TYPE },
  errors: [401, 429, ...errors],
  errorBodies: Object.fromEntries([401, 429, ...errors].map((each) => [each, ScimErrorBody])),
})

const discovery = <const P extends object>(
  name: string,
  path: string,
  what: string,
  more: P = {} as P,
) =>
  endpoint({
    ...common([]),
    name,
    method: 'GET' as const,
    path: `${SCIM_PATH}/${path}`,
    summary: `Get ${what}`,
    success: [200, AnyObject()],
    ...more,
  })

export const scimServiceProviderConfig = discovery(
  ...(['scimServiceProviderConfig', 'ServiceProviderConfig', 'what SCIM supports'] as const),
)
export const scimResourceTypes = discovery(
  ...(['scimResourceTypes', 'ResourceTypes', 'the types of SCIM resources'] as const),
)
export const scimSchemas = discovery(
  ...(['scimSchemas', 'Schemas', 'the attributes of SCIM resources'] as const),
)

const byName = (example: string) => ({
  ...common([404]),
  params: Type.Object({ name: Type.String({ examples: [example] }) }),
})
export const scimResourceType = discovery(
  ...(['scimResourceType', 'ResourceTypes/{name}', 'a type of SCIM resources'] as const),
  byName('User'),
)
export const scimSchema = discovery(
  ...(['scimSchema', 'Schemas/{name}', 'the attributes of a type of SCIM resources'] as const),
  byName('urn:ietf:params:scim:schemas:core:2.0:User'),
)

const resource_id = Type.String({ examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'] })

/** The endpoints of users, or of groups. */
const endpointsOf = <B extends TObject>(noun: 'User' | 'Group', Input: B) => {
  const path = `${SCIM_PATH}/${noun}s`
  const what = `a ${noun.toLowerCase()} of SCIM`
  const one = { path: `${path}/{resource_id}`, params: Type.Object({ resource_id }) }
  const Resource = resourceOf(Input)
  const matched = 'It honors `If-Match`.'
  return {
    list: endpoint({
      ...common([400]),
      name: `listScim${noun}s`,
      method: 'GET',
      path,
      query: ListQuery,
      summary: `List the ${noun.toLowerCase()}s of SCIM that match a filter`,
      success: [200, ListResponse],
    }),
    search: endpoint({
      ...common([400, 413]),
      name: `searchScim${noun}s`,
      method: 'POST',
      path: `${path}/.search`,
      summary: `List the ${noun.toLowerCase()}s of SCIM, with the filter in the body`,
      body: SearchRequest,
      success: [200, ListResponse],
    }),
    create: endpoint({
      ...common([400, 402, 409, 413]),
      name: `createScim${noun}`,
      method: 'POST',
      path,
      body: Input,
      summary: `Create ${what}`,
      success: [201, Resource],
    }),
    read: endpoint({
      ...common([400, 404], 'It honors `If-None-Match`.'),
      name: `getScim${noun}`,
      method: 'GET',
      ...one,
      query: Type.Object(attributeQuery),
      summary: `Get ${what}`,
      success: [200, Resource],
    }),
    replace: endpoint({
      ...common([400, 402, 404, 409, 412, 413], matched),
      name: `replaceScim${noun}`,
      method: 'PUT',
      ...one,
      body: Input,
      summary: `Replace ${what}`,
      success: [200, Resource],
    }),
    patch: endpoint({
      ...common([400, 402, 404, 409, 412, 413], matched),
      name: `patchScim${noun}`,
      method: 'PATCH',
      ...one,
      body: PatchRequest,
      summary: `Change ${what}`,
      success: [200, Resource],
    }),
    remove: endpoint({
      ...common([404, 409, 412], matched),
      name: `deleteScim${noun}`,
      method: 'DELETE',
      ...one,
      summary: `Delete ${what}`,
      success: [204, null],
    }),
  }
}

export const {
  list: listScimUsers,
  search: searchScimUsers,
  create: createScimUser,
  read: getScimUser,
  replace: replaceScimUser,
  patch: patchScimUser,
  remove: deleteScimUser,
} = endpointsOf('User', UserInput)

export const {
  list: listScimGroups,
  search: searchScimGroups,
  create: createScimGroup,
  read: getScimGroup,
  replace: replaceScimGroup,
  patch: patchScimGroup,
  remove: deleteScimGroup,
} = endpointsOf('Group', GroupInput)
