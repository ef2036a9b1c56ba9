import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { PASSWORD, request, uniqueEmail, useSharedServer } from '../harness/server.ts'
import { createProject } from './client-project.ts'

const server = useSharedServer()

interface Walk {
  walk(
    baseUrl: string,
    account: { email: string; password: string },
    verify: () => Promise<void>,
  ): Promise<{
    conflict: string
    credential: string
    recalled: string[]
    events: string[]
    streamed: string
    messages: { role: string; content: string }[]
    missing: string
  }>
}

test('a client of @hey-api/openapi-ts compiles and walks through accounts, memory, chat and streams', async () => {
  await using project = await createProject(server.current)
  const program = '@hey-api/openapi-ts/dist/run.mjs'
  await project.generate(program, '--input', 'openapi.json', '--output', 'client')
  await project.write('walk.ts', await Bun.file(join(import.meta.dir, 'walks/hey-api.ts')).text())
  await project.compile()

  const email = uniqueEmail()
  const verify = async () => {
    const mail = await server.current.noticed(new RegExp(`^Mail to ${email} [^]*/verify\\?token=`))
    const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
    await request(server.current, 'POST', '/api/auth/verify-email', { body: { token } })
  }
  const { walk }: Walk = await import(join(project.dir, 'walk.ts'))
  const result = await walk(server.current.url, { email, password: PASSWORD }, verify)
  expect(result).toMatchObject({
    conflict: 'Email already registered',
    credential: 'api_key',
    recalled: ['Ada lives in Lisbon.'],
    missing: 'Memory not found',
  })
  expect([...new Set(result.events)]).toEqual(['start', 'memories', 'delta', 'done'])
  expect(result.streamed).toContain('Lisbon')
  expect(result.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ])
  expect(result.messages.at(-1)?.content).toBe(result.streamed)
})
