import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { revokeKey } from '../../shared/contract/index.ts'
import { quietPort } from '../harness/ports.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { configDirectory, connectMcp, connectOlderMcp, textOf } from './client.ts'

const server = useSharedServer()

const writeCredentials = (directory: string, profiles: object | string) =>
  writeFileSync(
    join(directory, 'credentials.json'),
    typeof profiles === 'string' ? profiles : JSON.stringify({ profiles }),
  )

/** A server that responds to every request in the same way. */
const serveAlways = (respond: () => Response) => {
  const fake = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
  return { url: fake.url.origin, [Symbol.asyncDispose]: () => fake.stop(true) }
}

test('without a key a tool returns how to get one', async () => {
  await using mcp = await connectMcp({ SVC_URL: server.current.url })
  const result = await mcp.call('recall', { query: 'anything' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(`No API key for ${server.current.url}`)
  expect(textOf(result)).toContain(`./svc login --url ${server.current.url}`)
  expect(textOf(result)).toContain('SVC_API_KEY')
})

test('without a key there are no resources, but the prompts are listed', async () => {
  for (const connect of [connectMcp, connectOlderMcp]) {
    await using mcp = await connect({ SVC_URL: server.current.url })
    expect((await mcp.client.listResources()).resources).toEqual([])
    expect((await mcp.client.listPrompts()).prompts).toHaveLength(3)
    const uri = `svc://memories/${crypto.randomUUID()}`
    await expect(mcp.client.readResource({ uri })).rejects.toThrow('No API key')
  }
})

test('a sign-in after the start takes effect on the next call', async () => {
  const { url } = server.current
  const { key } = await newUser(server.current)
  using directory = configDirectory()
  await using mcp = await connectMcp({ SVC_CONFIG_DIR: directory.path })
  expect((await mcp.call('recall', { query: 'tea' })).isError).toBe(true)

  writeCredentials(directory.path, { default: { url, api_key: key, email: 'a@example.com' } })
  expect((await mcp.call('remember', { content: 'Tea.' })).isError).toBeFalsy()
})

test('SVC_PROFILE selects a stored profile', async () => {
  const { url } = server.current
  const [home, work] = [await newUser(server.current), await newUser(server.current)]
  using directory = configDirectory()
  writeCredentials(directory.path, {
    default: { url, api_key: home.key },
    work: { url, api_key: work.key },
  })
  await using mcp = await connectMcp({ SVC_CONFIG_DIR: directory.path, SVC_PROFILE: 'work' })
  await mcp.call('remember', { content: 'The stand-up is at ten.' })
  await using atHome = await connectMcp({ SVC_CONFIG_DIR: directory.path })
  const recalled = await atHome.call('recall', { query: 'stand-up' })
  expect(recalled.structuredContent).toMatchObject({ count: 0 })
})

test('a stored key is sent only to the server that issued it', async () => {
  const seen: Request[] = []
  using fake = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      seen.push(request)
      return Response.json({})
    },
  })
  using directory = configDirectory()
  writeCredentials(directory.path, { default: { url: server.current.url, api_key: 'svc_secret' } })
  await using mcp = await connectMcp({
    SVC_CONFIG_DIR: directory.path,
    SVC_URL: fake.url.origin,
  })
  expect(textOf(await mcp.call('recall', { query: 'tea' }))).toContain('No API key')
  expect(seen).toEqual([])
})

test('a revoked key returns an error that says to sign in again', async () => {
  const { url } = server.current
  const { key, keyId, client } = await newUser(server.current)
  using directory = configDirectory()
  writeCredentials(directory.path, { default: { url, api_key: key } })
  await using stored = await connectMcp({ SVC_CONFIG_DIR: directory.path })
  await using environment = await connectMcp({ SVC_URL: url, SVC_API_KEY: key })
  expect((await stored.call('recall', { query: 'tea' })).isError).toBeFalsy()

  await client.call(revokeKey, { params: { key_id: keyId } })
  const refused = await stored.call('recall', { query: 'tea' })
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toMatch(/Invalid API key.*revoked.*sign in again with `svc login/)
  const refusedGiven = await environment.call('remember', { content: 'Tea.' })
  expect(refusedGiven.isError).toBe(true)
  expect(textOf(refusedGiven)).toContain('the key in SVC_API_KEY')
  expect(textOf(refusedGiven)).not.toContain(key)
})

test('SVC_URL may leave out the scheme', async () => {
  const { key } = await newUser(server.current)
  const { host } = new URL(server.current.url)
  await using mcp = await connectMcp({ SVC_URL: host, SVC_API_KEY: key })
  expect((await mcp.call('recall', { query: 'tea' })).isError).toBeFalsy()
})

test('an unreachable server returns an error with its address', async () => {
  const url = `http://127.0.0.1:${await quietPort()}`
  await using mcp = await connectMcp({ SVC_URL: url, SVC_API_KEY: 'svc_any' })
  const result = await mcp.call('recall', { query: 'tea' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain(`No answer from ${url}`)
  expect(textOf(result)).toContain('SVC_URL')
})

test('invalid arguments return an error that names every failing field', async () => {
  const { key } = await newUser(server.current)
  const env = { SVC_URL: server.current.url, SVC_API_KEY: key }
  for (const connect of [connectMcp, connectOlderMcp]) {
    await using mcp = await connect(env)
    const result = await mcp.call('recall', { limit: 1000, since: 'yesterday' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/query: .*limit: .*since: /)
    expect(textOf(await mcp.call('remember', {}))).toContain('content: ')
  }
})

test('a service that is not svc is detected from any response', async () => {
  const answers = [
    () => new Response('hello'),
    () => Response.json({ hello: 'world' }),
    () => new Response('not here', { status: 404 }),
    () => Response.redirect('http://127.0.0.1/elsewhere', 302),
  ]
  for (const answer of answers) {
    await using otherService = serveAlways(answer)
    await using mcp = await connectMcp({ SVC_URL: otherService.url, SVC_API_KEY: 'svc_any' })
    const result = await mcp.call('recall', { query: 'tea' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/is not svc/)
    expect(textOf(result)).toContain(otherService.url)
  }
})

test('a server failure returns an error with the request id', async () => {
  await using broken = serveAlways(() =>
    Response.json(
      { detail: 'Internal server error' },
      { status: 500, headers: { 'x-request-id': 'request-7' } },
    ),
  )
  await using mcp = await connectMcp({ SVC_URL: broken.url, SVC_API_KEY: 'svc_any' })
  const result = await mcp.call('recall', { query: 'tea' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('request-7')
})

test('invalid settings return an error that names them and contains no secret', async () => {
  using directory = configDirectory()
  const settings = {
    SVC_URL: { SVC_URL: 'localhost:3000', SVC_API_KEY: 'svc_any' },
    SVC_API_KEY: { SVC_API_KEY: 'svc_sécret' },
    'credentials.json': { SVC_CONFIG_DIR: directory.path },
  }
  writeCredentials(directory.path, '{"profiles": {"default": "svc_sécret"}}')
  for (const [name, env] of Object.entries(settings)) {
    await using mcp = await connectMcp(env)
    const result = await mcp.call('recall', { query: 'tea' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(name)
    expect(textOf(result)).not.toContain('sécret')
  }
})
