import type { OpenAPIV3 } from 'openapi-types'
import { type Endpoint, isStream, type Stream } from '../../../../shared/contract/endpoint.ts'
import { exampleOf } from './example.ts'
import { type Described, toOpenApi } from './schema.ts'

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
