import type { TObject, TSchema } from '@sinclair/typebox'
import type { OpenAPIV3 } from 'openapi-types'
import {
  type CredentialRequirement,
  type Endpoint,
  isStream,
  type Stream,
} from '../../../shared/contract/endpoint.ts'
import { errorBodies } from '../../../shared/errors.ts'

/** Describes the endpoints of the contract in OpenAPI 3 (contract 9: version 1.0.0). */
export const describeApi = (rows: readonly Endpoint[], baseUrl: string) => ({
  info: {
    title: 'svc',
    version: '1.0.0',
    description: 'Accounts, memory and conversation for people and AI agents.',
  },
  servers: [{ url: baseUrl }],
  tags: [...new Set(rows.map(({ tag }) => tag))].map((name) => ({ name })),
  components: {
    securitySchemes: {
      bearer: {
        type: 'http' as const,
        scheme: 'bearer',
        description: 'An access token (JWT) or an API key (`svc_…`).',
      },
      apiKey: { type: 'apiKey' as const, in: 'header', name: 'X-API-Key' },
      cookie: { type: 'apiKey' as const, in: 'cookie', name: 'refresh_token' },
      queryToken: {
        type: 'apiKey' as const,
        in: 'query',
        name: 'token',
        description:
          'An access token, for clients that cannot send headers such as a browser’s EventSource. API keys are not accepted here.',
      },
    },
  },
  paths: pathsOf(rows),
})

const pathsOf = (rows: readonly Endpoint[]): OpenAPIV3.PathsObject => {
  const paths: Record<string, Record<string, OpenAPIV3.OperationObject>> = {}
  for (const row of rows) {
    paths[row.path] ??= {}
    Object.assign(paths[row.path] as object, { [row.method.toLowerCase()]: operationOf(row) })
  }
  return paths as OpenAPIV3.PathsObject
}

const operationOf = (row: Endpoint): OpenAPIV3.OperationObject => {
  const [status] = row.success
  const body = contentOf(row)
  return {
    operationId: row.name,
    tags: [row.tag],
    summary: row.summary,
    description: descriptionOf(row),
    security: [
      ...SECURITY[row.credential],
      ...(acceptsQueryToken(row) ? [{ queryToken: [] }] : []),
    ],
    parameters: [
      ...parametersOf(row.params, 'path'),
      ...parametersOf(row.query, 'query'),
      ...(row.credential === 'bearer' ? [ORG_HEADER] : []),
      ...(acceptsHeaders(row) ? [TIMEZONE_HEADER] : []),
    ],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      [status]: withStream(successResponse(row), row.streamed?.stream),
      ...Object.fromEntries(
        errorsOf(row).map((error) => [error, errorResponse(error, row.errorBodies[error])]),
      ),
    },
  }
}

const CREDENTIALS: Record<CredentialRequirement, string> = {
  none: 'Public: it needs no credential.',
  bearer: 'It needs an access token or an API key.',
  jwt: 'It needs an access token; an API key is refused with 403.',
  session: 'It needs an access token or the refresh cookie.',
  cookie: 'It reads the refresh cookie, which browsers send from allowed origins only.',
  browser: 'It needs the refresh cookie of an active session, from an allowed origin.',
}

/** The summary with the requirements of the row, which clients otherwise learn from an error. */
const descriptionOf = (row: Endpoint): string =>
  [
    `${row.summary}.`,
    row.protocol?.about,
    CREDENTIALS[row.credential],
    row.adminOnly && 'Only admins may call it.',
    row.requiresVerifiedEmail && 'The email address of the caller must be verified.',
    row.authLimited &&
      'An address may send five such requests a minute, all sign-in paths together.',
    row.upload && `The file may have up to ${row.upload.maxBytes / 1024 / 1024} MB.`,
  ]
    .filter(Boolean)
    .join(' ')

const JSON_TYPE = 'application/json'

const successResponse = ({
  success: [, success],
  protocol,
}: Endpoint): OpenAPIV3.ResponseObject => {
  if (!success) return { description: 'Success, without a body' }
  if (!isStream(success)) {
    const type = protocol?.answer ?? JSON_TYPE
    return { description: 'Success', content: { [type]: { schema: toOpenApi(success) } } }
  }
  const { type } = success.stream
  const unit = type === 'text/event-stream' ? 'each event is one of these' : 'one of these a line'
  return withStream({ description: `Success: ${unit}` }, success.stream)
}

const withStream = (
  response: OpenAPIV3.ResponseObject,
  stream: Stream | undefined,
): OpenAPIV3.ResponseObject =>
  stream
    ? {
        ...response,
        content: { ...response.content, [stream.type]: { schema: toOpenApi(stream.part) } },
      }
    : response

const acceptsQueryToken = ({
  credential,
  success: [, success],
  streamed,
  protocol,
}: Endpoint): boolean => {
  const stream = isStream(success) ? success.stream : streamed?.stream
  return !protocol && credential === 'bearer' && stream?.type === 'text/event-stream'
}

const BYTES = { type: 'string', format: 'binary' } as const

const contentOf = ({
  body,
  upload,
  file,
  protocol,
}: Endpoint): OpenAPIV3.RequestBodyObject['content'] | undefined => {
  if (body) return { [protocol?.body ?? JSON_TYPE]: { schema: toOpenApi(body) } }
  const field = upload?.field ?? file?.field
  if (!field) return undefined
  return {
    ...Object.fromEntries((file?.types ?? []).map((type) => [type, { schema: BYTES }])),
    'multipart/form-data': {
      schema: { type: 'object', properties: { [field]: BYTES }, required: [field] },
    },
  }
}

const SECURITY: Record<CredentialRequirement, OpenAPIV3.SecurityRequirementObject[]> = {
  none: [],
  bearer: [{ bearer: [] }, { apiKey: [] }],
  jwt: [{ bearer: [] }],
  session: [{ bearer: [] }, { cookie: [] }],
  cookie: [{ cookie: [] }],
  browser: [{ cookie: [] }],
}

/** Returns the declared error statuses and, without a `protocol`, those that the row implies. */
const errorsOf = (row: Endpoint): number[] => {
  const statuses = new Set(row.errors)
  if (row.protocol) return [...statuses.add(500)].sort()
  if (row.credential !== 'none') statuses.add(401)
  if (row.credential === 'jwt' || row.requiresVerifiedEmail || row.adminOnly) statuses.add(403)
  if (row.body) statuses.add(413)
  if (row.upload || row.file) statuses.add(422)
  if (row.body || fieldsOf(row.params).length || fieldsOf(row.query).length) statuses.add(422)
  return [...statuses.add(500)].sort()
}

const errorResponse = (status: number, custom: TSchema | undefined): OpenAPIV3.ResponseObject => {
  const common = errorBodies[status]
  const { description = 'Error' } = common ?? {}
  const schema = custom ?? common?.schema
  return {
    description,
    ...(schema && { content: { 'application/json': { schema: toOpenApi(schema) } } }),
  }
}

const fieldsOf = (schema: TObject) => Object.entries(schema.properties)

const ORG_HEADER: OpenAPIV3.ParameterObject = {
  name: 'X-Org-ID',
  in: 'header',
  description:
    'The organization to act in. Default: the active organization with an access token, none with an API key. An API key of an organization ignores this header.',
  schema: { type: 'string', format: 'uuid' },
}

/** Whether the endpoint accepts a credential in a header, and so `X-Timezone`. */
const acceptsHeaders = ({ credential }: Endpoint): boolean =>
  credential === 'bearer' || credential === 'jwt' || credential === 'session'

const TIMEZONE_HEADER: OpenAPIV3.ParameterObject = {
  name: 'X-Timezone',
  in: 'header',
  description:
    'The IANA name of the user’s time zone, in which dates and times of day are interpreted. It is stored until another one is sent. Default: UTC. An unknown name is ignored.',
  schema: { type: 'string', example: 'Europe/Berlin' },
}

const parametersOf = (schema: TObject, place: 'path' | 'query'): OpenAPIV3.ParameterObject[] =>
  fieldsOf(schema).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || isRequired(schema, name, field),
    schema: toOpenApi(field),
    ...(field.description && { description: field.description }),
  }))

const isRequired = (schema: TObject, name: string, field: TSchema) =>
  (schema.required ?? []).includes(name) && !('default' in field)

/**
 * Converts a TypeBox schema to OpenAPI 3.0, which differs from JSON Schema: it has `nullable`, one example
 * and a single-value `enum` for a constant. Fields with a default are optional. `trim` and `badRequest`
 * are specific to svc.
 */
const toOpenApi = (schema: TSchema): OpenAPIV3.SchemaObject => {
  const {
    anyOf,
    properties,
    items,
    required,
    patternProperties,
    trim: _trim,
    badRequest: _badRequest,
    const: literal,
    examples,
    ...others
  } = schema
  const rest = { ...others, ...(examples && { example: (examples as unknown[])[0] }) }
  if (literal !== undefined) return { ...rest, enum: [literal] } as OpenAPIV3.SchemaObject
  if (schema.type === 'null') return { ...rest, type: 'object', nullable: true, enum: [null] }
  if (patternProperties) return { ...rest, additionalProperties: true } as OpenAPIV3.SchemaObject
  if (anyOf) return union(anyOf as TSchema[], rest)
  if (items) return { ...rest, type: 'array', items: toOpenApi(items as TSchema) }
  if (!properties) return rest as OpenAPIV3.SchemaObject
  const requiredNames = ((required ?? []) as string[]).filter(
    (name) => !('default' in properties[name]),
  )
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties as Record<string, TSchema>).map(([name, field]) => [
        name,
        toOpenApi(field),
      ]),
    ),
    ...(requiredNames.length && { required: requiredNames }),
  }
}

const union = (variants: TSchema[], rest: object): OpenAPIV3.SchemaObject => {
  const forms = variants.filter((variant) => variant.type !== 'null')
  const nullable = forms.length < variants.length && { nullable: true }
  const literals = forms.map((variant) => variant.const)
  if (literals.every((literal) => literal !== undefined))
    return { ...rest, ...nullable, type: 'string', enum: literals }
  if (forms.length === 1 && forms[0]) return { ...toOpenApi(forms[0]), ...rest, ...nullable }
  return { ...rest, ...nullable, anyOf: forms.map(toOpenApi) }
}
