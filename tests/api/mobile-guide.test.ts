import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { compileGuide, createProject } from './client-project.ts'

const server = useSharedServer()

/** The functions of the guide that the test calls. */
interface Guide {
  keychain: Map<string, string>
  outbox: unknown[]
  logIn(show: (url: string, userCode: string) => Promise<void>): Promise<string>
  refresh(): Promise<boolean>
  note(content: string): void
  flush(): Promise<void>
  download(): Promise<string[]>
}

test('the samples of the guide for mobile clients log in, refresh and synchronize', async () => {
  await using project = await createProject(server.current)
  await compileGuide(project, 'mobile-clients', server.current.url)
  const guide: Guide = await import(join(project.dir, 'guide.ts'))
  const { accessToken: token, email } = await newUser(server.current)

  const approve = async (url: string, user_code: string) => {
    expect(url).toStartWith(`${server.current.baseUrl}/device?`)
    const body = { user_code, approve: true }
    await request(server.current, 'POST', '/api/auth/mcp/authorize', { token, body })
  }
  expect(await guide.logIn(approve)).toBe(email)
  expect([...guide.keychain.keys()].sort()).toEqual(['access_token', 'api_key', 'refresh_token'])

  guide.note('The heron nests by the mill.')
  guide.note('Ada likes tea.')
  const unsent = [...guide.outbox]
  await guide.flush()
  // The response was lost: the app sends everything again.
  guide.outbox.push(...unsent)
  await guide.flush()
  expect((await guide.download()).sort()).toEqual([
    'Ada likes tea.',
    'The heron nests by the mill.',
  ])

  const before = guide.keychain.get('refresh_token')
  guide.keychain.set('access_token', 'expired')
  expect(await guide.download()).toHaveLength(2)
  expect(guide.keychain.get('refresh_token')).not.toBe(before)

  await request(server.current, 'DELETE', '/api/auth/sessions', { token })
  expect(await guide.refresh()).toBe(false)
  expect(guide.keychain.size).toBe(0)
})
