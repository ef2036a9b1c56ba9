import { describe, expect, test } from 'bun:test'
import { createApp } from '../../server/app.ts'
import type { HttpContext } from '../../server/platform/http/route.ts'
import { dutiesOf } from '../../server/platform/role.ts'
import type { Services } from '../../server/services.ts'
import { contract, errorStatuses, protocols } from '../../shared/contract/index.ts'
import { request, useServer } from '../harness/server.ts'

const server = useServer()

/** Routes outside the contract: pages, the API's description, and the HTTP methods that MCP does not use. */
const BESIDE = [
  'GET /api/docs',
  'GET /api/docs/json',
  'GET /api/docs/start.js',
  'GET /api/docs/swagger-ui-bundle.js',
  'GET /api/docs/swagger-ui.css',
  'GET /',
  'GET /pricing',
  'GET /auth/callback',
  'POST /auth/callback',
  'GET /api/auth/oauth/{provider}/start',
  'GET /device',
  'GET /reset',
  'POST /reset',
  'POST /reset/mail',
  'GET /s/{token}',
  'GET /verify',
  'POST /verify',
  'GET /api/auth/mcp/device',
  'POST /api/auth/mcp/device/decide',
  'POST /api/auth/mcp/device/signin',
  'POST /api/auth/mcp/device/signout',
  'POST /api/auth/mcp/device/signup',
  'POST /api/auth/mcp/device/verify',
  'GET /invite',
  'GET /api/auth/invite',
  'POST /api/auth/invite/accept',
  'POST /api/auth/invite/decline',
  'POST /api/auth/invite/resend',
  'POST /api/auth/invite/signin',
  'POST /api/auth/invite/signout',
  'POST /api/auth/invite/signup',
  'POST /api/auth/invite/verify',
  'POST /api/auth/mcp/oauth/authorize/decide',
  'POST /api/auth/mcp/oauth/authorize/signin',
  'POST /api/auth/mcp/oauth/authorize/signout',
  'POST /api/auth/mcp/oauth/authorize/signup',
  'POST /api/auth/mcp/oauth/authorize/verify',
  'DELETE /api/mcp',
  'GET /api/mcp',
  'GET /admin/claim',
  'GET /app',
  'GET /app/*',
  'GET /app/assets/{file}',
  'GET /favicon.svg',
  'GET /show-password.js',
  'GET /signin',
  'GET /api/auth/app',
  'POST /api/auth/app/signin',
  'POST /api/auth/app/signout',
  'POST /api/auth/app/signup',
  'POST /api/auth/app/verify',
  'GET /api/auth/admin/claim',
  'POST /api/auth/admin/claim',
  'POST /api/auth/admin/claim/signin',
  'POST /api/auth/admin/claim/signout',
  'POST /api/auth/admin/claim/signup',
  'POST /api/auth/admin/claim/verify',
]

const ANY_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'
/** Whether a path matches the row's path with its parameters filled in. */
const covers = (rowPath: string, path: string) =>
  new RegExp(`^${rowPath.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
const served = (method: string, path: string) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

test('every row of the contract is served, and otherwise only the pages and the reference', () => {
  // Domains without services: this test sends no request.
  const services = new Proxy({}, { get: () => ({}) }) as Services
  const app = createApp(services, {
    baseUrl: 'http://svc.test',
    frontendOrigins: [],
    http: {} as HttpContext,
    duties: dutiesOf('all'),
    stopping: new AbortController().signal,
  })
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
