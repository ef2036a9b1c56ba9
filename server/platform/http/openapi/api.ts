import type { OpenAPIV3 } from 'openapi-types'
import type { Endpoint } from '../../../../shared/contract/endpoint.ts'
import { operationOf } from './operation.ts'
import { namedSchemas } from './schema.ts'

/** Describes the endpoints of the contract in OpenAPI 3 (contract 9: version 1.0.0). */
export const describeApi = (rows: readonly Endpoint[], baseUrl: string) => {
  const paths = pathsOf(rows)
  return {
    ...about(rows, baseUrl),
    components: { securitySchemes, schemas: namedSchemas() },
    paths,
  }
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
