import { expect, test } from 'bun:test'
import { openOutages } from '../../cli/assistants/outages.ts'
import { openSpool } from '../../cli/assistants/spool.ts'
import { listMemories, remember } from '../../shared/contract/index.ts'
import { quietPort } from '../harness/ports.ts'
import { type TestUser, useSharedServer } from '../harness/server.ts'
import { type Machine, signedInMachine } from './svc.ts'

const server = useSharedServer()

type Answer = (request: Request) => Response | Promise<Response>

const frozen: Answer = () => new Promise<Response>(() => {})
const failing =
  (status: number): Answer =>
  () =>
    new Response('<html>Bad gateway</html>', { status })
const passing: Answer = async (request) => {
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const body = method === 'GET' ? null : await request.text()
  return fetch(`${server.current.url}${pathname}${search}`, { method, headers, body })
}

/** A server in front of svc that can fail, and counts the requests. */
const startFront = (answer: Answer, port = 0) => {
  const front = { answer, requests: 0 }
  const http = Bun.serve({
    port,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      front.requests += 1
      return front.answer(request)
    },
  })
  return Object.assign(front, {
    url: `http://127.0.0.1:${http.port}`,
    [Symbol.asyncDispose]: () => http.stop(true),
  })
}

/** A signed-in machine with a clock that the test moves. */
const startMachine = async () => {
  const { machine, user } = await signedInMachine(server.current)
  let time = Date.now()
  const clock = { now: () => time, sleep: async () => {} }
  const svc = (url: string, args: string[], stdin = '') =>
    machine.svc(args, { stdin, clock, env: { SVC_URL: url, SVC_API_KEY: user.key } })
  const hook = async (url: string, event: object) => {
    const stdin = JSON.stringify({ session_id: 's', cwd: '/', ...event })
    const { code, stdout, stderr } = await svc(url, ['hook', 'claude-code'], stdin)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  return {
    machine,
    user,
    svc,
    ask: (url: string, prompt: string) =>
      hook(url, { hook_event_name: 'UserPromptSubmit', prompt }),
    finish: (url: string, text: string) =>
      hook(url, { hook_event_name: 'Stop', last_assistant_message: text }),
    wait(ms: number) {
      time += ms
    },
    isDown: (url: string) => openOutages(machine.configDir, clock.now).isDown(url),
  }
}

const textsOf = async ({ client }: TestUser) => {
  const { memories } = await client.call(listMemories, { query: { limit: 100 } })
  return memories.toReversed().map(({ content_text }) => content_text)
}
const waiting = ({ configDir }: Machine) => openSpool(configDir).names().length

const MINUTE = 60_000
const turns = Array.from({ length: 14 }, (_, index) => index + 1)
const textsOfTurns = turns.flatMap((turn) => [`Prompt ${turn}.`, `Answer ${turn}.`])

test.each([
  // The context, and then the turn, which may take longer.
  ['does not answer', frozen, 2],
  ['answers 500', failing(500), 3],
  ['answers 502', failing(502), 3],
  ['answers 503', failing(503), 3],
  ['answers 504', failing(504), 3],
])(
  '14 turns with a server that %s: it is left alone, and gets all of them later, in order, once',
  async (_, answer, most) => {
    const { machine, user, ask, finish, wait } = await startMachine()
    await using front = startFront(answer)
    for (const turn of turns) {
      expect(await ask(front.url, `Prompt ${turn}.`)).toBe('')
      await finish(front.url, `Answer ${turn}.`)
    }
    expect(front.requests).toBe(most)
    expect(waiting(machine)).toBe(textsOfTurns.length)
    front.answer = passing
    wait(MINUTE - 1)
    await ask(front.url, 'Not yet.')
    expect(front.requests).toBe(most)
    wait(1)
    // A hook sends turns for a second.
    for (let hooks = 0; hooks < 30 && (hooks === 0 || waiting(machine)); hooks += 1)
      await finish(front.url, 'Now.')
    expect(await textsOf(user)).toEqual([...textsOfTurns, 'Not yet.', 'Now.'])
    expect(waiting(machine)).toBe(0)
    await finish(front.url, 'Now.')
    expect(await textsOf(user)).toHaveLength(textsOfTurns.length + 2)
  },
)

test('a stopped process costs two waits, and has got two requests at most when it goes on', async () => {
  const { ask, finish, isDown } = await startMachine()
  const port = await quietPort()
  const url = `http://127.0.0.1:${port}`
  const script = `Bun.serve({ port: ${port}, hostname: '127.0.0.1', fetch: (r) => {
    console.log(new URL(r.url).pathname); return new Response('{}') } }); console.log('ready')`
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  expect((await lines.read()).value).toBe('ready\n')
  child.kill('SIGSTOP')
  for (const turn of turns) {
    await ask(url, `Prompt ${turn}.`)
    expect(isDown(url)).toBe(true)
    await finish(url, `Answer ${turn}.`)
  }
  child.kill('SIGCONT')
  await fetch(`${url}/last`)
  child.kill()
  let seen = ''
  for (let part = await lines.read(); !part.done; part = await lines.read()) seen += part.value
  expect(seen.split('\n').filter((line) => line.startsWith('/api')).length).toBeLessThanOrEqual(2)
})

test.each([
  ['refuses the connection', async () => `http://127.0.0.1:${await quietPort()}`],
  ['has no address', async () => 'http://no-such-host.invalid'],
  ['has no TLS', async () => server.current.url.replace('http://', 'https://')],
])('a server that %s is left alone for a minute', async (_, urlOf) => {
  const { machine, ask, finish, wait, isDown } = await startMachine()
  const url = await urlOf()
  await ask(url, 'Where do we deploy to?')
  expect(isDown(url)).toBe(true)
  await finish(url, 'To Hetzner.')
  expect(waiting(machine)).toBe(2)
  wait(MINUTE)
  expect(isDown(url)).toBe(false)
})

test('a port that refused the connection is asked as soon as a server listens there', async () => {
  const { machine, user, ask, finish } = await startMachine()
  const port = await quietPort()
  const url = `http://127.0.0.1:${port}`
  await ask(url, 'Where do we deploy to?')
  await finish(url, 'To Hetzner.')
  expect(waiting(machine)).toBe(2)
  await using _front = startFront(passing, port)
  await ask(url, 'Why?')
  await finish(url, 'It is near.')
  expect(await textsOf(user)).toEqual([
    'Where do we deploy to?',
    'To Hetzner.',
    'Why?',
    'It is near.',
  ])
})

test.each([
  ['svc status', ['status'], ''],
  ['svc whoami', ['whoami'], ''],
  ['svc spool', ['spool'], ''],
  ['svc login', ['login', '--with-token'], 'key'],
])('%s that reaches the server ends the minute', async (_, args, input) => {
  const { user, svc, ask, isDown } = await startMachine()
  await using front = startFront(frozen)
  await ask(front.url, 'Where do we deploy to?')
  expect(isDown(front.url)).toBe(true)
  front.answer = passing
  const { code, stderr } = await svc(front.url, args, input && `${user.key}\n`)
  expect([code, stderr]).toEqual([0, expect.any(String)])
  expect(isDown(front.url)).toBe(false)
  await user.client.call(remember, { body: { content: 'We deploy to Hetzner in Helsinki.' } })
  expect(await ask(front.url, 'Where do we deploy to?')).toContain('Helsinki')
})

test('a command that fails does not end the minute', async () => {
  const { svc, ask, isDown } = await startMachine()
  const url = `http://127.0.0.1:${await quietPort()}`
  await ask(url, 'Where do we deploy to?')
  expect((await svc(url, ['status'])).code).toBe(1)
  expect(isDown(url)).toBe(true)
})

test('a server that is too slow for a context still gets the turn when it ends', async () => {
  const { user, ask, finish } = await startMachine()
  await using front = startFront((request) =>
    request.url.endsWith('/api/context') ? frozen(request) : passing(request),
  )
  await ask(front.url, 'Where do we deploy to?')
  await finish(front.url, 'To Hetzner.')
  expect(await textsOf(user)).toEqual(['Where do we deploy to?', 'To Hetzner.'])
})

test('a server that fails delays no other one', async () => {
  const { user, ask, finish, isDown } = await startMachine()
  await using down = startFront(frozen)
  await using up = startFront(passing)
  await ask(down.url, 'Of the first.')
  await ask(up.url, 'Of the second.')
  await finish(up.url, 'Stored.')
  // The first hook that ends may have waited for the other server.
  await finish(up.url, 'Stored.')
  expect([isDown(down.url), isDown(up.url)]).toEqual([true, false])
  expect(await textsOf(user)).toEqual(['Of the second.', 'Stored.'])
})

test.each([
  ['two server errors', [503, 500]],
  ['server errors with an answer between', [503, 503, 422, 503, 503]],
  ['refusals of a key', [401, 401, 401, 401]],
  ['requests that are too many', [429, 429, 429, 429]],
])('%s are no failure of the server', async (_, statuses) => {
  const { machine } = await startMachine()
  const outages = openOutages(machine.configDir, Date.now)
  const { Refusal } = await import('../../cli/assistants/outages.ts')
  for (const status of statuses) {
    const failed = outages.guard('http://svc.test', () =>
      Promise.reject(new Refusal(status, false, 'failed')),
    )
    await expect(failed).rejects.toThrow('failed')
  }
  expect(outages.isDown('http://svc.test')).toBe(false)
})

test('a clock that is set back, or a damaged file, ends the minute', async () => {
  const { ask, isDown, wait, machine } = await startMachine()
  const url = `http://127.0.0.1:${await quietPort()}`
  await ask(url, 'Where do we deploy to?')
  wait(-1_000)
  expect(isDown(url)).toBe(false)
  wait(1_000)
  expect(isDown(url)).toBe(true)
  for (const text of ['', '{', '[]', '{"http://a": 1}', `{"${url}": {"at": "now"}}`]) {
    await Bun.write(`${machine.configDir}/hooks/outages.json`, text)
    expect(isDown(url)).toBe(false)
  }
})

test('a port that refused svc mcp run is asked as soon as a server listens there', async () => {
  const { machine, user } = await signedInMachine(server.current)
  const port = await quietPort()
  const env = { SVC_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: user.key }
  expect((await machine.run(['mcp', 'run'], { env, stdin: '' })).code).toBe(0)
  await using front = startFront(passing, port)
  expect((await machine.run(['mcp', 'run'], { env, stdin: '' })).code).toBe(0)
  expect(front.requests).toBe(1)
})

test('svc mcp run does not ask a server that has just failed at its start', async () => {
  const { machine, user } = await signedInMachine(server.current)
  await using front = startFront(frozen)
  const env = { SVC_URL: front.url, SVC_API_KEY: user.key }
  const start = () => machine.run(['mcp', 'run'], { env, stdin: '' })
  expect((await start()).code).toBe(0)
  expect(front.requests).toBe(1)
  expect((await start()).code).toBe(0)
  expect(front.requests).toBe(1)
})
