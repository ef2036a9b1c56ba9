import type { TSchema } from '@sinclair/typebox'
import type { OpenAPIV3 } from 'openapi-types'
import {
  type Endpoint,
  type EndpointErrors,
  isStream,
  type Stream,
} from '../../../../shared/contract/endpoint.ts'
import { actsInOrg, usesOrg } from '../../../../shared/contract/organization-policies.ts'
import { scopeOf } from '../../../../shared/contract/scopes.ts'
import { errorBodies } from '../../../../shared/errors.ts'
import { declaredErrors } from '../error.ts'
import { type Described, exampleOf, toOpenApi } from './schema.ts'

const JSON_TYPE = 'application/json'
const BYTES = { type: 'string', format: 'binary' } as const

type Content = OpenAPIV3.RequestBodyObject['content']

export const requestContent = ({
  body,
  upload,
  file,
  signedBy,
  protocol,
}: Endpoint): Content | undefined => {
  if (signedBy) return { [JSON_TYPE]: { schema: { type: 'object', additionalProperties: true } } }
  if (body)
    return {
      [protocol?.body ?? JSON_TYPE]: { schema: toOpenApi(body), example: exampleOf(body) },
    }
  const field = upload?.field ?? file?.field
  if (!field) return undefined
  return {
    ...Object.fromEntries((file?.types ?? []).map((type) => [type, { schema: BYTES }])),
    'multipart/form-data': {
      schema: { type: 'object', properties: { [field]: BYTES }, required: [field] },
    },
  }
}

export const successResponse = (row: Endpoint): OpenAPIV3.ResponseObject => {
  const [, success] = row.success
  const { download, protocol, streamed } = row
  if (download) return { description: 'The file', content: contentOf(download, BYTES) }
  if (!success) return { description: 'Success, without a body' }
  if (isStream(success)) return ofStream(success.stream)
  const type = protocol?.answer ?? JSON_TYPE
  return {
    description: 'Success',
    content: {
      ...contentOf([type], toOpenApi(success)),
      ...(streamed && partsOf(streamed.stream)),
    },
  }
}

const ofStream = (stream: Stream): OpenAPIV3.ResponseObject => {
  const unit =
    stream.type === 'text/event-stream' ? 'each event is one of these' : 'one of these a line'
  return { description: `Success: ${unit}`, content: partsOf(stream) }
}

/** OpenAPI 3.0 has no streams: the schema is that of one part, as in the `itemSchema` of OpenAPI 3.2. */
const partsOf = ({ type, part }: Stream): Content => contentOf([type], toOpenApi(part))

const contentOf = (types: readonly string[], schema: Described): Content =>
  Object.fromEntries(types.map((type) => [type, { schema }]))

const CREDENTIAL_REASONS = ['bad_credentials', 'token_expired']
const DATABASE_REASONS = ['database_unavailable', 'database_busy', 'database_timeout']

/** The declared errors and, without a `protocol`, those that the row implies. */
export const errorsOf = (row: Endpoint): EndpointErrors => {
  const { credential, errors } = row
  if (row.protocol) return merge([errors, { 500: [] }])
  const fields = [row.params, row.query].flatMap(({ properties }) => Object.keys(properties))
  const takesInput = row.body || row.upload || row.file || fields.length > 0
  return merge([
    errors,
    credential !== 'none' && { 401: CREDENTIAL_REASONS },
    credential === 'bearer' && { 401: ['api_key_invalid'] },
    ['bearer', 'jwt', 'session'].includes(credential) && {
      403: [
        'not_org_member',
        'credential_paused',
        'address_not_allowed',
        'scope_missing',
        ...(actsInOrg(row) || usesOrg(row) ? ['org_policy'] : []),
        ...(scopeOf(row) || row.method !== 'GET' ? ['impersonation_limited'] : []),
      ],
    },
    ['jwt', 'session'].includes(credential) && { 403: ['api_key_cannot_manage_account'] },
    ['session', 'cookie', 'browser'].includes(credential) && { 403: ['origin_not_allowed'] },
    row.requiresVerifiedEmail && { 403: ['email_not_verified'] },
    row.adminOnly && { 403: ['not_an_admin'] },
    row.authLimited && { 429: ['auth_rate_limited'] },
    (row.body || row.upload) && { 413: ['body_too_large'] },
    (row.body || row.upload || row.file) && { 415: ['body_compressed'] },
    takesInput && { 422: [] },
    { 500: [] },
    // Health reports on the database itself.
    row.tag !== 'System' && { 503: DATABASE_REASONS },
    row.queue !== 'none' && { 503: ['overloaded'] },
  ])
}

const merge = (sources: (EndpointErrors | false | undefined)[]): EndpointErrors => {
  const merged: Record<number, string[]> = {}
  for (const source of sources)
    for (const [key, reasons] of Object.entries(source || {})) {
      const status = Number(key)
      merged[status] = [...new Set([...(merged[status] ?? []), ...reasons])]
    }
  return merged
}

/** One line for each declared error, with the text that the client gets if it is always the same. */
export const describeErrors = ({ errors }: Endpoint): string =>
  Object.entries(errors)
    .flatMap(([status, reasons]) =>
      reasons.map((reason) => {
        const detail = declaredErrors.get(reason)?.detail
        return `- ${status} \`${reason}\`${typeof detail === 'string' ? `: ${detail}` : ''}`
      }),
    )
    .join('\n')

/** The response of an error status, with an example of each reason that has a fixed body. */
export const errorResponse = (
  status: number,
  reasons: readonly string[],
  custom: TSchema | undefined,
): OpenAPIV3.ResponseObject => {
  const { description = 'Error', schema } = errorBodies[status] ?? {}
  const body = custom ?? schema
  const examples = Object.fromEntries(
    reasons.flatMap((reason) => {
      const detail = declaredErrors.get(reason)?.detail
      return detail === undefined ? [] : [[reason, { value: { detail } }]]
    }),
  )
  if (!body) return { description }
  const hasExamples = Object.keys(examples).length > 0
  const content = { schema: toOpenApi(body), ...(hasExamples && { examples }) }
  return { description, content: { 'application/json': content } }
}
