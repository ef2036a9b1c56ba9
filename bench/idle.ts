import { connect, type Socket } from 'node:net'
import { listActivity } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { cpuSeconds, ownCpuSeconds } from './lib/cpu.ts'
import { createDatabase, kindsOf } from './lib/database.ts'
import { residentMib } from './lib/resident.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { printTable } from './lib/table.ts'

/** Connections that are opened at a time. */
const AT_ONCE = 50
/** For the work that follows the opening, such as a garbage collection. */
const REST_MS = 5_000

const { values: args } = readArgs(
  'bench/idle.ts: the memory of each open and idle connection, and the processor time that all of them take',
  {
    connections: count('number of connections of each kind', 5_000),
    accounts: count('number of accounts that they belong to', 50),
    seconds: count('seconds for which they are idle', 45),
    warm: count('connections that are opened and closed before', 200),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'postgres'),
  },
)

const MCP_LISTEN = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    },
    notifications: { resourcesListChanged: true },
  },
})

/** Each is the head and the body of a request that leaves a connection open. */
const KINDS: Record<string, (key: string) => string> = {
  'kept alive': (key) => get('/api/health', key, 'application/json'),
  'GET /api/events': (key) => get(listActivity.path, key, 'text/event-stream'),
  'MCP GET': (key) => get('/api/mcp', key, 'text/event-stream'),
  'MCP subscriptions/listen': (key) =>
    [
      'POST /api/mcp HTTP/1.1',
      'host: 127.0.0.1',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      'accept: application/json, text/event-stream',
      'mcp-protocol-version: 2026-07-28',
      'mcp-method: subscriptions/listen',
      `content-length: ${MCP_LISTEN.length}`,
      '',
      MCP_LISTEN,
    ].join('\r\n'),
}

const get = (path: string, key: string, accept: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    `accept: ${accept}`,
    '',
    '',
  ].join('\r\n')

/** Opens a connection, and resolves when the response has begun. */
const open = (port: number, request: string): Promise<{ socket: Socket; status: string }> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.once('data', (bytes) => {
      socket.resume()
      resolve({ socket, status: bytes.toString().split(' ')[1] ?? '' })
    })
    socket.once('error', reject)
  })

const openMany = async (
  { url }: BenchServer,
  accounts: readonly Account[],
  kind: string,
  total: number,
) => {
  const port = Number(new URL(url).port)
  const sockets: Socket[] = []
  const statuses = new Set<string>()
  for (let opened = 0; opened < total; opened += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, total - opened) }, (_, index) => {
      const { key = '' } = accounts[(opened + index) % accounts.length] ?? {}
      return open(port, KINDS[kind]?.(key) ?? '')
    })
    for (const { socket, status } of await Promise.all(some)) {
      sockets.push(socket)
      statuses.add(status)
    }
  }
  return { sockets, statuses }
}

const close = (sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy()
}

const measure = async (server: BenchServer, accounts: readonly Account[], kind: string) => {
  close((await openMany(server, accounts, kind, args.warm)).sockets)
  await Bun.sleep(REST_MS)
  const before = residentMib(server.pid)
  const { sockets, statuses } = await openMany(server, accounts, kind, args.connections)
  await Bun.sleep(REST_MS)
  const opened = residentMib(server.pid)
  const [own, all] = [ownCpuSeconds(server.pid), cpuSeconds(server.pid)]
  await Bun.sleep(args.seconds * 1000)
  const [ownAfter, allAfter] = [ownCpuSeconds(server.pid), cpuSeconds(server.pid)]
  const idle = residentMib(server.pid)
  const isOpen = sockets.filter(({ destroyed }) => !destroyed).length
  close(sockets)
  await Bun.sleep(REST_MS)
  const bytes = (mib: number) => Math.round(((mib - before) * 1024 * 1024) / args.connections)
  const percent = (from: number, to: number) => (((to - from) * 100) / args.seconds).toFixed(1)
  return [
    kind,
    [...statuses].join(' '),
    isOpen,
    bytes(opened),
    bytes(idle),
    percent(own, ownAfter),
    percent(all, allAfter),
    residentMib(server.pid).toFixed(0),
  ]
}

for (const kind of kindsOf(args.database)) {
  await using database = await createDatabase(kind)
  const rows = []
  for (const connection of Object.keys(KINDS)) {
    await using server = await startServer(database)
    const accounts: Account[] = []
    while (accounts.length < args.accounts) accounts.push(await newAccount(server))
    rows.push(await measure(server, accounts, connection))
  }
  console.log(kind)
  printTable(
    [
      ...['connection', 'status', 'still open', 'bytes each', `after ${args.seconds} s`],
      ...['server CPU %', 'with its database', 'MiB when closed'],
    ],
    rows,
  )
}
process.exit()
