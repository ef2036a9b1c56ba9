import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useConversation } from '../conversation/support.ts'
import { says, stalls } from '../harness/model-server.ts'
import {
  inTerminal,
  type Machine,
  machineWithKey,
  newMachine,
  readUntil,
  signedInMachine,
} from './svc.ts'

const chats = useConversation()

const machineOf = async () => machineWithKey(chats.server, await chats.newUser())

const api = async (machine: Machine, ...args: string[]) => {
  const result = await machine.svc(['api', ...args])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(result.stdout)
}

test.each(['/api/me', 'api/me', 'me', 'GET /api/me', 'get me'])(
  'svc api %s prints the response as JSON',
  async (words) => {
    const { machine, user } = await machineOf()
    expect(await api(machine, ...words.split(' '))).toMatchObject({ email: user.email })
  },
)

test('fields go to the query, the body or the path, as the endpoint declares them', async () => {
  const { machine } = await machineOf()
  const memory = await api(
    machine,
    ...['POST', '/api/remember', '-f', 'content=007', '-F', 'importance=0.8', '-f', 'tags[]=a'],
    ...['-f', 'tags[]=b', '-F', 'metadata[room][floor]=2', '-f', 'thread=x y'],
  )
  expect(memory).toMatchObject({
    content_text: '007',
    importance: 0.8,
    tags: ['a', 'b'],
    metadata: { room: { floor: 2 } },
    thread: 'x y',
  })
  const listed = await api(machine, 'memories', '-f', 'thread=x y', '-F', 'limit=1')
  expect(listed.memories).toHaveLength(1)
  const id = `memory_id=${memory.memory_id}`
  const path = '/api/memories/{memory_id}'
  expect(await api(machine, path, '-f', id)).toMatchObject({ content_text: '007' })
  expect(await api(machine, 'GET', path, '-f', id)).toMatchObject({ content_text: '007' })
  expect(await machine.svc(['api', 'DELETE', path, '-f', id, '-F', 'permanent=true'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
  expect((await machine.svc(['memories', 'history', memory.memory_id])).code).toBe(1)
})

test('without a method the fields decide, unless the path has only one', async () => {
  const { machine } = await machineOf()
  expect(await api(machine, '/api/recall', '-f', 'query=tea')).toEqual({ memories: [], count: 0 })
  expect(await api(machine, '/api/sessions')).toEqual([])
  expect(await api(machine, '/api/sessions', '-f', 'title=Tea')).toMatchObject({ title: 'Tea' })
  const recalled = await machine.svc([
    'api',
    '/api/orgs/{org_id}',
    '-f',
    `org_id=${crypto.randomUUID()}`,
  ])
  expect(recalled.stderr).toContain('Not a member of this organization')
  expect(await api(machine, 'GET', '/api/sessions', '-f', 'q=Tea')).toMatchObject([
    { title: 'Tea' },
  ])
})

test('--input sends a file or stdin as it is, with the fields in the query', async () => {
  const { machine } = await machineOf()
  const file = join(machine.env.HOME ?? '', 'memories.ndjson')
  writeFileSync(file, '{"content":"The shed is green."}\n')
  const path = '/api/memories/import'
  expect(await api(machine, path, '--input', file, '-f', 'format=svc')).toMatchObject({
    imported: 1,
  })
  const piped = await machine.svc(['api', '/api/recall', '--input', '-'], {
    stdin: '{"query":"shed","limit":1}',
  })
  expect(JSON.parse(piped.stdout)).toMatchObject({ count: 1 })
  writeFileSync(join(machine.env.HOME ?? '', 'note.txt'), 'The boiler is blue.\n')
  machine.cwd = machine.env.HOME ?? ''
  const memory = await api(machine, '/api/remember', '-F', 'content=@note.txt')
  expect(memory.content_text).toBe('The boiler is blue.')
  const missing = await machine.svc(['api', path, '--input', `${file}x`])
  expect(missing).toMatchObject({ code: 2, stdout: '' })
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('a file is uploaded and downloaded unchanged', async () => {
  const { machine } = await machineOf()
  const bytes = Buffer.from(PIXEL, 'base64')
  const file = join(machine.env.HOME ?? '', 'icon.png')
  writeFileSync(file, bytes)
  const { id } = await api(machine, 'POST', '/api/files', '--input', file)
  const download = await machine.start(['api', `/api/files/${id}/content`]).ended
  expect(download.bytes.equals(bytes)).toBe(true)
  const { child, seen } = inTerminal(machine, ['api', `/api/files/${id}/content`])
  expect(await child.exited).toBe(2)
  expect(seen()).toContain('The response is binary (image/png).')
})

test('--paginate follows next_cursor, and --jq selects of each page', async () => {
  const { machine } = await machineOf()
  const lines = Array.from({ length: 25 }, (_, i) => `{"content":"Memory ${i}."}`)
  await machine.svc(['import', '-'], { stdin: lines.join('\n') })
  const args = ['api', '/api/memories', '-f', 'limit=10', '--jq', '.memories[].content_text']
  const all = await machine.svc([...args, '--paginate'])
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(new Set(all.stdout.trimEnd().split('\n')).size).toBe(25)
  expect((await machine.svc(args)).stdout.trimEnd().split('\n')).toHaveLength(10)
  const once = await machine.svc(['api', '/api/sessions', '--paginate'])
  expect(once).toMatchObject({ code: 0, stdout: '[]\n' })
  expect(once.stderr).toContain('has no next_cursor')
  const posted = await machine.svc(['api', '/api/recall', '-f', 'query=x', '--paginate'])
  expect(posted).toMatchObject({ code: 2, stdout: '' })
})

test('each event of a stream is printed when it arrives, until Ctrl-C', async () => {
  const { machine } = await machineOf()
  const args = ['api', '/api/chat/stream', '-f', 'message=Hi.', '-f', 'provider=openai']
  chats.model.always(says(['Hel', 'lo.']))
  const complete = await machine.svc(args)
  const events = complete.stdout.trimEnd().split('\n')
  expect(events.map((line) => JSON.parse(line).event)).toEqual([
    ...['start', 'memories', 'delta', 'delta', 'done'],
  ])
  chats.model.always(stalls('Hel'))
  const running = machine.start(args)
  await readUntil(running.stdout.getReader(), /\{"event":"delta","data":\{"text":"Hel"/)
  running.kill()
  expect(await running.ended).toMatchObject({ code: 130, stderr: 'Interrupted.\n' })
})

test('an endpoint that a key cannot use gets the session of svc login', async () => {
  const { machine, user } = await signedInMachine(chats.server)
  const [key] = await api(machine, '/api/auth/api-keys')
  expect(key.id).toBe(user.keyId)
  expect((await api(machine, '/api/auth/sessions')).length).toBeGreaterThan(0)
  expect(
    (await machine.svc(['api', 'POST', '/api/auth/refresh', '--jq', '.access_token'])).stdout,
  ).toMatch(/^eyJ/)
  expect(await api(machine, '/api/auth/api-keys')).toHaveLength(1)
  const { machine: withKey } = await machineOf()
  const refused = await withKey.svc(['api', '/api/auth/api-keys'])
  expect(refused).toMatchObject({ code: 4, stdout: '' })
  expect(refused.stderr).toContain('requires a session')
})

test('a refused request prints the body to stdout and one line to stderr', async () => {
  const { machine } = await machineOf()
  const missing = await machine.svc(['api', `/api/memories/${crypto.randomUUID()}`])
  expect(missing).toMatchObject({ code: 1, stderr: 'error: Memory not found (404)\n' })
  expect(JSON.parse(missing.stdout)).toEqual({ detail: 'Memory not found' })
  const invalid = await machine.svc(['api', '/api/recall', '-F', 'query=7'])
  expect(invalid.code).toBe(1)
  expect(invalid.stderr).toMatch(/^error: query: .*\(422\)\n$/)
  const unknown = await machine.svc(['api', '/api/nothing', '--jq', '.x'])
  expect(unknown).toMatchObject({ code: 1, stderr: 'error: Not Found (404)\n' })
  expect(JSON.parse(unknown.stdout)).toEqual({ detail: 'Not Found' })
  const anonymous = newMachine(chats.server.url)
  const env = { SVC_API_KEY: 'svc_wrong' }
  const refused = await anonymous.svc(['api', '/api/me'], { env })
  expect(refused).toMatchObject({ code: 4, stderr: 'error: Invalid API key (401)\n' })
  expect(await anonymous.svc(['api', '/api/health'])).toMatchObject({ code: 0, stderr: '' })
  const signedOut = await anonymous.svc(['api', '/api/me'])
  expect(signedOut).toMatchObject({ code: 4, stdout: '' })
  expect(signedOut.stderr).toContain('svc login')
})

test('an error event of a stream exits with 1 after it was printed', async () => {
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response('event: error\ndata: {"detail":"The model failed."}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      }),
  })
  const result = await newMachine(server.url.origin).svc(
    ['api', '/api/chat/stream', '-f', 'message=Hi.'],
    {
      env: { SVC_API_KEY: 'svc_x' },
    },
  )
  expect(result).toEqual({
    code: 1,
    stdout: '{"event":"error","data":{"detail":"The model failed."}}\n',
    stderr: 'error: The model failed (502)\n',
  })
})

test('headers and the organization are sent', async () => {
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers }) => Response.json(Object.fromEntries(headers)),
  })
  const org = crypto.randomUUID()
  // The time zone is that of a process.
  const { stdout } = await newMachine(server.url.origin).run(
    ['api', '/api/me', '-H', 'X-Request-Name: tea: green', '--org', org],
    { env: { SVC_API_KEY: 'svc_x', TZ: 'Europe/Lisbon' } },
  )
  expect(JSON.parse(stdout)).toMatchObject({
    authorization: 'Bearer svc_x',
    'user-agent': 'svc-cli',
    'x-org-id': org,
    'x-request-name': 'tea: green',
    'x-timezone': 'Europe/Lisbon',
  })
})

test.each([
  [['/api/memories/{memory_id}'], 'The path has the placeholder {memory_id}.'],
  [['/api/memories/{constructor}'], 'The path has the placeholder {constructor}.'],
  [['FETCH', '/api/me'], 'FETCH is not a method.'],
  [['GET', '/api/me', 'more'], 'more than a method and a path'],
  [['https://elsewhere.example/api/me'], 'is not a path of'],
  [['//elsewhere.example/api/me'], 'is not a path of'],
  [['/\\elsewhere.example/api/me'], 'is not a path of'],
  [['/\t/elsewhere.example/api/me'], 'is not a path of'],
  [['//'], 'is not a path of'],
  [['/api/me', '-f', 'nothing'], 'nothing is not a field.'],
  [['/api/me', '-f', '[]=x'], '[]=x is not a field.'],
  [['/api/me', '-f', '__proto__[x]=1'], 'A field cannot have the name __proto__.'],
  [['/api/me', '-F', 'a[__proto__]={}'], 'A field cannot have the name __proto__.'],
  [['/api/me', '-H', 'nothing'], 'nothing is not a header.'],
  [[], "missing required argument 'endpoint'"],
])('svc api %j is a usage error', async (args, message) => {
  const { machine } = await machineOf()
  const result = await machine.svc(['api', ...args])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain(message)
})
