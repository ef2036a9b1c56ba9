import type { TObject, TSchema } from '@sinclair/typebox'
import type { OpenAPIV3 } from 'openapi-types'
import {
  type CredentialRequirement,
  type Endpoint,
  isStream,
} from '../../../../shared/contract/endpoint.ts'
import {
  describeErrors,
  errorResponse,
  errorsOf,
  requestContent,
  successResponse,
} from './responses.ts'
import { namedSchemas, toOpenApi } from './schema.ts'

/**
 * Describes the endpoints of the contract in OpenAPI 3 (contract 9: version 1.0.0). The first request for it
 * waits for the paths and schemas, and not the start of the server.
 */
export const describeApi = (rows: readonly Endpoint[], baseUrl: string) => {
  let described: ReturnType<typeof describeRows> | undefined
  const describe = () => {
    described ??= describeRows(rows)
    return described
  }
  return {
    ...about(rows, baseUrl),
    get paths() {
      return describe().paths
    },
    get components() {
      return describe().components
    },
  }
}

const describeRows = (rows: readonly Endpoint[]) => {
  const paths = pathsOf(rows)
  return { paths, components: { securitySchemes, schemas: namedSchemas() } }
}

const about = (rows: readonly Endpoint[], baseUrl: string) => ({
  info: {
    title: 'svc',
    version: '1.0.0',
    description: 'Accounts, memory and conversation for people and AI agents.',
  },
  servers: [{ url: baseUrl }],
  tags: [...new Set(rows.map(({ tag }) => tag))].map((name) => ({ name })),
})

const securitySchemes = {
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
}

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
  const content = requestContent(row)
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
      ...(row.signedBy ? [signatureHeader(row.signedBy)] : []),
    ],
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      [status]: successResponse(row),
      ...Object.fromEntries(
        Object.entries(errorsOf(row)).map(([error, reasons]) => [
          error,
          errorResponse(Number(error), reasons, row.errorBodies[Number(error)]),
        ]),
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

/** The summary, the requirements of the row, and when it fails. */
const descriptionOf = (row: Endpoint): string => {
  const text = [
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
  const errors = describeErrors(row)
  return errors ? `${text}\n\nFails with:\n\n${errors}` : text
}

const SECURITY: Record<CredentialRequirement, OpenAPIV3.SecurityRequirementObject[]> = {
  none: [],
  bearer: [{ bearer: [] }, { apiKey: [] }],
  jwt: [{ bearer: [] }],
  session: [{ bearer: [] }, { cookie: [] }],
  cookie: [{ cookie: [] }],
  browser: [{ cookie: [] }],
}

const acceptsQueryToken = ({
  credential,
  success: [, success],
  streamed,
  protocol,
}: Endpoint): boolean => {
  const stream = isStream(success) ? success.stream : streamed?.stream
  return !protocol && credential === 'bearer' && stream?.type === 'text/event-stream'
}

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

const signatureHeader = (name: string): OpenAPIV3.ParameterObject => ({
  name,
  in: 'header',
  required: true,
  description: 'The signature of the body.',
  schema: { type: 'string' },
})

const parametersOf = (schema: TObject, location: 'path' | 'query'): OpenAPIV3.ParameterObject[] =>
  Object.entries(schema.properties).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || isRequired(schema, name, field),
    schema: toOpenApi(field),
    ...(field.description && { description: field.description }),
  }))

const isRequired = (schema: TObject, name: string, field: TSchema) =>
  (schema.required ?? []).includes(name) && !('default' in field)
