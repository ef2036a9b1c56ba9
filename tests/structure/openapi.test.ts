import { beforeAll, describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenAPIV3 } from 'openapi-types'
import { declaredErrors } from '../../server/platform/http/error.ts'
import { contract, errorStatuses, isStream, protocols } from '../../shared/contract/index.ts'
import { request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()
let document: OpenAPIV3.Document

beforeAll(async () => {
  document = (await request(server.current, 'GET', '/api/docs/json')).body
})

const operation = (method: string, path: string): OpenAPIV3.OperationObject => {
  const item = document.paths[path] as Record<string, OpenAPIV3.OperationObject> | undefined
  const found = item?.[method.toLowerCase()]
  if (!found) throw new Error(`${method} ${path} is not described`)
  return found
}

/** The schema of the JSON body of a request or a response, or of a part of a streamed response. */
const schemaOf = (part: unknown, type = 'application/json'): OpenAPIV3.SchemaObject | undefined => {
  const schema = (part as OpenAPIV3.ResponseObject | undefined)?.content?.[type]?.schema
  if (!schema || !('$ref' in schema)) return schema
  const name = schema.$ref.replace('#/components/schemas/', '')
  return document.components?.schemas?.[name] as OpenAPIV3.SchemaObject
}

test('the description is valid OpenAPI 3', async () => {
  const result = await new Validator().validate({ ...document })
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
})

test('the description reports version 1.0.0 and this server’s address', () => {
  expect(document.openapi).toStartWith('3.')
  expect(document.info.version).toBe('1.0.0')
  expect(document.servers).toEqual([{ url: server.current.baseUrl }])
})

const rows = [...contract, ...protocols]

test('the description has the contract’s endpoints, those of other protocols, and no others', () => {
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(rows.map(({ method, path }) => `${method} ${path}`).sort())
})

describe('each endpoint is described with its schemas, credentials and errors', () => {
  for (const row of contract)
    test(row.name, () => {
      const described = operation(row.method, row.path)
      expect(described.operationId).toBe(row.name)
      expect(described.summary).toBeTruthy()
      const [, answered] = row.success
      const streams = [row.streamed, answered].some(
        (each) => each && isStream(each) && each.stream.type === 'text/event-stream',
      )
      expect(described.security).toEqual(
        {
          none: [],
          bearer: [{ bearer: [] }, { apiKey: [] }, ...(streams ? [{ queryToken: [] }] : [])],
          jwt: [{ bearer: [] }],
          session: [{ bearer: [] }, { cookie: [] }],
          cookie: [{ cookie: [] }],
          browser: [{ cookie: [] }],
        }[row.credential],
      )

      const parameters = (described.parameters ?? []) as OpenAPIV3.ParameterObject[]
      expect(parameters.map((p) => `${p.in} ${p.name}`)).toEqual([
        ...Object.keys(row.params.properties).map((name) => `path ${name}`),
        ...Object.keys(row.query.properties).map((name) => `query ${name}`),
        ...(row.credential === 'bearer' ? ['header X-Org-ID'] : []),
        ...(['bearer', 'jwt', 'session'].includes(row.credential) ? ['header X-Timezone'] : []),
        ...(row.signedBy ? [`header ${row.signedBy}`] : []),
      ])
      for (const parameter of parameters) expect(parameter.schema).toHaveProperty('type')

      const fields = schemaOf(described.requestBody)?.properties
      expect(Object.keys(fields ?? {})).toEqual(Object.keys(row.body?.properties ?? {}))

      const [status, success] = row.success
      const type = success && isStream(success) ? success.stream.type : undefined
      if (!row.download)
        expect(Boolean(schemaOf(described.responses[status], type))).toBe(success !== null)
      const sent = (described.requestBody as OpenAPIV3.RequestBodyObject | undefined)?.content
      for (const type of row.file?.types ?? []) expect(sent).toHaveProperty([type])
      if (row.file) expect(sent).toHaveProperty(['multipart/form-data'])
      for (const error of errorStatuses(row))
        expect(described.responses).toHaveProperty(String(error))
      if (row.credential !== 'none') expect(described.responses).toHaveProperty('401')
      if (row.body) expect(described.responses).toHaveProperty('422')
      if (row.requiresVerifiedEmail) expect(described.responses).toHaveProperty('403')
      for (const [code, response] of Object.entries(described.responses))
        if (Number(code) >= 400)
          expect(Object.keys(schemaOf(response)?.properties ?? {})).toEqual(
            expect.arrayContaining(
              Object.keys(row.errorBodies[Number(code)]?.properties ?? { detail: {} }),
            ),
          )
    })
})

test('the endpoints of other protocols are described with their own content types and errors', () => {
  const contents = (part: unknown) =>
    Object.keys((part as OpenAPIV3.ResponseObject | undefined)?.content ?? {})
  const token = operation('POST', '/api/auth/mcp/oauth/token')
  expect(contents(token.requestBody)).toEqual(['application/x-www-form-urlencoded'])
  expect(Object.keys(token.responses)).toEqual(['200', '400', '401', '413', '415', '429', '500'])
  expect(schemaOf(token.responses['400'])?.required).toEqual(['error', 'error_description'])
  const page = operation('GET', '/api/auth/mcp/oauth/authorize')
  expect(contents(page.responses['200'])).toEqual(['text/html'])
  expect(page.description).toContain('redirect_uri')
  const mcp = operation('POST', '/api/mcp')
  expect(contents(mcp.responses['200'])).toEqual(['application/json', 'text/event-stream'])
  expect(mcp.security).toEqual([{ bearer: [] }, { apiKey: [] }])
  expect(schemaOf(mcp.responses['401'])?.required).toEqual(['detail'])
})

describe('each endpoint declares the reasons of its errors', () => {
  for (const row of contract)
    test(row.name, () => {
      const { description, responses } = operation(row.method, row.path)
      for (const [status, reasons] of Object.entries(row.errors)) {
        expect([row.name, status, reasons.length > 0]).toEqual([row.name, status, true])
        const response = responses[status] as OpenAPIV3.ResponseObject
        const examples = response.content?.['application/json']?.examples ?? {}
        for (const reason of reasons) {
          expect(declaredErrors.has(reason)).toBe(true)
          expect(description).toContain(`- ${status} \`${reason}\``)
          const error = declaredErrors.get(reason)
          if (!error) continue
          expect([reason, error.status]).toEqual([reason, Number(status)])
          expect(examples[reason]).toEqual({ value: { detail: error.detail } })
        }
      }
    })
})

test('downloads, signed bodies and streams are described with their content', () => {
  const content = (part: unknown) => (part as OpenAPIV3.ResponseObject).content ?? {}
  const download = operation('GET', '/api/files/{file_id}/content')
  expect(content(download.responses['200'])).toEqual({
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
  })
  const webhook = operation('POST', '/api/billing/webhooks/stripe')
  expect(webhook.parameters).toMatchObject([{ name: 'Stripe-Signature', required: true }])
  expect(Object.keys(content(webhook.requestBody))).toEqual(['application/json'])
  const stream = operation('POST', '/api/chat/stream')
  const event = schemaOf(stream.responses['200'], 'text/event-stream')
  const parts = (event?.anyOf ?? []) as { properties: { event: OpenAPIV3.SchemaObject } }[]
  expect(parts.flatMap(({ properties }) => properties.event.enum)).toEqual([
    'start',
    'memories',
    'delta',
    'tool',
    'done',
    'error',
  ])
})

test('an optional or nullable field is described as such', () => {
  const body = schemaOf(operation('POST', '/api/remember').requestBody)
  expect(body?.required).toEqual(['content'])
  expect(body?.properties?.thread).toMatchObject({ type: 'string', nullable: true })
  expect(body?.properties?.importance).toMatchObject({ default: 0.5, minimum: 0, maximum: 1 })
})

test('the API reference opens in a browser', async () => {
  const page = await request(server.current, 'GET', '/api/docs')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.text).toContain('src="/api/docs/start.js"')
  const script = await request(server.current, 'GET', '/api/docs/start.js')
  expect(script.text).toContain('/json`,')
})
