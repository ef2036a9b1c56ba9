import { setImmediate as yieldToRequests } from 'node:timers/promises'
import { isUuid } from '../../../shared/contract/common.ts'
import {
  createScimGroup,
  createScimUser,
  deleteScimGroup,
  deleteScimUser,
  getScimGroup,
  getScimUser,
  listScimGroups,
  listScimUsers,
  patchScimGroup,
  patchScimUser,
  replaceScimGroup,
  replaceScimUser,
  SCIM_TYPE,
  scimResourceType,
  scimResourceTypes,
  scimSchema,
  scimSchemas,
  scimServiceProviderConfig,
  searchScimGroups,
  searchScimUsers,
} from '../../../shared/contract/index.ts'
import { bearerToken } from '../../platform/http/guard.ts'
import { findUnstorable } from '../../platform/http/json.ts'
import { defineLimit, type Limiter, MINUTE_SECONDS } from '../../platform/http/limits.ts'
import type { MountRaw, RawCall, RawHandler } from '../../platform/http/mounts.ts'
import { queryOf } from '../../platform/http/url.ts'
import { isObject } from './documents.ts'
import { asScimError, badRequest, notFound } from './errors.ts'
import { parseFilter } from './filter.ts'
import {
  type Discovered,
  includes,
  listResponse,
  MAX_PAGE,
  namesEtag,
  type Projection,
  project,
  type Resource,
  readNames,
  resourceTypes,
  type ScimResources,
  schemaDocuments,
  serviceProviderConfig,
} from './resources.ts'
import type { ScimActor, ScimTokenService } from './tokens.ts'

/** An initial synchronization sends some requests a second for each user. */
export const scimRequests = defineLimit({
  name: 'scim_requests',
  per: 'text',
  points: 3_000,
  windowSeconds: MINUTE_SECONDS,
  exceeded: 'Too many SCIM requests',
})

interface ScimRouteDeps {
  tokens: Pick<ScimTokenService, 'authenticate'>
  limiter: Limiter
  users: ScimResources
  groups: ScimResources
  baseUrl: string
}

type Handler = (actor: ScimActor, call: RawCall) => Promise<Response> | Response

/** The endpoints that identity providers call (RFC 7644). */
export const scimRoutes = (mount: MountRaw, deps: ScimRouteDeps): void => {
  const { users, groups, baseUrl } = deps
  const on = (row: Parameters<MountRaw>[0], handle: Handler): void =>
    mount(row, authenticated(deps, handle))

  on(scimServiceProviderConfig, () => respond(serviceProviderConfig(baseUrl)))
  const discover = (documents: object[]) => () =>
    respond(listResponse(documents, { total: documents.length, startIndex: 1 }))
  on(scimResourceTypes, discover(resourceTypes(baseUrl)))
  on(scimSchemas, discover(schemaDocuments(baseUrl)))
  const find =
    (documents: readonly Discovered[]) =>
    (_actor: ScimActor, { params }: RawCall) => {
      const name = params.name?.toLowerCase()
      const document = documents.find(({ id }) => id.toLowerCase() === name)
      if (!document) throw notFound()
      return respond(document)
    }
  on(scimResourceType, find(resourceTypes(baseUrl)))
  on(scimSchema, find(schemaDocuments(baseUrl)))

  for (const [resources, rows] of [
    [users, [listScimUsers, searchScimUsers, createScimUser, getScimUser, replaceScimUser]],
    [groups, [listScimGroups, searchScimGroups, createScimGroup, getScimGroup, replaceScimGroup]],
  ] as const) {
    const [list, search, create, read, replace] = rows
    on(list, (actor, { request }) => respondList(resources, actor, fromQuery(request)))
    on(search, async (actor, call) => respondList(resources, actor, await readBody(call)))
    on(create, async (actor, call) => {
      const resource = await resources.create(actor, await readBody(call))
      return respondWith(resource, ALL, 201)
    })
    on(read, async (actor, { request, params }) => {
      const resource = await resources.read(actor, idOf(params))
      const known = request.headers.get('if-none-match')
      const headers = headersOf(resource)
      if (known !== null && namesEtag(known, resource.meta.version))
        return new Response(null, { status: 304, headers })
      return respondWith(resource, projectionOf(fromQuery(request)))
    })
    on(replace, async (actor, call) => {
      const body = await readBody(call)
      return respondWith(await resources.replace(actor, idOf(call.params), body, matchOf(call)))
    })
  }
  on(patchScimUser, async (actor, call) => respondWith(await patch(users, actor, call)))
  on(patchScimGroup, async (actor, call) => respondWith(await patch(groups, actor, call)))
  for (const [resources, row] of [
    [users, deleteScimUser],
    [groups, deleteScimGroup],
  ] as const)
    on(row, async (actor, call) => {
      await resources.delete(actor, idOf(call.params), matchOf(call))
      return new Response(null, { status: 204 })
    })
}

const authenticated =
  ({ tokens, limiter }: ScimRouteDeps, handle: Handler): RawHandler =>
  async (call) => {
    try {
      const token = bearerToken(call.request.headers.get('authorization'))
      const actor = await tokens.authenticate(token)
      await limiter.consume(scimRequests, actor.orgId)
      return await handle(actor, call)
    } catch (error) {
      throw asScimError(error)
    }
  }

const patch = async (resources: ScimResources, actor: ScimActor, call: RawCall) => {
  const body = await readBody(call)
  return resources.patch(actor, idOf(call.params), body, matchOf(call))
}

/** @throws ScimError 404 for a text that is no id of a resource, of any length. */
const idOf = ({ resource_id = '' }: RawCall['params']): string => {
  if (!isUuid(resource_id)) throw notFound()
  return resource_id.toLowerCase()
}

const matchOf = ({ request }: RawCall) => request.headers.get('if-match')

/** @throws ScimError 400 for a body that is no JSON object, or has texts that cannot be stored. */
const readBody = async (call: RawCall): Promise<Record<string, unknown>> => {
  const body = await call.json()
  if (!isObject(body)) throw badRequest('invalidSyntax', 'The body should be a JSON object')
  const problem = findUnstorable(body)
  if (problem) throw badRequest('invalidSyntax', problem.msg)
  // A large body is applied in one piece.
  await yieldToRequests()
  return body
}

const fromQuery = ({ url }: Request): Record<string, unknown> =>
  Object.fromEntries(queryOf(url) ?? [])

const respondList = async (
  resources: ScimResources,
  actor: ScimActor,
  input: Record<string, unknown>,
): Promise<Response> => {
  const startIndex = Math.max(1, integerOf(input, 'startIndex') ?? 1)
  const count = Math.max(0, integerOf(input, 'count') ?? DEFAULT_PAGE)
  const filter = input.filter === undefined ? undefined : parseFilter(textOf(input, 'filter'))
  const projection = projectionOf(input)
  const { total, resources: found } = await resources.list(actor, {
    filter,
    offset: startIndex - 1,
    limit: Math.min(count, MAX_PAGE),
    withoutMembers: !includes(projection, 'members'),
  })
  const page = found.map((resource) => project(resource, projection))
  return respond(listResponse(page, { total, startIndex }))
}

const DEFAULT_PAGE = 100
const MAX_INDEX = 1_000_000_000

const textOf = (input: Record<string, unknown>, name: string): string => {
  const value = input[name]
  if (typeof value !== 'string') throw badRequest('invalidValue', `${name} should be a text`)
  return value
}

const integerOf = (input: Record<string, unknown>, name: string): number | undefined => {
  const value = input[name]
  if (value === undefined) return undefined
  const number = typeof value === 'string' && value.trim() ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number))
    throw badRequest('invalidValue', `${name} should be an integer`)
  return Math.min(number, MAX_INDEX)
}

const ALL: Projection = { included: undefined, excluded: [] }

const projectionOf = ({ attributes, excludedAttributes }: Record<string, unknown>): Projection => {
  const included = namesIn(attributes, 'attributes')
  return {
    included: included.length ? included : undefined,
    excluded: namesIn(excludedAttributes, 'excludedAttributes'),
  }
}

const MAX_NAMES = 100

const namesIn = (value: unknown, parameter: string): string[] => {
  const names = typeof value === 'string' ? value.split(',') : (value ?? [])
  if (!Array.isArray(names) || names.length > MAX_NAMES || names.some((n) => typeof n !== 'string'))
    throw badRequest('invalidValue', `${parameter} should be at most ${MAX_NAMES} names`)
  return readNames(names)
}

const headersOf = ({ meta }: Resource) => ({ etag: meta.version, location: meta.location })

const respondWith = (resource: Resource, projection = ALL, status = 200): Response =>
  respond(project(resource, projection), status, headersOf(resource))

const respond = (body: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': SCIM_TYPE, 'cache-control': 'no-store', ...headers },
  })
