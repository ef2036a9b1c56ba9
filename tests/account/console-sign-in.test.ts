import { expect, test } from 'bun:test'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const locationFor = async (next: string) => {
  const { refreshToken } = await newUser(server.current)
  const path = `/api/auth/app?${new URLSearchParams({ next })}`
  const { status, headers } = await request(server.current, 'GET', path, { cookie: refreshToken })
  expect(status).toBe(303)
  return headers.get('location')
}

test.each(['/app', '/app/memories?q=%D0%BC%D0%B8%D1%80&sort=-time', '/app?tab=1'])(
  'a signed-in user is led to %s in the console',
  async (next) => {
    expect(await locationFor(next)).toBe(next)
  },
)

test.each([
  '',
  '/application',
  '//example.com/app',
  'https://example.com/app',
  '/app@example.com',
  '/app/мир',
  '/app/\r\nx-header: 1',
  '/app/\n',
])('a signed-in user is led to the start of the console instead of %j', async (next) => {
  expect(await locationFor(next)).toBe('/app')
})

test('the address of a sign-up leads to its form', async () => {
  const { status, headers } = await request(server.current, 'GET', '/signup?next=/app/chat')
  expect(status).toBe(303)
  const page = await request(server.current, 'GET', headers.get('location') ?? '')
  expect(page.text).toContain('action="/api/auth/app/signup"')
  expect(page.text).toContain('value="/app/chat"')
})

test('a browser that opens an unknown address gets a page, and a program gets JSON', async () => {
  const open = (path: string, accept: string, method = 'GET') =>
    request(server.current, method, path, { headers: { accept } })
  const browser = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
  const page = await open('/unknown', browser)
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.text).toContain('href="/app"')
  for (const [path, accept, method] of [
    ['/unknown', '*/*'],
    ['/api/unknown', browser],
    ['/unknown', browser, 'POST'],
  ] as const)
    expect((await open(path, accept, method)).body).toEqual({ detail: 'Not Found' })
})
