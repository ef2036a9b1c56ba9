import { expect, test } from 'bun:test'
import { deleteMemory, remember } from '../../shared/contract/index.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, useServer } from '../harness/server.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { connectHttp, connectMcpProcess, connectOlderHttp, TOOL_NAMES, textOf } from './client.ts'

const shared = { SVC_AUTH_SECRET: 'the-same-secret-in-every-process-of-this-file' }
const server = useServer(shared)

/** Each tool is called before and after each other one. */
const orders = [TOOL_NAMES, TOOL_NAMES.toReversed()]

/** Valid arguments for each tool. */
const prepare = async ({ client }: Awaited<ReturnType<typeof newUser>>) => {
  const store = async (content: string) =>
    (await client.call(remember, { body: { content } })).memory_id
  const [kept, unwanted, forgotten] = [
    await store('The heron nests by the mill.'),
    await store('The heron is blue.'),
    await store('The heron is grey.'),
  ]
  await client.call(deleteMemory, { params: { memory_id: forgotten } })
  const inputs: Record<string, object> = {
    recall: { query: 'heron' },
    remember: { content: 'The kingfisher is orange.' },
    remember_batch: { memories: [{ content: 'The stork is white.' }] },
    update: { memory_id: kept, importance: 1 },
    forget: { memory_id: unwanted },
    restore: { memory_id: forgotten },
    list: {},
    get: { memory_id: kept },
    talk: { message: 'Where does the heron nest?' },
    status: {},
  }
  return inputs
}

/** A server process that has served no call yet. */
const spawnFresh = () =>
  spawnServer({
    ...server.current.database.env,
    ...shared,
    SVC_DATA_DIR: temporaryDirectory('svc-mcp-order-'),
  })

test.each(orders.map((order) => [order.join(', '), order] as const))(
  'on a fresh server and a fresh process every tool works in the order %s',
  async (_, order) => {
    await using fresh = spawnFresh()
    const [ada, bob] = [await newUser(server.current), await newUser(server.current)]
    const url = await fresh.url
    await using http = await connectHttp({ url }, ada.key)
    await using stdio = await connectMcpProcess({ SVC_URL: url, SVC_API_KEY: bob.key })
    for (const [{ call }, inputs] of [
      [http, await prepare(ada)],
      [stdio, await prepare(bob)],
    ] as const)
      for (const name of order) {
        const result = await call(name, { ...inputs[name] })
        expect([name, result.isError ?? false, textOf(result)]).toEqual([
          name,
          false,
          textOf(result),
        ])
      }
  },
)

test('parallel first calls of two accounts on a fresh server all work, and again', async () => {
  await using fresh = spawnFresh()
  const users = [await newUser(server.current), await newUser(server.current)]
  const url = await fresh.url
  await Promise.all(
    users.map(async (user) => {
      await using mcp = await connectOlderHttp({ url }, user.key)
      const inputs = await prepare(user)
      const callAll = () =>
        Promise.all(TOOL_NAMES.map((name) => mcp.call(name, { ...inputs[name] })))
      for (const result of await callAll())
        expect([textOf(result), result.isError ?? false]).toEqual([textOf(result), false])
      const again = await callAll()
      // A forgotten memory is not found again. All other calls can be repeated.
      expect(TOOL_NAMES.filter((_, i) => again[i]?.isError)).toEqual(['forget'])
    }),
  )
})
