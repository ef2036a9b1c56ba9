import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { OpenAPIV3 } from 'openapi-types'
import { contract, type Endpoint, protocols } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newAddress, request, type TestUser } from '../harness/server.ts'
import { fixtureFor } from './fixtures.ts'
import { preparations } from './preparations.ts'
import type { Preparation } from './prepare.ts'
import { APP, type Sender, senderOf, startWorld, type World } from './world.ts'

setDefaultTimeout(120_000)

let world: World
let document: OpenAPIV3.Document
beforeAll(async () => {
  world = await startWorld()
  document = (await request(world.server, 'GET', '/api/docs/json')).body
})
afterAll(() => world[Symbol.asyncDispose]())

type Values = Record<string, unknown>

const operationOf = ({ method, path }: Endpoint): OpenAPIV3.OperationObject => {
  const item = document.paths[path] as Record<string, OpenAPIV3.OperationObject>
  const operation = item[method.toLowerCase()]
  if (!operation) throw new Error(`${method} ${path} is not described`)
  return operation
}

/** The first content type of the body, with its example. */
const bodyOf = ({ requestBody }: OpenAPIV3.OperationObject) => {
  const content = Object.entries((requestBody as OpenAPIV3.RequestBodyObject)?.content ?? {})
  const [type, media] = content[0] ?? []
  return { type, example: media?.example as Values | undefined }
}

/** The prepared values, and new rows for the parameters and fields that need one. */
const valuesOf = async (row: Endpoint, names: string[], prepared: Preparation, sender: Sender) => {
  const values: Values = { ...prepared.values }
  for (const name of names) values[name] ??= await fixtureFor(row.path, name)?.(sender)
  return values
}

const urlOf = (row: Endpoint, { parameters = [] }: OpenAPIV3.OperationObject, values: Values) => {
  const url = new URL(world.server.url)
  url.pathname = row.path
  for (const { name, in: place, required, schema } of parameters as OpenAPIV3.ParameterObject[]) {
    const { example, enum: options } = schema as OpenAPIV3.SchemaObject
    const value = String(values[name] ?? example ?? options?.[0])
    if (place === 'path') url.pathname = decodeURI(url.pathname).replace(`{${name}}`, value)
    if (place === 'query' && (required || values[name] !== undefined))
      url.searchParams.set(name, value)
  }
  return url
}

const credentialOf = ({ credential }: Endpoint, { user }: Sender): Record<string, string> => {
  if (credential === 'none') return {}
  if (credential === 'cookie' || credential === 'browser')
    return { cookie: `refresh_token=${user.refreshToken}`, origin: APP }
  return { authorization: `Bearer ${credential === 'bearer' ? user.key : user.accessToken}` }
}

const encode = (example: Values, values: Values, type: string | undefined): string => {
  const known = Object.keys(example).filter((name) => values[name] !== undefined)
  const body = { ...example, ...Object.fromEntries(known.map((name) => [name, values[name]])) }
  if (type !== 'application/x-www-form-urlencoded') return JSON.stringify(body)
  return new URLSearchParams(body as Record<string, string>).toString()
}

/** Their rows change the account, or have a cap or a name of which an account has one. */
const OWN_ACCOUNT = ['Account', 'API keys', 'Billing', 'Organizations', 'OpenID provider', 'SCIM']

const shared = new Map<string, Promise<TestUser>>()

/** The user of a row: one for all rows of a tag that need no other rows than those of their parameters. */
const userOf = (row: Endpoint): TestUser | Promise<TestUser> => {
  if (row.adminOnly) return world.admin
  const isShared = row.credential === 'bearer' || row.method === 'GET'
  if (!isShared || preparations[row.name] || OWN_ACCOUNT.includes(row.tag))
    return newVerifiedUser(world.server)
  const user = shared.get(row.tag) ?? newVerifiedUser(world.server)
  shared.set(row.tag, Promise.resolve(user))
  return user
}

describe('the example of each operation gets the declared success status', () => {
  for (const row of [...contract, ...protocols])
    test(row.name, async () => {
      const creator = senderOf(world, await userOf(row))
      const prepared = (await preparations[row.name]?.(creator)) ?? {}
      const { sender = creator } = prepared
      const operation = operationOf(row)
      const { type, example } = bodyOf(operation)
      if (type && !row.upload && !row.file && !row.signedBy) expect(example).toBeDefined()
      const names = [...Object.keys(row.params.properties), ...Object.keys(example ?? {})]
      const values = await valuesOf(row, names, prepared, sender)
      const body = prepared.body ?? (example && encode(example, values, type))
      const response = await fetch(urlOf(row, operation, values), {
        method: row.method,
        redirect: 'manual',
        headers: {
          'x-forwarded-for': newAddress(),
          ...credentialOf(row, sender),
          ...(example && type && { 'content-type': type }),
          ...prepared.headers,
        },
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      const [success] = row.success
      expect([response.status, response.status === success || text]).toEqual([success, true])
    })
})
