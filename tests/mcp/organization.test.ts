import { describe, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createOrgClient } from '../account/organization-support.ts'
import { machineWithKey, signedInMachine } from '../cli/svc.ts'
import { SVC } from '../harness/process.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { cleanEnv, clientInfo, root, textOf } from './client.ts'
import { letIn } from './oauth-support.ts'

const server = useSharedServer()
const { createOrg } = createOrgClient(server)

const overStdio = async (started: string[], env: Record<string, string>) => {
  const client = new Client(clientInfo)
  const [command = '', ...args] = started
  await client.connect(
    new StdioClientTransport({ command, args, cwd: root, env, stderr: 'ignore' }),
  )
  return toolsOf(client)
}

const overHttp = async (token: string, org?: string) => {
  const client = new Client(clientInfo)
  const headers = { authorization: `Bearer ${token}`, ...(org && { 'x-org-id': org }) }
  const url = new URL('/api/mcp', server.current.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return toolsOf(client)
}

const toolsOf = (client: Client) => ({
  say: async (name: string, input: Record<string, unknown> = {}) =>
    textOf(await client.callTool({ name, arguments: input })),
  [Symbol.asyncDispose]: () => client.close(),
})

test('svc mcp run acts in the organization of the settings, and each write names it', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const org = await createOrg(user, 'Herons')
  await using assistant = await overStdio(machine.command('mcp', 'run'), machine.env)
  const remember = (content: string) => assistant.say('remember', { content })
  expect(await remember('My lake is shallow.')).toStartWith('Remembered as ')

  await machine.svc(['config', 'set', 'org', 'herons'])
  expect(await remember('Our lake is deep.')).toStartWith(
    'Remembered in the organization "Herons" as ',
  )
  expect(await assistant.say('status')).toContain('Memory of: the organization "Herons", as owner')
  const inTerminal = await machine.svc(['recall', 'lake', '--json'])
  expect(
    JSON.parse(inTerminal.stdout).memories.map((each: { org_id: string }) => each.org_id),
  ).toEqual([org.id])
  const batch = await assistant.say('remember_batch', { memories: [{ content: 'We swim.' }] })
  expect(batch).toStartWith('Remembered in the organization "Herons", in the order of the call:')

  await machine.svc(['config', 'unset', 'org'])
  expect(await remember('I swim.')).toStartWith('Remembered as ')
  expect(await assistant.say('recall', { query: 'lake' })).not.toContain('deep')
})

test('svc orgs switch moves the terminal and the assistant of the same sign-in', async () => {
  const { user, machine } = await signedInMachine(server.current)
  await createOrg(user, 'Storks')
  await using assistant = await overStdio(machine.command('mcp', 'run'), machine.env)
  expect(await assistant.say('status')).toContain('Memory of: the account itself')
  expect((await machine.svc(['orgs', 'switch', 'Storks'])).code).toBe(0)
  expect(await assistant.say('status')).toContain('the organization "Storks"')
  expect((await machine.svc(['orgs', 'switch', '--personal'])).code).toBe(0)
  expect(await assistant.say('status')).toContain('Memory of: the account itself')
})

describe.each([
  ['mcp/main.ts', [process.execPath, 'mcp/main.ts']],
  ['svc mcp run', [...SVC, 'mcp', 'run']],
])('%s', (_, started) => {
  test('the process acts in the organization of --org, by id or name, and names the option if there is none', async () => {
    const user = await newUser(server.current)
    const org = await createOrg(user, 'Herons')
    const env = cleanEnv({ SVC_URL: server.current.url, SVC_API_KEY: user.key })
    for (const name of [org.id, 'herons']) {
      await using mcp = await overStdio([...started, '--org', name], env)
      expect(await mcp.say('status')).toContain('the organization "Herons"')
    }
    await using unknown = await overStdio([...started, '--org', 'Storks'], env)
    expect(await unknown.say('remember', { content: 'A lake.' })).toBe(
      '--org does not name one organization of the account. `svc orgs list` lists them. Correct it and call again.',
    )
    await using foreign = await overStdio([...started, '--org', crypto.randomUUID()], env)
    expect(await foreign.say('list')).toMatch(
      /^Not a member of this organization: --org names [0-9a-f-]{36}\. Choose another one with /,
    )
  })
})

test('over HTTP a connection with a personal key acts in the organization of X-Org-ID', async () => {
  const user = await newUser(server.current)
  const org = await createOrg(user, 'Herons')
  await using ours = await overHttp(user.key, org.id)
  await using mine = await overHttp(user.key)
  expect(await ours.say('remember', { content: 'Our lake is deep.' })).toStartWith(
    'Remembered in the organization "Herons" as ',
  )
  expect(await mine.say('recall', { query: 'lake' })).toBe('No memories found.')
})

test('X-Org-ID of another organization is refused, also with the token of an OAuth client', async () => {
  const user = await newUser(server.current)
  const [org, other] = [await createOrg(user, 'Herons'), await createOrg(user, 'Storks')]
  const personal = await letIn(server.current, user)
  const ofOrg = await letIn(server.current, user, { choice: { org: org.id } })
  for (const [token, named, status] of [
    [user.key, crypto.randomUUID(), 403],
    [personal.access, org.id, 403],
    [ofOrg.access, other.id, 403],
    [ofOrg.access, org.id, 200],
  ] as const) {
    const listed = await request(server.current, 'POST', '/api/mcp', {
      token,
      headers: { accept: 'application/json, text/event-stream', 'x-org-id': named },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    expect(listed.status).toBe(status)
  }
})
