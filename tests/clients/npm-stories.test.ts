import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { useConversation } from '../conversation/support.ts'
import { ROOT } from '../harness/base.ts'
import { calls, type ModelServer, says, startModelServer } from '../harness/model-server.ts'
import { newUser, PASSWORD, request, uniqueEmail } from '../harness/server.ts'
import { binOf, createProject, run } from './npm-project.ts'

setDefaultTimeout(120_000)

const suite = useConversation()
/** The model of the app, beside that of svc. */
let appModel: ModelServer
beforeAll(async () => {
  appModel = await startModelServer()
})
afterAll(() => appModel[Symbol.asyncDispose]())

const EXAMPLES = join(ROOT, 'clients/npm/examples')
const source = (name: string) => Bun.file(join(EXAMPLES, name)).text()
const transpiler = new Bun.Transpiler({ loader: 'ts', target: 'node' })

const verify = async (email: string): Promise<void> => {
  const mail = await suite.server.noticed(new RegExp(`^Mail to ${email} [^]*/verify\\?token=`))
  const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
  await request(suite.server, 'POST', '/api/auth/verify-email', { body: { token } })
}

const runtimes = [
  { name: 'Node', manager: 'npm', command: ['node', 'chat.mjs'] },
  { name: 'Bun', manager: 'bun', command: [process.execPath, 'chat.ts'] },
] as const

for (const { name, manager, command } of runtimes)
  test(`the example of a chat signs up, remembers and streams on ${name}`, async () => {
    const { directory, write } = await createProject(manager)
    await write('chat.ts', await source('chat.ts'))
    await write('chat.mjs', transpiler.transformSync(await source('chat.ts')))
    suite.model.next(says(['Green ', 'tea.']))
    const email = uniqueEmail()
    const child = Bun.spawn([...command, suite.server.url, email, PASSWORD], {
      cwd: directory,
      env: { PATH: process.env.PATH, BUN_BE_BUN: '1' },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    await verify(email)
    child.stdin.write('\n')
    child.stdin.end()
    const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect([await child.exited, errors]).toEqual([0, ''])
    expect(output).toContain('Memory: Ada drinks green tea.\nGreen tea.\n')
  })

test('the examples compile with tsc --strict', async () => {
  const { directory, write } = await createProject('npm')
  for (const name of ['chat.ts', 'route.ts', 'tsconfig.json']) await write(name, await source(name))
  await run(directory, [binOf('tsc'), '-p', '.', '--types', 'bun'])
})

const MOVE = `
import { createClient } from 'svc-client'
const [from, to] = process.argv.slice(3).map((apiKey) => createClient({ baseUrl: process.argv[2], apiKey }))
await from.memories.remember({ content: 'Ada drinks green tea.' })
const lines = []
for await (const line of await from.memories.exportMemories()) lines.push(JSON.stringify(line))
await to.memories.importMemories({ file: new Blob([lines.join('\\n')]).stream(), format: 'svc' })
for (const { content_text } of (await to.memories.listMemories()).memories) console.log(content_text)
`

test('memories are exported as a stream, and imported from one, on Node', async () => {
  const { directory, write } = await createProject('npm')
  await write('move.mjs', MOVE)
  const users = await Promise.all([newUser(suite.server), newUser(suite.server)])
  const keys = users.map(({ key }) => key)
  const output = await run(directory, ['node', 'move.mjs', suite.server.url, ...keys])
  expect(output).toBe('Ada drinks green tea.\n')
})

/** Serves the route handler as Next.js does: with the requests and responses of the web. */
const SERVER = `
import { createServer } from 'node:http'
import { POST } from './route.mjs'
const server = createServer(async (incoming, outgoing) => {
  const chunks = []
  for await (const chunk of incoming) chunks.push(chunk)
  const request = new Request('http://localhost/api/chat', { method: 'POST', body: Buffer.concat(chunks) })
  const response = await POST(request)
  outgoing.writeHead(response.status)
  for await (const chunk of response.body) outgoing.write(chunk)
  outgoing.end()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

test('the example of a route handler on Node answers with memory, and remembers', async () => {
  const { directory, write } = await createProject('npm')
  await write('route.mjs', transpiler.transformSync(await source('route.ts')))
  await write('server.mjs', SERVER)
  const user = await newUser(suite.server)
  await request(suite.server, 'POST', '/api/remember', {
    token: user.key,
    body: { content: 'Ada drinks green tea.' },
  })
  await using child = Bun.spawn(['node', 'server.mjs'], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      SVC_URL: suite.server.url,
      SVC_API_KEY: user.key,
      MODEL_URL: appModel.url,
      MODEL: 'a-model',
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  const port = new TextDecoder().decode(value).trim()
  appModel.next(calls(['remember', { content: 'Ada has a cat.' }]), says(['Green ', 'tea.']))
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    body: JSON.stringify({
      id: 'chat-1',
      messages: [{ role: 'user', content: 'What does Ada drink?' }],
    }),
  })
  expect(await response.text()).toBe('Green tea.')
  const [first, second] = appModel.calls
  expect(JSON.stringify(first?.body.messages)).toContain('Ada drinks green tea.')
  expect(JSON.stringify(second?.body.messages)).toContain('Ada drinks green tea.')
  const { body } = await request(suite.server, 'GET', '/api/memories', { token: user.key })
  const contents = body.memories.map((memory: { content_text: string }) => memory.content_text)
  expect(contents.toSorted()).toEqual([
    'Ada drinks green tea.',
    'Ada has a cat.',
    'Green tea.',
    'What does Ada drink?',
  ])
})
