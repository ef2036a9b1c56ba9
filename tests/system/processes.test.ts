import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../../server/config/config.ts'
import { isRunning, postgresPid } from '../embedded/support.ts'
import { eventually } from '../harness/eventually.ts'
import { SVC, spawnServer, TEMPORARY } from '../harness/process.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { preparedPlace } from './support.ts'

setDefaultTimeout(120_000)

const TOKEN = crypto.randomUUID()
const PROCESSES = 3

type Spawned = ReturnType<typeof spawnServer>

/** The processes that answer: the first one, and the children that it has started. */
const pidsOf = ({ child }: Spawned): number[] => [
  child.pid,
  ...readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return stat?.[1] === String(child.pid) && command.includes('serve') ? [Number(name)] : []
    } catch {
      return []
    }
  }),
]

const scrape = async (url: string): Promise<Map<string, number>> => {
  const text = (await request({ url }, 'GET', '/metrics', { token: TOKEN })).text
  return new Map(
    text
      .split('\n')
      .filter((line) => /^\w/.test(line))
      .map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]),
  )
}

/** Waits until all processes answer. */
const untilComplete = (url: string) =>
  eventually(async () => (await scrape(url)).get('svc_processes') === PROCESSES)

const startProcesses = async (env: Record<string, string>) => {
  const server = spawnServer({
    SVC_PROCESSES: String(PROCESSES),
    SVC_METRICS_TOKEN: TOKEN,
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  })
  try {
    const url = await server.url
    await untilComplete(url)
    return Object.assign(server, { address: url })
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

let server: Awaited<ReturnType<typeof startProcesses>>
let user: TestUser
beforeAll(async () => {
  server = await startProcesses({
    SVC_DATA_DIR: join(temporaryDirectory('svc-test-processes-'), 'data'),
  })
  user = await newUser({ url: server.address })
})
afterAll(() => server[Symbol.asyncDispose]())

/** A new connection for each request, so that the kernel chooses a process for each. */
const send = (method: string, path: string, options: Parameters<typeof request>[3] = {}) =>
  request({ url: server.address }, method, path, {
    ...options,
    headers: { connection: 'close', ...options.headers },
  })

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const statuses = (answers: { status: number }[]) => [...new Set(answers.map((each) => each.status))]

test('each process has connections of the port', async () => {
  const { port } = new URL(server.address)
  const socketsOf = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).filter((name) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:')
      } catch {
        return false
      }
    }).length
  const pids = pidsOf(server)
  expect(pids).toHaveLength(PROCESSES)
  const before = pids.map(socketsOf)
  const sockets = await times(60, () => {
    const { promise, resolve } = Promise.withResolvers<Socket>()
    const socket = connect(Number(port), '127.0.0.1', () => resolve(socket))
    return promise
  })
  await eventually(() => pids.every((pid, index) => socketsOf(pid) > (before[index] ?? 0)))
  for (const socket of sockets) socket.destroy()
})

test('the metrics of any process are the sums of all', async () => {
  const key = 'svc_http_request_duration_seconds_count{method="GET",route="/api/me",status="200"}'
  const before = (await scrape(server.address)).get(key) ?? 0
  expect(statuses(await times(50, () => send('GET', '/api/me', { token: user.key })))).toEqual([
    200,
  ])
  for (const each of await times(10, () => scrape(server.address)))
    expect(each.get(key)).toBe(before + 50)
})

test('a rate limit counts the requests to all processes', async () => {
  const body = { email: 'unknown@example.com', password: 'wrong password' }
  const answers = await times(20, () =>
    send('POST', '/api/auth/signin', { body, from: '198.51.100.7' }),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
})

test('a memory that one process writes is recalled by all, from their indexes too', async () => {
  const token = user.key
  const recall = async (query: string): Promise<string[]> => {
    const { body } = await send('POST', '/api/recall', { token, body: { query } })
    return body.memories.map(({ content_text }: { content_text: string }) => content_text)
  }
  for (let round = 0; round < 12; round++) {
    const content = `The ferry of round ${round} leaves from pier ${round * 7}.`
    expect((await send('POST', '/api/remember', { token, body: { content } })).status).toBe(201)
    for (const found of await times(6, () => recall(`From which pier does round ${round} leave?`)))
      expect(found).toContain(content)
  }
  const metrics = await scrape(server.address)
  expect(metrics.get('svc_recall_index_owners')).toBeGreaterThan(0)
})

test('a revoked key is refused by all processes at once', async () => {
  const other = await newUser({ url: server.address })
  expect(statuses(await times(20, () => send('GET', '/api/me', { token: other.key })))).toEqual([
    200,
  ])
  const path = `/api/auth/api-keys/${other.keyId}`
  expect((await send('DELETE', path, { token: other.accessToken })).status).toBe(204)
  expect(statuses(await times(30, () => send('GET', '/api/me', { token: other.key })))).toEqual([
    401,
  ])
})

test('processes that are killed under load are replaced, and lose no acknowledged write and no count', async () => {
  const token = user.key
  const killed = pidsOf(server).slice(1)
  const before = await scrape(server.address)
  let isOver = false
  const stored: string[] = []
  const write = async (writer: number) => {
    for (let index = 0; !isOver; index++) {
      const content = `Note ${index} of writer ${writer} before and after the kill.`
      const answer = await send('POST', '/api/remember', { token, body: { content } }).catch(
        () => undefined,
      )
      if (answer?.status === 201) stored.push(answer.body.memory_id)
    }
  }
  const writers = times(4, write)
  await eventually(() => stored.length > 20)
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  await eventually(() => {
    const pids = pidsOf(server)
    return pids.length === PROCESSES && !killed.some((pid) => pids.includes(pid))
  })
  await untilComplete(server.address)
  isOver = true
  await writers
  for (const id of stored)
    expect((await send('GET', `/api/memories/${id}`, { token })).status).toBe(200)
  const after = await scrape(server.address)
  for (const [name, value] of before)
    if (/_(?:total|count)(?:\{|$)/.test(name))
      expect(`${name} ${(after.get(name) ?? 0) >= value}`).toBe(`${name} true`)
})

test('a process that is frozen answers what it was sent when it wakes, and no sum falls meanwhile', async () => {
  const [, frozen = 0] = pidsOf(server)
  const key = 'svc_http_request_duration_seconds_count{method="GET",route="/api/me",status="200"}'
  const before = (await scrape(server.address)).get(key) ?? 0
  process.kill(frozen, 'SIGSTOP')
  const waiting = times(40, () => send('GET', '/api/me', { token: user.key }))
  // Each connection that the kernel gives to another process is answered.
  const scraped = await Promise.any(Array.from({ length: 12 }, () => scrape(server.address)))
  expect(scraped.get(key)).toBeGreaterThanOrEqual(before)
  process.kill(frozen, 'SIGCONT')
  expect(statuses(await waiting)).toEqual([200])
  await eventually(async () => (await scrape(server.address)).get(key) === before + 40)
})

test('all processes answer again after PostgreSQL was killed', async () => {
  const place = await preparedPlace()
  await using fresh = await startProcesses({ ...place })
  const { key: token } = await newUser({ url: fresh.address })
  const get = () =>
    request({ url: fresh.address }, 'GET', '/api/me', {
      token,
      headers: { connection: 'close' },
    })
  process.kill(postgresPid(place.SVC_DATA_DIR), 'SIGKILL')
  await eventually(async () => statuses(await times(20, get)).join() === '200')
})

test('each process accepts the link for the first admin', async () => {
  await using fresh = await startProcesses({ ...(await preparedPlace()) })
  const token = await eventually(() => /\/admin\/claim\?token=(\S+)/.exec(fresh.output())?.[1])
  const { refreshToken: cookie } = await newUser({ url: fresh.address })
  const open = (given: string) =>
    request({ url: fresh.address }, 'GET', `/api/auth/admin/claim?token=${given}`, {
      cookie,
      headers: { connection: 'close' },
    })
  expect(statuses(await times(20, () => open(token)))).toEqual([200])
  expect(statuses(await times(20, () => open(`${token}x`)))).toEqual([410])
})

test('SIGTERM lets all processes finish, and ends them', async () => {
  await using fresh = await startProcesses({ ...(await preparedPlace()), SVC_DRAIN_SECONDS: '2' })
  const pids = pidsOf(fresh)
  fresh.child.kill('SIGTERM')
  const ready = () =>
    request({ url: fresh.address }, 'GET', '/api/ready', { headers: { connection: 'close' } })
  await eventually(async () => statuses(await times(15, ready)).join() === '503')
  expect(
    statuses(await times(15, () => request({ url: fresh.address }, 'GET', '/api/health'))),
  ).toEqual([200])
  expect((await fresh.result()).code).toBe(0)
  expect(pids.filter(isRunning)).toEqual([])
})

test('a server that is stopped while its processes start ends in order', async () => {
  const stopped = Bun.spawn([...SVC, 'serve'], {
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      ...TEMPORARY,
      SVC_PORT: '0',
      SVC_PROCESSES: '3',
      ...(await preparedPlace()),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const log = stopped.stdout.text()
  for await (const chunk of stopped.stderr)
    if (new TextDecoder().decode(chunk).includes('svc is running')) break
  stopped.kill('SIGTERM')
  expect(await stopped.exited).toBe(0)
  expect(await log).not.toContain('did not finish in time')
  expect(await log).not.toContain('a web process has ended')
})

test('a stop kills a process that is frozen', async () => {
  await using fresh = await startProcesses({ ...(await preparedPlace()) })
  const pids = pidsOf(fresh)
  process.kill(pids[1] ?? 0, 'SIGSTOP')
  fresh.child.kill('SIGTERM')
  expect((await fresh.result()).code).toBe(0)
  expect(pids.filter(isRunning)).toEqual([])
})

test('the processes end with the first one', async () => {
  await using fresh = await startProcesses({ ...(await preparedPlace()) })
  const pids = pidsOf(fresh)
  fresh.child.kill('SIGKILL')
  await eventually(() => pids.filter(isRunning).length === 0)
})

test.each([
  [{ SVC_PROCESSES: '0' }, 'a whole number from 1 to 64'],
  [{ SVC_PROCESSES: 'two' }, 'a whole number from 1 to 64'],
  [{ SVC_PROCESSES: '2', SVC_RATE_LIMIT_STORE: 'memory' }, 'requires SVC_PROCESSES=1'],
  [
    {
      SVC_PROCESSES: '2',
      SVC_ROLE: 'worker',
      SVC_BASE_URL: 'http://svc.test',
      SVC_DATABASE_URL: 'postgres://127.0.0.1/x',
      SVC_AUTH_SECRET: 'a secret of 32 characters or more',
    },
    'not for SVC_ROLE=worker',
  ],
])('%j is refused with its reason', (env, reason) => {
  expect(() => readConfig(env)).toThrow(reason)
})
