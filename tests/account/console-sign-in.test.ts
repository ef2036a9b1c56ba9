import { expect, test } from 'bun:test'
import { newUser, request, useServer } from '../harness/server.ts'

const server = useServer()

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
