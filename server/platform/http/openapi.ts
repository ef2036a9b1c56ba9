import type { TObject, TSchema } from '@sinclair/typebox'
import type { OpenAPIV3 } from 'openapi-types'
import {
  type Credential,
  type Endpoint,
  isStream,
  type Stream,
} from '../../../shared/contract/endpoint.ts'
import { errorBodies } from '../../../shared/errors.ts'

/** Describes the rows of the contract as OpenAPI 3 (contract, section 9: version 1.0.0). */
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
        description: 'The same as `bearer`, where a browser’s EventSource cannot send headers.',
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
    ...(row.protocol?.about && { description: row.protocol.about }),
    security: [...SECURITY[row.credential], ...(takesQueryToken(row) ? [{ queryToken: [] }] : [])],
    parameters: [
      ...parametersOf(row.params, 'path'),
      ...parametersOf(row.query, 'query'),
      ...(row.credential === 'bearer' ? [ORG_HEADER] : []),
      ...(takesHeaders(row) ? [TIMEZONE_HEADER] : []),
    ],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      [status]: withStream(answerOf(row), row.streamed?.stream),
      ...Object.fromEntries(
        errorsOf(row).map((error) => [error, errorResponse(error, row.errorBodies[error])]),
      ),
    },
  }
}

const JSON_TYPE = 'application/json'

const answerOf = ({ success: [, success], protocol }: Endpoint): OpenAPIV3.ResponseObject => {
  if (!success) return { description: 'Success, without a body' }
  if (!isStream(success)) {
    const type = protocol?.answer ?? JSON_TYPE
    return { description: 'Success', content: { [type]: { schema: plain(success) } } }
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
        content: { ...response.content, [stream.type]: { schema: plain(stream.part) } },
      }
    : response

const takesQueryToken = ({
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
  if (body) return { [protocol?.body ?? JSON_TYPE]: { schema: plain(body) } }
  const field = upload?.field ?? file?.field
  if (!field) return undefined
  return {
    ...Object.fromEntries((file?.types ?? []).map((type) => [type, { schema: BYTES }])),
    'multipart/form-data': {
      schema: { type: 'object', properties: { [field]: BYTES }, required: [field] },
    },
  }
}

const SECURITY: Record<Credential, OpenAPIV3.SecurityRequirementObject[]> = {
  none: [],
  bearer: [{ bearer: [] }, { apiKey: [] }],
  jwt: [{ bearer: [] }],
  session: [{ bearer: [] }, { cookie: [] }],
  cookie: [{ cookie: [] }],
  browser: [{ cookie: [] }],
}

/** The statuses that follow from what a row declares, unless another protocol says them, and those it names. */
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

const errorResponse = (status: number, own: TSchema | undefined): OpenAPIV3.ResponseObject => {
  const usual = errorBodies[status]
  const { description = 'Error' } = usual ?? {}
  const schema = own ?? usual?.schema
  return {
    description,
    ...(schema && { content: { 'application/json': { schema: plain(schema) } } }),
  }
}

const fieldsOf = (schema: TObject) => Object.entries(schema.properties)

const ORG_HEADER: OpenAPIV3.ParameterObject = {
  name: 'X-Org-ID',
  in: 'header',
  description:
    'The organization to act in; without it the active one with an access token, none with an API key. A key of an organization acts in that one whatever this says.',
  schema: { type: 'string', format: 'uuid' },
}

/** Whether the caller may be known by a header, with which they say where they are. */
const takesHeaders = ({ credential }: Endpoint): boolean =>
  credential === 'bearer' || credential === 'jwt' || credential === 'session'

const TIMEZONE_HEADER: OpenAPIV3.ParameterObject = {
  name: 'X-Timezone',
  in: 'header',
  description:
    'The time zone that the person is in, by its name in the IANA database. It is kept until another is named, and their days and hours are read in it; UTC at first. What is no such name is ignored.',
  schema: { type: 'string', example: 'Europe/Berlin' },
}

const parametersOf = (schema: TObject, place: 'path' | 'query'): OpenAPIV3.ParameterObject[] =>
  fieldsOf(schema).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || isRequired(schema, name, field),
    schema: plain(field),
    ...(field.description && { description: field.description }),
  }))

const isRequired = (schema: TObject, name: string, field: TSchema) =>
  (schema.required ?? []).includes(name) && !('default' in field)

/**
 * A TypeBox schema is JSON Schema already, save that OpenAPI 3.0 says null in its own way, that a
 * field with a default may be left out, that there is one example, and that `trim` is ours.
 */
const plain = (schema: TSchema): OpenAPIV3.SchemaObject => {
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
  if (items) return { ...rest, type: 'array', items: plain(items as TSchema) }
  if (!properties) return rest as OpenAPIV3.SchemaObject
  const needed = ((required ?? []) as string[]).filter((name) => !('default' in properties[name]))
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties as Record<string, TSchema>).map(([name, field]) => [
        name,
        plain(field),
      ]),
    ),
    ...(needed.length && { required: needed }),
  }
}

const union = (variants: TSchema[], rest: object): OpenAPIV3.SchemaObject => {
  const forms = variants.filter((variant) => variant.type !== 'null')
  const nullable = forms.length < variants.length && { nullable: true }
  const literals = forms.map((variant) => variant.const)
  if (literals.every((literal) => literal !== undefined))
    return { ...rest, ...nullable, type: 'string', enum: literals }
  if (forms.length === 1 && forms[0]) return { ...plain(forms[0]), ...rest, ...nullable }
  return { ...rest, ...nullable, anyOf: forms.map(plain) }
}
