import { describe, expect, test } from 'bun:test'
import { createApp } from '../../server/app.ts'
import { allFeatures } from '../../server/features.ts'
import type { HttpContext } from '../../server/platform/http/context.ts'
import { dutiesOf } from '../../server/platform/role.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { contract, errorStatuses, protocols } from '../../shared/contract/index.ts'
import { BESIDE } from '../harness/pages.ts'
import { request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const ANY_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
/** Whether a path matches the row's path with its parameters filled in. */
const covers = (rowPath: string, path: string) =>
  new RegExp(`^${rowPath.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
const served = (method: string, path: string) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

test('every row of the contract is served, and otherwise only the pages and the reference', () => {
  // Features without services: this test sends no request.
  const service = new Proxy({}, { get: () => ({}) })
  const features = allFeatures.map((feature) => ({ feature, isOn: true, service }))
  const none = {} as never
  const app = createApp(
    { features, core: none, services: none },
    {
      baseUrl: 'http://svc.test',
      frontendOrigins: [],
      http: {} as HttpContext,
      duties: dutiesOf('all'),
      stopping: new AbortController().signal,
    },
  )
  const routes = app.routes
    .filter(({ method }) => method !== 'OPTIONS')
    .map(({ method, path }) => served(method, path))
  const rows = [...contract, ...protocols].map(({ method, path }) => `${method} ${path}`)
  expect(routes.sort()).toEqual([...rows, ...BESIDE].sort())
})

test('no two rows share a name, or a method and path', () => {
  const rows = [...contract, ...protocols]
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  expect(new Set(rows.map(({ method, path }) => `${method} ${path}`)).size).toBe(rows.length)
})

describe('each endpoint answers at its path, and its other methods are 404', () => {
  for (const path of new Set(contract.map((row) => row.path))) {
    test(path, async () => {
      const rows = contract.filter((row) => covers(row.path, path))
      const methods = rows.map(({ method }) => method)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        const { status, body } = await request(
          server.current,
          method,
          path.replace(/\{\w+\}/g, ANY_ID),
        )
        const noRoute = [404, { detail: 'Not Found' }]
        if (methods.includes(method)) {
          expect([status, body]).not.toEqual(noRoute)
          // A server that is not warm yet answers 503.
          expect(status).toSatisfy(
            (code) => code < 500 || rows.some((row) => errorStatuses(row).includes(code)),
          )
        } else expect([status, body]).toEqual(noRoute)
      }
    })
  }
})

test('an endpoint that needs a credential refuses a request without one before anything else', async () => {
  for (const row of contract.filter(({ credential }) => credential !== 'none')) {
    if (row.name === 'signOut') continue
    const { status, body } = await request(
      server.current,
      row.method,
      row.path.replace(/\{\w+\}/g, 'no-id'),
      { body: row.body && 'no json' },
    )
    expect([row.name, status, body]).toEqual([
      row.name,
      401,
      { detail: 'Could not validate credentials' },
    ])
  }
})

test('a change affects responses that are read', () => {
  const rows: readonly Endpoint[] = [...contract, ...protocols]
  const reads = new Set(rows.filter(({ method }) => method === 'GET').map(({ name }) => name))
  const changes = rows.filter(({ affects }) => affects.length > 0)
  expect(changes.length).toBeGreaterThan(0)
  expect(changes.filter(({ method }) => method === 'GET').map(({ name }) => name)).toEqual([])
  expect(changes.flatMap(({ affects }) => affects.filter((name) => !reads.has(name)))).toEqual([])
})

test('an API key may delete each thing that it may create', () => {
  const rows = contract.filter(({ method }) => method === 'POST' || method === 'DELETE')
  const oneSided = rows
    .filter(({ method, credential }) => method === 'POST' && credential === 'bearer')
    .flatMap(({ name, path }) =>
      rows
        .filter(({ method, path: other }) => method === 'DELETE' && parentOf(other) === path)
        .filter(({ credential }) => credential === 'jwt')
        .map((row) => `${name} ${row.name}`),
    )
  expect(oneSided).toEqual([])
})

/** The path of the list that an object is in. */
const parentOf = (path: string): string => path.replace(/\/\{\w+\}$/, '')
