import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { openSpool } from '../../cli/assistants/spool.ts'
import { createClient } from '../../shared/client.ts'
import { createKey, listMemories, revokeKey } from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { type Member, SHARED, startMember } from '../scale/support.ts'
import { type Machine, signedInMachine } from './svc.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let server: TestServer
/** A process that the tests freeze. */
let other: Member
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  database = await createDatabase()
  stack.defer(database.drop)
  server = stack.use(await startServer(SHARED, database))
  other = stack.use(await startMember('web', { ...database.env, ...SHARED }))
}, 60_000)
afterAll(() => stack.disposeAsync())

const event = (session: string, turn: number) =>
  JSON.stringify({
    hook_event_name: 'UserPromptSubmit',
    session_id: session,
    turn_id: `${turn}`,
    cwd: '/',
    prompt: `Turn ${turn} of ${session}.`,
  })

const storedIn = async ({ client }: TestUser) => {
  const { memories } = await client.call(listMemories, { query: { limit: 100 } })
  return memories
}
const textsOf = async (user: TestUser) =>
  (await storedIn(user)).map(({ content_text }) => content_text).toReversed()

const waiting = ({ configDir }: Machine) => openSpool(configDir).names().length

/** Runs a hook in a process that is killed after so many milliseconds. */
const killedHook = async (machine: Machine, stdin: string, url: string, afterMs: number) => {
  const child = Bun.spawn(machine.command('hook', 'codex'), {
    env: { ...machine.env, SVC_URL: url },
    stdin: new Blob([stdin]),
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await child.exited
  clearTimeout(timer)
}

test('eight sessions at two servers, of which one freezes, with killed hooks: each turn is stored once and in order', async () => {
  const { machine, user } = await signedInMachine(server)
  machine.env.SVC_API_KEY = user.key
  const urls = [server.url, other.url]
  const sessions = Array.from({ length: 8 }, (_, index) => `s${index}`)
  const turns = [1, 2, 3, 4]
  const runTurn = async (turn: number, session: string, index: number) => {
    const url = urls[(turn + index) % 2] ?? ''
    const stdin = event(session, turn)
    if ((turn * 3 + index) % 4 === 0) await killedHook(machine, stdin, url, 20 + index * 25)
    return machine.run(['hook', 'codex'], { stdin, env: { SVC_URL: url } })
  }
  for (const turn of turns) {
    if (turn === 2) other.signal('SIGSTOP')
    const ended = await Promise.all(sessions.map((each, index) => runTurn(turn, each, index)))
    if (turn === 3) other.signal('SIGCONT')
    for (const { code, stderr } of ended) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  const { stdout } = await machine.svc(['spool'])
  expect(stdout).toContain(' 0 waiting, 0 refused.')
  const memories = await storedIn(user)
  expect(memories).toHaveLength(sessions.length * turns.length)
  for (const session of sessions) {
    const own = memories.filter(({ thread }) => thread === `codex:${session}`)
    const inOrder = own.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
    expect(inOrder.map(({ content_text }) => content_text)).toEqual(
      turns.map((turn) => `Turn ${turn} of ${session}.`),
    )
  }
})

test('a delivery that is killed again and again loses and doubles nothing', async () => {
  const { machine, user } = await signedInMachine(server)
  const texts = Array.from({ length: 40 }, (_, index) => `Turn ${index + 1} of long.`)
  for (const turn of texts.keys())
    await machine.svc(['hook', 'codex'], {
      stdin: event('long', turn + 1),
      env: { SVC_API_KEY: 'svc_invalid' },
    })
  expect(waiting(machine)).toBe(texts.length)
  for (let afterMs = 40; afterMs < 400; afterMs += 30) {
    const child = Bun.spawn(machine.command('spool'), {
      env: machine.env,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
    await child.exited
    clearTimeout(timer)
  }
  await machine.svc(['spool'])
  expect(waiting(machine)).toBe(0)
  expect(await textsOf(user)).toEqual(texts)
})

test('turns of a revoked key wait, and are sent after the next sign-in', async () => {
  const { machine, user } = await signedInMachine(server)
  const session = createClient({ baseUrl: server.url, credential: user.accessToken })
  await session.call(revokeKey, { params: { key_id: user.keyId } })
  for (const turn of [1, 2]) {
    const ended = await machine.svc(['hook', 'codex'], { stdin: event('revoked', turn) })
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
  }
  expect(waiting(machine)).toBe(2)
  expect((await machine.svc(['spool'])).stderr).toContain('Invalid API key')
  const { key } = await session.call(createKey, { body: { name: 'again' } })
  const { stdout } = await machine.svc(['spool'], { env: { SVC_API_KEY: key } })
  expect(stdout).toBe('2 turns sent, 0 waiting, 0 refused.\n')
})

test.each([429, 503])('a server that answers %d keeps the turns waiting', async (status) => {
  const { machine, user } = await signedInMachine(server)
  using busy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      Response.json(
        { detail: { code: 'busy', message: 'Busy.' } },
        { status, headers: { 'retry-after': '60' } },
      ),
  })
  const env = { SVC_URL: busy.url.origin, SVC_API_KEY: user.key }
  const ended = await machine.svc(['hook', 'codex'], { stdin: event('busy', 1), env })
  expect(ended).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(waiting(machine)).toBe(1)
  expect(openSpool(machine.configDir).refused()).toEqual([])
})

test('turns keep their order when the clock goes back', async () => {
  const { configDir } = (await signedInMachine(server)).machine
  const spool = openSpool(configDir)
  const add = (turn: string, now: number) =>
    spool.add(
      {
        target: {},
        capture: {
          client: 'codex',
          channel: 'hook',
          session: 'clock',
          messages: [{ turn, role: 'user', content: turn }],
        },
      },
      now,
    )
  const day = 86_400_000
  const now = Date.now()
  add('1', now)
  add('2', now - day)
  add('3', now - day + 1)
  add('4', now + day)
  add('5', now)
  const turns = spool.names().map((name) => spool.read(name)?.capture.messages[0]?.turn)
  expect(turns).toEqual(['1', '2', '3', '4', '5'])
})
