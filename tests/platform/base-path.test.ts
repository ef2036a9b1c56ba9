import { expect, test } from 'bun:test'
import { PASSWORD, request, uniqueEmail, useServer } from '../harness/server.ts'

const BASE = 'https://example.com/svc'
const server = useServer({ SVC_BASE_URL: `${BASE}/` })
const get = (path: string) => request(server.current, 'GET', path)

for (const path of [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/svc',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/svc',
])
  test(`${path} has the base URL as issuer`, async () => {
    const { body } = await get(path)
    expect(body.issuer).toBe(BASE)
    expect(body.token_endpoint).toBe(`${BASE}/api/auth/mcp/oauth/token`)
    expect(body.jwks_uri).toBe(`${BASE}/.well-known/jwks.json`)
  })

for (const path of [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/svc',
  '/.well-known/oauth-protected-resource/api/mcp',
  '/.well-known/oauth-protected-resource/svc/api/mcp',
])
  test(`${path} names the MCP endpoint below the base URL`, async () => {
    const { body } = await get(path)
    expect(body).toMatchObject({ resource: `${BASE}/api/mcp`, authorization_servers: [BASE] })
  })

test('a sign-up sets a cookie for the path that browsers see', async () => {
  const body = { email: uniqueEmail(), password: PASSWORD, confirm_password: PASSWORD }
  const { headers } = await request(server.current, 'POST', '/api/auth/signup', { body })
  expect(headers.get('set-cookie')).toContain('Path=/svc/api/auth;')
})

test('pages lead to pages below the base URL only', async () => {
  for (const path of ['/api/auth/app', '/reset', '/pricing', '/app', '/api/docs']) {
    const page = await (await fetch(server.current.url + path)).text()
    const links = [...page.matchAll(/(?:href|src|action|formaction)="(\/[^"]*)"/g)]
    expect(links.length).toBeGreaterThan(0)
    for (const [, link = ''] of links) expect(link).toStartWith('/svc/')
    expect(page).not.toContain('url(/typeface')
  }
})

test('redirects lead to pages below the base URL', async () => {
  for (const path of ['/', '/signin', '/signup']) {
    const { headers } = await fetch(server.current.url + path, { redirect: 'manual' })
    expect(headers.get('location')).toStartWith('/svc/')
  }
})
