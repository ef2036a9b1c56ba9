import { expect, test } from 'bun:test'
import { request, useServer } from '../harness/server.ts'

const FRONTEND = 'https://app.example.com'
const OTHER = 'https://inspector.example.net'
const server = useServer({ SVC_FRONTEND_ORIGINS: FRONTEND })

const OAUTH = '/api/auth/mcp/oauth'
const open = [
  ['GET', '/.well-known/oauth-protected-resource', 200],
  ['GET', '/.well-known/oauth-protected-resource/api/mcp', 200],
  ['GET', '/.well-known/oauth-authorization-server', 200],
  ['GET', '/.well-known/openid-configuration', 200],
  ['GET', '/.well-known/jwks.json', 200],
  ['POST', `${OAUTH}/register`, 400],
  ['POST', `${OAUTH}/token`, 400],
  ['POST', `${OAUTH}/revoke`, 400],
  ['GET', `${OAUTH}/userinfo`, 401],
] as const

const send = (method: string, path: string, origin: string) =>
  request(server.current, method, path, {
    headers: { origin, 'access-control-request-method': 'POST' },
  })

for (const [method, path, status] of open) {
  test(`${method} ${path} answers a page of any origin, without credentials`, async () => {
    for (const answer of [
      await send(method, path, OTHER),
      await send('OPTIONS', path, OTHER),
      await send(method, path, 'null'),
    ]) {
      expect([status, 204]).toContain(answer.status as typeof status)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
      expect(answer.headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id')
      expect(answer.headers.get('vary')).toContain('Origin')
    }
  })

  // The key set is a public file, which caches share between origins.
  if (path.endsWith('jwks.json')) continue
  test(`${method} ${path} answers a configured origin with credentials`, async () => {
    const { headers } = await send(method, path, FRONTEND)
    expect(headers.get('access-control-allow-origin')).toBe(FRONTEND)
    expect(headers.get('access-control-allow-credentials')).toBe('true')
  })
}

for (const [method, path] of [
  // The protocol requires it to refuse the origins of foreign pages.
  ['POST', '/api/mcp'],
  ['GET', '/api/me'],
  ['POST', '/api/auth/signin'],
  ['POST', '/api/auth/refresh'],
  ['GET', `${OAUTH}/authorize`],
  ['POST', `${OAUTH}/introspect`],
  ['GET', '/api/health'],
] as const)
  test(`${method} ${path} gives a page of another origin no access`, async () => {
    for (const answer of [await send(method, path, OTHER), await send('OPTIONS', path, OTHER)])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
